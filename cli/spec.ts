import { fileURLToPath } from 'node:url'
import { Option } from 'commander'
import { builtIn } from '../reports/index.ts'
import { type Contract, loadContract, plantStoreDocument } from '../spec/index.ts'

export type SpecFlags = { readonly spec?: string; readonly networkRefs?: boolean }

export const specOptions = (): readonly Option[] => [
  new Option(
    '--spec <file|url>',
    'OpenAPI 3.0 or 3.1 document, YAML or JSON (default: the plant store’s own)',
  ),
  new Option('--network-refs', 'follow $refs to http(s) addresses'),
]

/** Loads the document that the flags name. */
export const contractOf = async ({ spec, networkRefs = false }: SpecFlags): Promise<Contract> => {
  if (spec !== undefined) return loadContract({ from: spec, networkRefs })
  return { ...(await loadContract({ from: fileURLToPath(plantStoreDocument) })), source: builtIn }
}
