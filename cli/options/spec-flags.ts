import { existsSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { undeclaredFailurePolicies } from '../../spec/defaults.ts'
import type { RefOptions } from '../../spec/index.ts'
import { say } from '../process/terminal.ts'
import { basePath, each, path } from './parse.ts'

/** Which document is the contract. */
export type SpecFlags = RefOptions & { readonly spec?: string }

/** `more`: what else the command reads as a document. */
export const specOptions = (more = ''): readonly Option[] => [
  new Option(
    '--spec <file|url>',
    `document in OpenAPI 3.0 to 3.2 or Swagger 2.0, YAML or JSON${more} (default: openapi.yaml, .yml or .json of this folder, or else the plant store’s)`,
  ).argParser(path),
  new Option(
    '--overlay <file|url>',
    'apply this OpenAPI overlay (1.0 or 1.1) to the document; repeatable, in their order',
  ).argParser(each(path)),
  new Option('--network-refs', 'follow $refs to http(s) addresses'),
  new Option(
    '--ref-folder <folder>',
    'follow $refs to files below this folder (default: the folder of the document)',
  ).argParser(path),
  new Option(
    '--strict-document',
    'reject a document with any fault (default: warn, and leave out the operations that it makes unusable)',
  ),
]

export const basePathOption = (): Option =>
  new Option('--base-path <path>', 'a path prefix that counts as well: auto (from servers), none, or a path')
    .argParser(basePath)
    .default('auto')

/** How missing or wrong credentials are, or have to be, answered. */
export const unauthenticatedOption = (description: string): Option =>
  new Option('--unauthenticated <policy>', description)
    .choices(['declared', '401', 'either'])
    .default('declared')

/** How failures are judged that fit, if the document declares none that does. */
export const undeclaredFailuresOption = (): Option =>
  new Option(
    '--undeclared-failures <policy>',
    'if no declared failure fits: accept any 4xx and note the gap, or fail it',
  )
    .choices(undeclaredFailurePolicies)
    .default('gap')

export const configOptions = (): readonly Option[] => [
  new Option(
    '--config <file>',
    'configuration file; flags override it (default: plantstore.config.* in this folder)',
  ).argParser(path),
  new Option('--no-config', 'ignore configuration files'),
]

/** What the document of a folder is called. */
const names = ['openapi.yaml', 'openapi.yml', 'openapi.json']

/** The document of this folder; null if there is none, or the command reads no document or was given one. */
export const documentOfFolder = (command: Command): string | null => {
  if (isTaken(command)) return command.getOptionValue('spec') as string
  const takesOne = command.options.some(({ long }) => long === '--spec')
  const hasOne = ['spec', 'mount', 'ledger'].some(name => command.getOptionValue(name) !== undefined)
  const isOfRun = [command, command.parent].some(each => readsLedger.includes(each?.name() ?? ''))
  if (!takesOne || hasOne || isOfRun) return null
  return names.find(name => existsSync(name)) ?? null
}

/** Their document is that of the run. */
const readsLedger = ['replay', 'merge', 'bundle']

const source = 'folder'
const isTaken = (command: Command): boolean => command.getOptionValueSource('spec') === source

/** Takes the document of this folder if the user gives none, and says so. */
export const useDocumentOfFolder = (command: Command): void => {
  const found = documentOfFolder(command)
  if (found === null || isTaken(command)) return
  command.setOptionValueWithSource('spec', found, source)
  say(`the contract is ${found} of this folder (give another one with --spec)`)
}
