import { isSuccess, type Obligation, type Outcome, type TimeMeasure } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import type { ResponseObligations } from './record-outcome.ts'
import { type RunStats, slowerOf, statsOf, withShortBody } from './run-stats.ts'

/** Of the responses of an operation, how many took how long: by tenths of a millisecond, so that memory stays flat. */
export type TimeCounts = ReadonlyMap<number, number>

const tenthsPerMs = 10

/** Adds the time of a conforming response to a valid request, if this run has a limit for it. */
export const recordTime = (
  { operation }: OperationModel,
  { times }: ResponseObligations,
  testCase: TestCase,
  outcome: Outcome,
  stats: RunStats,
): void => {
  const { expectation, request, spec } = testCase
  if (times.length === 0 || outcome.kind === 'failure' || expectation !== 'accept') return
  // Raw bytes are sent with pauses.
  const isOrdinary =
    request.raw === undefined && spec.method === operation.method && spec.path === operation.path
  if (!isOrdinary || !isSuccess(operation, outcome.response.status)) return
  const counts = stats.times.get(operation.id) ?? new Map<number, number>()
  const tenths = Math.round(outcome.ms * tenthsPerMs)
  counts.set(tenths, (counts.get(tenths) ?? 0) + 1)
  stats.times.set(operation.id, counts)
  for (const id of times) statsOf(stats, id).cases += 1
  const slowest = slowerOf(stats.slowest.get(operation.id), { testCase, outcome })
  if (slowest.testCase === testCase)
    stats.slowest.set(operation.id, { testCase, outcome: withShortBody(outcome) })
}

const shareOf = (measure: TimeMeasure): number => (measure === 'max' ? 1 : Number(measure.slice(1)) / 100)

/** The milliseconds of a measure (nearest rank); null without a response. */
export const measured = (measure: TimeMeasure, counts: TimeCounts): number | null => {
  const sorted = [...counts].sort(([left], [right]) => left - right)
  let left = Math.max(1, Math.ceil(totalOf(counts) * shareOf(measure)))
  for (const [tenths, count] of sorted) {
    left -= count
    if (left <= 0) return tenths / tenthsPerMs
  }
  return null
}

export const totalOf = (counts: TimeCounts): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)

/** How many responses took longer. */
export const slowerThan = (ms: number, counts: TimeCounts): number =>
  totalOf(new Map([...counts].filter(([tenths]) => tenths > ms * tenthsPerMs)))

/** With fewer responses a measure depends on one or two of them. */
const leastResponses = 20

/** Why so many responses do not show a measure; null if they do. */
export const tooFewFor = ({ subject }: Obligation, cases: number): string | null => {
  if (subject.kind !== 'response-time') return null
  const { measure } = subject
  const least =
    measure === 'max'
      ? leastResponses
      : Math.max(leastResponses, Math.ceil(2 / (1 - shareOf(measure)) - 1e-9))
  return cases >= least
    ? null
    : `${cases} ${cases === 1 ? 'response was' : 'responses were'} measured, and ${measure} needs ${least}: raise --cases`
}
