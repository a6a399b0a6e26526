import type { Entry, Ledger, RecordedClause } from '../../spec/index.ts'
import { countStatuses, isStrict, type StatusCounts } from './status.ts'

/** A clause of the interface document with the obligations that cover it and their verdicts. */
export type TraceRow = {
  readonly clause: RecordedClause
  readonly entries: readonly Entry[]
  readonly counts: StatusCounts
}

/** Every clause in the order of its document; none if the ledger records no clauses. */
export const traceRows = (ledger: Ledger): readonly TraceRow[] => {
  const strict = isStrict(ledger)
  const byId = new Map(ledger.entries.map(entry => [entry.obligation.id, entry]))
  return (ledger.start.clauses ?? []).map(clause => {
    const entries = clause.obligations.flatMap(id => byId.get(id) ?? [])
    return { clause, entries, counts: countStatuses(entries, strict) }
  })
}
