import type { Ledger, RecordedOperation, RecordedOutcome } from '../spec/index.ts'

/** What an operation answered in the exchanges that are written down, and how fast. */
export type Answered = {
  readonly operation: RecordedOperation
  readonly exchanges: number
  /** Status codes, or why there was no answer, with how often each came; ascending, failures last. */
  readonly statuses: readonly (readonly [status: string, count: number])[]
  /** Times of whole answers in milliseconds, ascending. */
  readonly times: readonly number[]
}

/** The answers of each operation, in the order of the contract; operations that were not asked are left out. */
export const answered = ({ start, exchanges }: Ledger): readonly Answered[] => {
  const operations = new Map(start.obligations.map(({ id, operation }) => [id, operation]))
  const own = Map.groupBy(exchanges, ({ obligation }) => operations.get(obligation))
  return start.operations.flatMap(operation => {
    const outcomes = (own.get(operation.id) ?? []).map(({ outcome }) => outcome)
    if (outcomes.length === 0) return []
    const counts = Map.groupBy(outcomes, statusOf)
    return [
      {
        operation,
        exchanges: outcomes.length,
        statuses: [...counts]
          .map(([status, those]) => [status, those.length] as const)
          .sort(([left], [right]) => (left < right ? -1 : 1)),
        times: outcomes
          .flatMap(outcome => (outcome.kind === 'answer' ? [outcome.ms] : []))
          .sort((left, right) => left - right),
      },
    ]
  })
}

const statusOf = (outcome: RecordedOutcome): string =>
  outcome.kind === 'answer' ? String(outcome.status) : outcome.failure

/** The time that this share of the answers took at most; null where there are none. Nearest rank. */
export const quantile = (times: readonly number[], share: number): number | null =>
  times[Math.max(0, Math.ceil(times.length * share) - 1)] ?? null
