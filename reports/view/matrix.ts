import {
  casesOf,
  type Entry,
  type Family,
  families,
  type Ledger,
  type RecordedOperation,
} from '../../spec/index.ts'
import { countStatuses, isStrict, type StatusCounts } from './status.ts'

/** What the obligations of a family have in common. */
export const familyMeanings: Readonly<Record<Family, string>> = {
  accept: 'valid requests are accepted',
  reject: 'invalid requests are rejected',
  auth: 'credentials are checked',
  response: 'responses are as declared',
  state: 'what is stored is kept',
  ownership: 'what one user creates is kept from another',
  flow: 'workflows succeed',
  idempotency: 'a request with the same key counts once',
  conditional: 'ETags and conditions are heeded',
  callback: 'callbacks come as declared',
  stability: 'the same under load and over time',
  unspecified: 'the contract does not say',
  protocol: 'malformed HTTP is handled safely',
}

/** The obligations of one family of one operation. */
export type MatrixCell = {
  readonly family: Family
  readonly counts: StatusCounts
  readonly cases: number
}

/** One operation, with a cell for each family that has obligations. */
export type MatrixRow = {
  readonly operation: RecordedOperation
  readonly cells: readonly MatrixCell[]
  readonly counts: StatusCounts
  readonly cases: number
}

/** The obligations as a table of operations and families, in the order of the contract. */
export const matrix = (ledger: Ledger): readonly MatrixRow[] => {
  const strict = isStrict(ledger)
  const byOperation = Map.groupBy(ledger.entries, ({ obligation }) => obligation.operation)
  const operations = new Map(ledger.start.operations.map(operation => [operation.id, operation]))
  for (const id of byOperation.keys())
    if (!operations.has(id)) operations.set(id, { id, method: '', path: '', summary: '' })
  return [...operations.values()].map(operation => {
    const entries = byOperation.get(operation.id) ?? []
    const byFamily = Map.groupBy(entries, ({ obligation }) => obligation.family)
    const cells = families.flatMap(family => {
      const members = byFamily.get(family)
      return members === undefined
        ? []
        : [{ family, counts: countStatuses(members, strict), cases: casesIn(members) }]
    })
    return { operation, cells, counts: countStatuses(entries, strict), cases: casesIn(entries) }
  })
}

/** Cases behind these verdicts. */
const casesIn = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { verdict }) => sum + casesOf(verdict), 0)
