import type { Ledger } from '../../spec/index.ts'
import { conclusions } from '../view/conclusion.ts'
import { summarise } from '../view/summary.ts'
import schema from './summary.schema.json' with { type: 'json' }

/** The JSON Schema (2020-12) of a summary line. */
export const summarySchema: object = schema

/** What the command adds to what the ledger says. */
export type SummaryContext = {
  readonly exitCode: number
  /** The path of the ledger, and of each report by its format. */
  readonly ledger: string
  readonly reports: Readonly<Record<string, string>>
}

/** A run as one line of JSON for scripts, described by `summarySchema`. Its numbers are those of `report.json`. */
export const summaryLine = (ledger: Ledger, { exitCode, ledger: file, reports }: SummaryContext): string => {
  const { start } = ledger
  const summary = summarise(ledger)
  const { counts, failing, warning, excused, ms } = summary
  return `${JSON.stringify({
    format: 'plantstore-summary',
    version: 1,
    verdict: conclusions[summary.conclusion].label,
    conclusion: summary.conclusion,
    exitCode,
    score: summary.score,
    must: summary.must,
    should: summary.should,
    strict: summary.strict,
    findings: { failing: failing.length, warning: warning.length, excused: excused.length },
    counts,
    stopped: summary.stopped,
    target: start.target,
    seed: start.seed,
    cases: summary.cases,
    requests: summary.requests,
    seconds: ms === null ? null : Math.round(ms) / 1000,
    ledger: file,
    reports,
  })}\n`
}
