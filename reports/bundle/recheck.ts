import { foldLedger, type Ledger } from '../../spec/index.ts'
import { readLedger } from '../read-ledger.ts'
import { reports } from '../report.ts'
import { contractName, ledgerName, toldFiles } from './contents.ts'
import { factsOf, type Manifest, sha256 } from './manifest.ts'

/**
 * Works out again what follows from the ledger, and names every file that says otherwise, one line each: so a bundle
 * whose manifest was written anew after a change is found out also without a signature. Reports are told anew where the
 * product is of the version that told them; of others only the JSON report is read.
 */
export const recheck = (
  manifest: Manifest,
  files: ReadonlyMap<string, Uint8Array>,
  version: string,
): readonly string[] => {
  const bytes = files.get(ledgerName)
  if (bytes === undefined) return [`${ledgerName} is missing: a bundle is nothing without it`]
  let ledger: Ledger
  try {
    ledger = foldLedger(readLedger(new TextDecoder().decode(bytes)))
  } catch (error) {
    // What is in a bundle never makes the check itself fail: a text that is too long for a string, for one.
    return [`${ledgerName} is not the ledger of a run: ${(error as Error).message}`]
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
  const untrue =
    ledger.start.product.version === version
      ? toldOtherwise(ledger, bytes, files)
      : jsonOtherwise(ledger, files)
  return [
    ...problems,
    ...untrue.map(
      name =>
        `${name} does not say what ${ledgerName} says, as version ${ledger.start.product.version} tells it`,
    ),
  ]
}

const toldOtherwise = (
  ledger: Ledger,
  bytes: Uint8Array,
  files: ReadonlyMap<string, Uint8Array>,
): readonly string[] =>
  toldFiles(ledger, bytes)
    .filter(({ name, bytes: told }) => Buffer.compare(files.get(name) ?? told, told) !== 0)
    .map(({ name }) => name)

// Another version may tell a run in other words, but its JSON report has these two at the same place.
const jsonOtherwise = (ledger: Ledger, files: ReadonlyMap<string, Uint8Array>): readonly string[] => {
  const name = `reports/${reports.json.file}`
  const file = files.get(name)
  if (file === undefined) return []
  try {
    const { verdict, run } = JSON.parse(new TextDecoder().decode(file)) as ReportFacts
    const facts = factsOf(ledger).run
    return verdict === facts.verdict && run?.digest === facts.requestDigest ? [] : [name]
  } catch {
    return [name]
  }
}

type ReportFacts = { readonly verdict?: unknown; readonly run?: { readonly digest?: unknown } }
