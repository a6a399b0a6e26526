import { isDeepStrictEqual } from 'node:util'
import { contradictionsIn, foldLedger, type Ledger } from '../../spec/index.ts'
import { reports } from '../formats/report.ts'
import { readLedger } from '../ledger/ndjson.ts'
import { conclusions } from '../view/conclusion.ts'
import { summarise } from '../view/summary.ts'
import { contractName, ledgerName, reportFiles } from './contents.ts'
import { factsOf, type Manifest, sha256 } from './manifest.ts'

/**
 * Computes again what follows from the ledger and names every file that contradicts it, one line each. This finds a
 * bundle whose manifest was rewritten after a change, even without a signature. Reports are written again if the product
 * is of the version that wrote them; of other versions only the JSON report is read.
 */
export const recompute = (
  manifest: Manifest,
  files: ReadonlyMap<string, Uint8Array>,
  version: string,
): readonly string[] => {
  const bytes = files.get(ledgerName)
  if (bytes === undefined) return [`${ledgerName} is missing: a bundle cannot be without it`]
  let ledger: Ledger
  try {
    ledger = foldLedger(readLedger(new TextDecoder().decode(bytes)))
  } catch (error) {
    // Nothing in a bundle may make the check itself fail, such as a text that is too long for a string.
    return [`${ledgerName} is not the ledger of a run: ${(error as Error).message}`]
  }
  const problems = Object.entries(factsOf(ledger)).flatMap(([part, facts]) =>
    Object.entries(facts).flatMap(([name, fact]) => {
      const claim = (manifest[part as 'run'] as Readonly<Record<string, unknown>>)[name]
      return isDeepStrictEqual(claim, fact)
        ? []
        : [
            `manifest.json says ${JSON.stringify(claim)} for ${part} ${name}, but ${ledgerName} says ${JSON.stringify(fact)}`,
          ]
    }),
  )
  problems.push(...contradictionsIn(ledger).map(text => `${ledgerName} contradicts itself: ${text}`))
  const contract = files.get(contractName)
  if (contract !== undefined && sha256(contract) !== ledger.start.contract.digest)
    problems.push(`${contractName} is not the contract that was tested: ${ledgerName} records another digest`)
  const contradicting =
    ledger.start.product.version === version
      ? differentReports(ledger, bytes, files)
      : differentJson(ledger, files)
  return [
    ...problems,
    ...contradicting.map(
      name => `${name} is not what version ${ledger.start.product.version} writes from ${ledgerName}`,
    ),
  ]
}

const differentReports = (
  ledger: Ledger,
  bytes: Uint8Array,
  files: ReadonlyMap<string, Uint8Array>,
): readonly string[] =>
  reportFiles(ledger, bytes)
    .filter(({ name, bytes: written }) => Buffer.compare(files.get(name) ?? written, written) !== 0)
    .map(({ name }) => name)

// Another version may word a report differently, but its JSON report has these two members at the same place.
const differentJson = (ledger: Ledger, files: ReadonlyMap<string, Uint8Array>): readonly string[] => {
  const name = `reports/${reports.json.file}`
  const file = files.get(name)
  if (file === undefined) return []
  try {
    const { verdict, run } = JSON.parse(new TextDecoder().decode(file)) as ReportFacts
    const expected = conclusions[summarise(ledger).conclusion].label
    return verdict === expected && run?.digest === factsOf(ledger).run.requestDigest ? [] : [name]
  } catch {
    return [name]
  }
}

type ReportFacts = { readonly verdict?: unknown; readonly run?: { readonly digest?: unknown } }
