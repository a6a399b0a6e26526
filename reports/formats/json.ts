import { cut, type Entry, type Finding, type Ledger } from '../../spec/index.ts'
import { jsonParts } from '../text/json-parts.ts'
import { repeatCommand } from '../view/commands.ts'
import { conclusions, headline } from '../view/conclusion.ts'
import { matrix } from '../view/matrix.ts'
import { orderedCauses } from '../view/ordered-causes.ts'
import { sayMost, statusOf } from '../view/status.ts'
import { type Summary, summarise } from '../view/summary.ts'
import schema from './report.schema.json' with { type: 'json' }

/** The JSON Schema (2020-12) of `report.json`; it refers to `ledgerSchema`. */
export const reportSchema: object = schema

/** The findings and verdicts of a run as one JSON object, described by `reportSchema`; exchanges stay in the ledger. */
export function* json(ledger: Ledger): Generator<string> {
  yield* jsonParts(reportOf(ledger), 2, true)
  yield '\n'
}

const reportOf = (ledger: Ledger) => {
  const { start, end } = ledger
  const summary = summarise(ledger)
  const findings = findingsOf(ledger, summary)
  const shown = sayMost(ledger, roomOfObligations, entry => sizeOf(obligationOf(entry, summary.strict)))
  const entries = ledger.entries.filter(({ obligation }) => shown.has(obligation.id))
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
      identities: start.identities.map(range => ({ ...range, also: range.also.map(cut) })),
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
    findings,
    causes: orderedCauses(summary).map(({ cause: { title, findings, operations }, status }) => ({
      title,
      status,
      operations,
      findings: findings.map(({ id, obligation }) => ({ id, obligation })),
    })),
    obligations: obligationsOf(entries, summary.strict),
    omitted: {
      obligations: ledger.entries.length - entries.length,
      findings: ledger.findings.length - findings.length,
    },
    notes: ledger.notes,
  }
}

/** Characters that the findings and the obligations of a large contract may take: the ledger has all of them. */
const [roomOfFindings, roomOfObligations] = [390_000, 900_000]

const sizeOf = (value: object): number => JSON.stringify(value).length

/** The first of each cause before the others, as many as there is room for, in the order of the ledger. */
const findingsOf = (ledger: Ledger, summary: Summary): readonly Finding[] => {
  const causes = orderedCauses(summary).map(({ cause }) => cause.findings)
  const chosen = new Set<Finding>()
  let left = roomOfFindings
  for (const finding of [...causes.map(([first]) => first), ...causes.flatMap(([, ...others]) => others)]) {
    left -= sizeOf(finding)
    if (left < 0) continue
    chosen.add(finding)
  }
  return ledger.findings.filter(finding => chosen.has(finding))
}

function* obligationsOf(entries: readonly Entry[], strict: boolean) {
  for (const entry of entries) yield obligationOf(entry, strict)
}

const obligationOf = ({ obligation, verdict }: Entry, strict: boolean) => ({
  ...obligation,
  status: statusOf({ obligation, verdict }, strict),
  verdict,
})
