import type { Ledger, RecordedOperation, RecordedOutcome } from '../../spec/index.ts'

/** How an operation responded in the recorded exchanges, and how fast. */
export type ResponseTimes = {
  readonly operation: RecordedOperation
  readonly exchanges: number
  /** Status codes, or why there was no response, with how often each came; ascending, failures last. */
  readonly statuses: readonly (readonly [status: string, count: number])[]
  /** Times of whole responses in milliseconds, ascending. */
  readonly times: readonly number[]
}

/** The responses of each operation, in the order of the contract; operations without an exchange are left out. */
export const responseTimes = ({ start, exchanges }: Ledger): readonly ResponseTimes[] => {
  const operations = new Map(start.obligations.map(({ id, operation }) => [id, operation]))
  const byOperation = Map.groupBy(exchanges, ({ obligation }) => operations.get(obligation))
  return start.operations.flatMap(operation => {
    const outcomes = (byOperation.get(operation.id) ?? []).map(({ outcome }) => outcome)
    if (outcomes.length === 0) return []
    const byStatus = Map.groupBy(outcomes, statusOrFailure)
    return [
      {
        operation,
        exchanges: outcomes.length,
        statuses: [...byStatus]
          .map(([status, { length }]) => [status, length] as const)
          .sort(([left], [right]) => (left < right ? -1 : 1)),
        times: timesOf(outcomes),
      },
    ]
  })
}

/** Times of whole responses in milliseconds, ascending. */
export const timesOf = (outcomes: readonly RecordedOutcome[]): readonly number[] =>
  outcomes
    .flatMap(outcome => (outcome.kind === 'response' ? [outcome.ms] : []))
    .sort((left, right) => left - right)

const statusOrFailure = (outcome: RecordedOutcome): string =>
  outcome.kind === 'response' ? String(outcome.status) : outcome.failure

/** The time that this share of the responses took at most (nearest rank); null if there are none. */
export const quantile = (times: readonly number[], share: number): number | null =>
  times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? null
