import type { Outcome, ResponseViolation, Verdict } from '../../spec/index.ts'
import { beyondPlan, type TestCase } from '../cases/case.ts'
import { sliceNameOf } from '../plan/plan-slice.ts'
import { signature } from './observation-text.ts'

/** A case with an outcome that violates an obligation. */
export type Incident = {
  readonly testCase: TestCase
  readonly outcome: Outcome
  readonly violation: ResponseViolation
}

export type ObligationStats = {
  cases: number
  /** Cases that violated it; the first of them are kept as incidents. */
  failed: number
  readonly incidents: Incident[]
}

/** What a run has seen so far. */
export type RunStats = {
  /** By obligation. */
  readonly obligations: Map<string, ObligationStats>
  /**
   * By open question: each observation, and how often it was made; by other obligations of operations that have accepted nothing so far: how
   * requests were rejected (see `answerOf`).
   */
  readonly observations: Map<string, Map<string, number>>
  /** By operation: the pairs of conditions that valid requests had, as `Conditions` numbers them. */
  readonly pairs: Map<string, Set<number>>
  /** By operation: how many conforming responses to valid requests took so many tenths of a millisecond. */
  readonly times: Map<string, Map<number, number>>
  /** By operation: the slowest of them. */
  readonly slowest: Map<string, TimedCase>
}

export type TimedCase = Pick<Incident, 'testCase' | 'outcome'>

export const createRunStats = (): RunStats => ({
  obligations: new Map(),
  observations: new Map(),
  pairs: new Map(),
  times: new Map(),
  slowest: new Map(),
})

export const statsOf = ({ obligations }: RunStats, id: string): ObligationStats => {
  const known = obligations.get(id)
  if (known !== undefined) return known
  const stats: ObligationStats = { cases: 0, failed: 0, incidents: [] }
  obligations.set(id, stats)
  return stats
}

export const incidentsOf = ({ obligations }: RunStats, id: string): readonly Incident[] =>
  obligations.get(id)?.incidents ?? []

/**
 * Of each obligation and slice at most this many incidents are kept, the first of the plan. So memory stays flat on a server that
 * always fails, and a slice that is sent by itself keeps the same incidents as in a whole run.
 */
const keptIncidents = 40

/** Bytes of a response that an incident keeps: what is told of it needs no more. */
const keptBytes = 16_384

/** The outcome with the beginning of a long body. */
export const withShortBody = (outcome: Outcome): Outcome => {
  if (outcome.kind === 'failure' || outcome.response.body.length <= keptBytes) return outcome
  // A copy, as a part would keep the whole in memory.
  const body = Uint8Array.from(outcome.response.body.subarray(0, keptBytes))
  return { ...outcome, response: { ...outcome.response, body } }
}

export const addIncident = (stats: RunStats, incident: Incident): void => {
  const ofObligation = statsOf(stats, incident.violation.id)
  const { incidents } = ofObligation
  ofObligation.failed += 1
  incidents.push(incident)
  const source = sourceOf(incident.testCase)
  const alike = incidents.filter(({ testCase }) => sourceOf(testCase) === source)
  if (alike.length <= keptIncidents) return
  const last = alike.reduce((left, right) => (right.testCase.number >= left.testCase.number ? right : left))
  incidents.splice(incidents.indexOf(last), 1)
}

// A case beyond the plan is sent for another obligation than its own.
const sourceOf = ({ obligation, number }: TestCase): string =>
  number >= beyondPlan ? 'beyond the plan' : sliceNameOf(obligation)

/** Adds the stats of another shard. */
export const addStats = (
  stats: RunStats,
  { obligations, observations, pairs, times, slowest }: RunStats,
): void => {
  for (const [operation, timed] of slowest)
    stats.slowest.set(operation, slowerOf(stats.slowest.get(operation), timed))
  for (const [operation, counts] of times) {
    const known = stats.times.get(operation) ?? new Map<number, number>()
    for (const [tenths, count] of counts) known.set(tenths, (known.get(tenths) ?? 0) + count)
    stats.times.set(operation, known)
  }
  for (const [operation, numbers] of pairs) addPairs(stats, operation, [...numbers])
  for (const [id, { cases, failed, incidents }] of obligations) {
    const ofObligation = statsOf(stats, id)
    ofObligation.cases += cases
    ofObligation.failed += failed
    ofObligation.incidents.push(...incidents)
  }
  for (const [id, counts] of observations)
    for (const [observation, count] of counts) addObservation(stats, id, observation, count)
}

/** The slower of two responses; of equally slow ones the first of the plan. */
export const slowerOf = (known: TimedCase | undefined, other: TimedCase): TimedCase => {
  if (known === undefined || other.outcome.ms > known.outcome.ms) return other
  return other.outcome.ms === known.outcome.ms && other.testCase.number < known.testCase.number
    ? other
    : known
}

/** The same stats with incidents in the order of the plan, whatever order the responses came in. */
export const inPlanOrder = ({ obligations, ...others }: RunStats): RunStats => ({
  ...others,
  obligations: new Map(
    [...obligations].map(([id, stats]) => [
      id,
      stats.incidents.length < 2
        ? stats
        : {
            ...stats,
            incidents: stats.incidents.toSorted(
              (left, right) => left.testCase.number - right.testCase.number,
            ),
          },
    ]),
  ),
})

/** Whether some case showed the obligation met. */
export const hasPassed = ({ obligations }: RunStats, id: string): boolean => {
  const stats = obligations.get(id)
  return stats !== undefined && stats.cases > stats.failed
}

/** Of each open question so many different observations are kept, and the rest is counted: a server may answer each request anew. */
const keptObservations = 100
const otherObservations = 'other answers'

export const addObservation = (stats: RunStats, id: string, observation: string, count = 1): void => {
  const counts = stats.observations.get(id) ?? new Map<string, number>()
  const isKept = counts.has(observation) || counts.size < keptObservations
  const name = isKept ? observation : otherObservations
  counts.set(name, (counts.get(name) ?? 0) + count)
  stats.observations.set(id, counts)
}

export const addPairs = ({ pairs }: RunStats, operation: string, numbers: readonly number[]): void => {
  const known = pairs.get(operation) ?? new Set()
  for (const number of numbers) known.add(number)
  pairs.set(operation, known)
}

export const observationsOf = ({ observations }: RunStats, id: string): readonly string[] => [
  ...(observations.get(id)?.keys() ?? []),
]

export const observedVerdict = ({ observations }: RunStats, id: string): Verdict | null => {
  const counts = observations.get(id)
  if (counts === undefined) return null
  const sorted = [...counts].sort(([left], [right]) => left.localeCompare(right))
  return {
    kind: 'observed',
    cases: sorted.reduce((sum, [, count]) => sum + count, 0),
    observation: sorted
      .map(([observation, count]) => (sorted.length > 1 ? `${observation} (${count})` : observation))
      .join(' · '),
  }
}

/** The signature that all these incidents have; null if they differ. */
export const commonSignature = (incidents: readonly Incident[]): string | null => {
  const signatures = new Set(incidents.map(({ outcome }) => signature(outcome)))
  return signatures.size === 1 ? ([...signatures][0] ?? null) : null
}
