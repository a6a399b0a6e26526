import { foldLedger } from '../../spec/index.ts'
import { LedgerError, readLedger } from '../read-ledger.ts'
import { contractName, ledgerName, toldFiles } from './contents.ts'
import { factsOf, type Manifest, sha256 } from './manifest.ts'

/**
 * Works out again what follows from the ledger, and names every file that says otherwise, one line each: so a bundle
 * whose manifest was written anew after a change is found out also without a signature. Reports are told anew only where
 * the product is of the version that told them.
 */
export const recheck = (
  manifest: Manifest,
  files: ReadonlyMap<string, Uint8Array>,
  version: string,
): readonly string[] => {
  const bytes = files.get(ledgerName)
  if (bytes === undefined) return [`${ledgerName} is missing: a bundle is nothing without it`]
  let ledger: ReturnType<typeof foldLedger>
  try {
    ledger = foldLedger(readLedger(new TextDecoder().decode(bytes)))
  } catch (error) {
    if (error instanceof LedgerError) return [`${ledgerName} is not the ledger of a run: ${error.message}`]
    throw error
  }
  const problems = Object.entries(factsOf(ledger)).flatMap(([part, facts]) =>
    Object.entries(facts).flatMap(([name, told]) => {
      const said = (manifest[part as 'run'] as Readonly<Record<string, unknown>>)[name]
      return said === told
        ? []
        : [
            `manifest.json says ${JSON.stringify(said)} for ${part} ${name}, and ${ledgerName} ${JSON.stringify(told)}`,
          ]
    }),
  )
  const contract = files.get(contractName)
  if (contract !== undefined && sha256(contract) !== ledger.start.contract.digest)
    problems.push(`${contractName} is not the contract that was tested: ${ledgerName} tells another digest`)
  if (ledger.start.product.version === version)
    for (const told of toldFiles(ledger, bytes)) {
      const found = files.get(told.name)
      if (found !== undefined && Buffer.compare(found, told.bytes) !== 0)
        problems.push(`${told.name} does not say what ${ledgerName} says`)
    }
  return problems
}
