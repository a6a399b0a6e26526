import { fileURLToPath } from 'node:url'
import { builtIn } from '../../reports/index.ts'
import { type Contract, loadContract, plantStoreDocument } from '../../spec/index.ts'
import type { SpecFlags } from '../options/spec-flags.ts'

/** Loads the document that the flags name. Default: the plant store's. */
export const contractOf = async ({
  spec,
  networkRefs,
  refFolder,
}: { readonly [Name in keyof SpecFlags]: SpecFlags[Name] | undefined }): Promise<Contract> => {
  if (spec !== undefined) return loadContract({ from: spec, networkRefs, refFolder })
  return { ...(await loadContract({ from: fileURLToPath(plantStoreDocument) })), source: builtIn }
}
