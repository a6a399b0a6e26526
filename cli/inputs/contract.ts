import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  builtIn,
  type Contract,
  type Ledger,
  type LoadOptions,
  loadContract,
  partsNotTested,
  plantStoreDocument,
  problemLine,
} from '../../spec/index.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { UsageError } from '../process/exit.ts'
import { say } from '../process/terminal.ts'

type Given = { readonly [Name in keyof SpecFlags]: SpecFlags[Name] | undefined }

/** Of commands that only list what a document has. */
type ListOptions = Pick<LoadOptions, 'mayBeEmpty' | 'mayBeCollection' | 'officialSchema'>

/** Loads the document that the flags name, and prints what is wrong with it. Default: the plant store's. */
export const contractOf = async (
  flags: Given & { readonly listen?: object },
  options: ListOptions = {},
): Promise<Contract> => {
  const contract = await loadQuietly(flags, options)
  sayProblems(contract, undefined, flags.listen !== undefined)
  return contract
}

/** The same where it has been printed before. */
export const loadQuietly = async (
  { spec, overlay, networkRefs, refFolder, strictDocument }: Given,
  options: ListOptions = {},
): Promise<Contract> =>
  spec === undefined
    ? { ...(await loadContract({ from: fileURLToPath(plantStoreDocument), overlay })), source: builtIn }
    : loadContract({ from: spec, overlay, networkRefs, refFolder, strictDocument, ...options })

/** The document that the flags name, or the file that the ledger names, if the ledger is of it. Throws UsageError. */
export const contractOfLedger = async (flags: Given, { start }: Ledger): Promise<Contract> => {
  const { digest, title, source, overlays } = start.contract
  const isFile = source !== builtIn && existsSync(source)
  const contract = await contractOf({
    ...flags,
    spec: flags.spec ?? (isFile ? source : undefined),
    overlay: flags.overlay ?? overlays,
  })
  if (contract.digest !== digest)
    throw new UsageError(
      `the ledger is of another contract (${title}, ${source}): give its document with --spec`,
    )
  return contract
}

/** The lines that are printed of each kind of problem. */
const mostShown = 5

/**
 * Prints what is wrong with the document of a contract on standard error, and what is not tested for it; `callbacks`: whether somebody listens
 * for them.
 */
export const sayProblems = (
  contract: Contract,
  sayLine: (line: string) => void = say,
  callbacks = false,
): void => {
  for (const line of problemLines(contract, callbacks)) sayLine(line)
}

const problemLines = (contract: Contract, callbacks: boolean): readonly string[] => {
  const { source, operations, leftOut, warnings, convertedFrom } = contract
  const notTested = partsNotTested(contract, callbacks)
  const all = operations.length + leftOut.length
  const reasons = leftOut.map(
    ({ method, path, problems: [first] }) =>
      `${method === '*' ? path : `${method} ${path}`}: ${first === undefined ? '' : problemLine(first)}`,
  )
  const total = leftOut.length + warnings.length
  return [
    ...(convertedFrom === null
      ? []
      : [
          `${source}: converted from ${convertedFrom} to OpenAPI ${String(contract.document.openapi).slice(0, 3)}`,
        ]),
    ...section(
      reasons,
      `${source}: ${counted(leftOut.length, 'operation')} of ${all} left out, because the document describes them in a way that cannot be used`,
    ),
    ...section(warnings.map(problemLine), `${source}: ${counted(warnings.length, 'warning')}`),
    ...section(
      notTested.map(problemLine),
      `${source}: ${counted(notTested.length, 'part')} of the document not tested`,
    ),
    ...(total > mostShown ? ['plantstore lint lists everything that is wrong with the document'] : []),
  ]
}

const section = (lines: readonly string[], title: string): readonly string[] =>
  lines.length === 0
    ? []
    : [
        `${title}:`,
        ...lines.slice(0, mostShown).map(line => `  ${line}`),
        ...(lines.length > mostShown ? [`  and ${lines.length - mostShown} more`] : []),
      ]

const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`

/** Loads a contract from the text of its document, in a folder of its own, so that it can refer to no file. */
export const contractFrom = async (document: string): Promise<Contract> => {
  const folder = mkdtempSync(join(tmpdir(), 'plantstore-'))
  try {
    const from = join(folder, 'contract.json')
    writeFileSync(from, document)
    return await loadContract({ from })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
