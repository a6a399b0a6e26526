import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  builtIn,
  type Contract,
  type Ledger,
  type LoadOptions,
  loadContract,
  plantStoreDocument,
} from '../../spec/index.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { UsageError } from '../process/exit.ts'
import { sayProblems } from './document-problems.ts'

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
