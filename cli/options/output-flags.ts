import { Option } from 'commander'
import { type FolderName, type FormatName, folderNames, formatNames } from '../../reports/defaults.ts'
import { list, path, share } from './parse.ts'

export const reportOption = (): Option =>
  new Option('--report <formats>', `reports to write: ${anyFormats.join(', ')}, all`)
    .argParser(list(anyFormats))
    .default(['json', 'junit', 'html'], 'json,junit,html')

export const outOption = (): Option =>
  new Option('--out <folder>', 'folder for the reports').argParser(path).default('plantstore-report')

/** Whose violations fail a run of traffic; without a default, none. */
export const failOnOption = (given?: 'any'): Option =>
  new Option('--fail-on <side>', 'exit with 1 if requests, responses or any of them broke the contract')
    .choices(['request', 'response', 'any'])
    .default(given)

/** Which partial runs succeed. */
export type PartialFlags = { readonly allowPartial?: boolean; readonly minTested?: number }

export const partialOptions = (): readonly Option[] => [
  new Option('--allow-partial', 'exit with 0 after a partial run without failures'),
  new Option(
    '--min-tested <share>',
    'exit with 0 after a partial run without failures that tested at least this share of the MUST requirements, such as 0.9',
  )
    .argParser(share)
    .conflicts('allowPartial'),
]

/** The share of what counts that a run has to test; 1: all. */
export const minTestedOf = ({ allowPartial, minTested }: PartialFlags): number =>
  allowPartial === true ? 0 : (minTested ?? 1)

export const verbosityOptions = (): readonly Option[] => [
  new Option('-q, --quiet', 'print only the verdict and the findings').conflicts('verbose'),
  new Option('-v, --verbose', 'print every obligation with its verdict'),
]

export const summaryOption = (): Option =>
  new Option(
    '--summary <format>',
    'print one line for scripts on standard output, and all else on standard error',
  ).choices(['json'])

/** How the mock logs its requests on standard error. */
export const logKinds = ['none', 'text', 'json'] as const
export type LogKind = (typeof logKinds)[number]

/** A format of one file, or of a folder of files. */
export type AnyFormat = FormatName | FolderName

export const anyFormats: readonly AnyFormat[] = [...formatNames, ...folderNames]
