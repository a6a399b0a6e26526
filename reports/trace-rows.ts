import type { Entry, Ledger, RecordedClause } from '../spec/index.ts'
import { type Counts, count, isStrict } from './count.ts'

/** A clause of what the contract rests on, with the obligations that cover it and what became of each. */
export type TraceRow = {
  readonly clause: RecordedClause
  readonly entries: readonly Entry[]
  readonly counts: Counts
}

/** Every clause in the order of its document; none in a ledger of a version before. */
export const traceRows = (ledger: Ledger): readonly TraceRow[] => {
  const strict = isStrict(ledger)
  const entries = new Map(ledger.entries.map(entry => [entry.obligation.id, entry]))
  return (ledger.start.clauses ?? []).map(clause => {
    const own = clause.obligations.flatMap(id => entries.get(id) ?? [])
    return { clause, entries: own, counts: count(own, strict) }
  })
}
