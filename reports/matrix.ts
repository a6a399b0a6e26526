import type { RecordedOperation } from '../spec/index.ts'
import { casesOf, type Entry, type Family, families, type Ledger } from '../spec/index.ts'
import { type Counts, count, isStrict } from './count.ts'

export type Cell = { readonly family: Family; readonly counts: Counts; readonly cases: number }

/** One operation, with a cell for each family of which it has obligations. */
export type Row = {
  readonly operation: RecordedOperation
  readonly cells: readonly Cell[]
  readonly counts: Counts
  readonly cases: number
}

/** The obligations as a table of operations and families, in the order of the contract. */
export const matrix = (ledger: Ledger): readonly Row[] => {
  const strict = isStrict(ledger)
  const byOperation = Map.groupBy(ledger.entries, ({ obligation }) => obligation.operation)
  const declared = new Map(ledger.start.operations.map(operation => [operation.id, operation]))
  for (const id of byOperation.keys())
    if (!declared.has(id)) declared.set(id, { id, method: '', path: '', summary: '' })
  return [...declared.values()].map(operation => {
    const entries = byOperation.get(operation.id) ?? []
    const byFamily = Map.groupBy(entries, ({ obligation }) => obligation.family)
    const cells = families.flatMap(family => {
      const members = byFamily.get(family)
      return members === undefined
        ? []
        : [{ family, counts: count(members, strict), cases: casesIn(members) }]
    })
    return { operation, cells, counts: count(entries, strict), cases: casesIn(entries) }
  })
}

/** Cases behind these verdicts. */
const casesIn = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { verdict }) => sum + casesOf(verdict), 0)
