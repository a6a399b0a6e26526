import type { Entry, Ledger } from '../../spec/index.ts'
import { jsonParts } from '../text/json-parts.ts'
import { repeatCommand } from '../view/commands.ts'
import { conclusions, headline } from '../view/conclusion.ts'
import { matrix } from '../view/matrix.ts'
import { orderedCauses } from '../view/ordered-causes.ts'
import { statusOf } from '../view/status.ts'
import { summarise } from '../view/summary.ts'
import schema from './report.schema.json' with { type: 'json' }

/** The JSON Schema (2020-12) of `report.json`; it refers to `ledgerSchema`. */
export const reportSchema: object = schema

/** The findings and verdicts of a run as one JSON object, described by `reportSchema`; exchanges stay in the ledger. */
export function* json(ledger: Ledger): Generator<string> {
  yield* jsonParts(reportOf(ledger), 2)
  yield '\n'
}

const reportOf = (ledger: Ledger) => {
  const { start, end } = ledger
  const summary = summarise(ledger)
  return {
    format: 'plantstore-report',
    version: 1,
    product: start.product,
    verdict: conclusions[summary.conclusion].label,
    conclusion: summary.conclusion,
    headline: headline(summary),
    strict: summary.strict,
    counts: summary.counts,
    total: summary.total,
    tested: summary.tested,
    score: summary.score,
    must: summary.must,
    should: summary.should,
    cases: summary.cases,
    requests: summary.requests,
    ms: summary.ms,
    pairs: end?.pairs ?? null,
    run: {
      at: start.at,
      target: start.target,
      seed: start.seed,
      testedProduct: start.testedProduct ?? {},
      runBy: start.runBy ?? null,
      nonce: start.nonce ?? null,
      certificates: end?.certificates ?? [],
      budget: start.budget,
      selection: start.selection,
      waivers: start.waivers,
      planned: start.planned,
      policies: start.policies,
      identities: start.identities,
      stopped: end?.stopped ?? 'cut',
      reason: end?.reason ?? null,
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
    findings: ledger.findings,
    causes: orderedCauses(summary).map(({ cause: { title, findings, operations }, status }) => ({
      title,
      status,
      operations,
      findings: findings.map(({ id, obligation }) => ({ id, obligation })),
    })),
    obligations: obligationsOf(ledger.entries, summary.strict),
    notes: ledger.notes,
  }
}

function* obligationsOf(entries: readonly Entry[], strict: boolean) {
  for (const entry of entries) yield obligationOf(entry, strict)
}

const obligationOf = ({ obligation, verdict }: Entry, strict: boolean) => ({
  ...obligation,
  status: statusOf({ obligation, verdict }, strict),
  verdict,
})
