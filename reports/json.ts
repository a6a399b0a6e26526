import type { Entry, Finding, Ledger } from '../spec/index.ts'
import { repeatCommand } from './commands.ts'
import { standingOf, upperBound } from './count.ts'
import { matrix } from './matrix.ts'
import { type Summary, summarise } from './summary.ts'

/** The verdicts and findings of a run as one JSON object, described by `report.schema.json`; exchanges stay in the ledger. */
export const json = (ledger: Ledger): string => `${JSON.stringify(reportOf(ledger), null, 2)}\n`

const reportOf = (ledger: Ledger) => {
  const { start, end } = ledger
  const summary = summarise(ledger)
  return {
    format: 'plantstore-report',
    version: 1,
    product: start.product,
    verdict: summary.verdict,
    conclusion: summary.conclusion,
    strict: summary.strict,
    counts: summary.counts,
    cases: summary.cases,
    requests: summary.requests,
    ms: summary.ms,
    run: {
      at: start.at,
      target: start.target,
      seed: start.seed,
      budget: start.budget,
      selection: start.selection,
      waivers: start.waivers,
      planned: start.planned,
      policies: start.policies,
      identities: start.identities,
      stopped: end?.stopped ?? 'cut',
      why: end?.why ?? null,
      digest: end?.digest ?? null,
      command: repeatCommand(start),
    },
    contract: start.contract,
    operations: matrix(ledger).map(({ operation, counts, cases, cells }) => ({
      ...operation,
      counts,
      cases,
      families: cells,
    })),
    obligations: ledger.entries.map(entry => obligationOf(entry, summary)),
    findings: ledger.findings.map(findingOf),
    notes: ledger.notes.map(({ level, message }) => ({ level, message })),
  }
}

const obligationOf = (entry: Entry, { strict }: Summary) => ({
  ...entry.obligation,
  standing: standingOf(entry, strict),
  verdict: entry.verdict,
  // Rule of three, 95 %: the failure rate that the cases of a kept obligation cannot rule out.
  upperBound: entry.verdict.kind === 'kept' ? upperBound(entry.verdict.cases) : null,
})

const findingOf = ({ type: _type, ...finding }: Finding) => finding
