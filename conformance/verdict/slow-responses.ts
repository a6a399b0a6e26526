import { type Finding, type Obligation, violationOf } from '../../spec/index.ts'
import { type FindingOptions, toFinding } from '../diagnose/finding.ts'
import { measured, slowerThan, type TimeCounts, tooFewFor, totalOf } from '../judge/response-times.ts'
import type { RunStats } from '../judge/run-stats.ts'

/** The finding that an operation responds too slowly, with its slowest response; null if it does not, or nothing shows it. */
export const slowResponses = (
  obligations: readonly Obligation[],
  { times, slowest }: RunStats,
  options: FindingOptions,
): Finding | null => {
  const operation = obligations[0]?.operation ?? ''
  const counts = times.get(operation)
  const shown = slowest.get(operation)
  if (counts === undefined || shown === undefined) return null
  const exceeded = obligations.flatMap(obligation => exceededBy(counts, obligation))
  const [first] = exceeded
  if (first === undefined) return null
  const violation = violationOf(first.obligation, {
    title: `responded too slowly: ${first.actual}`,
    expected: exceeded.map(({ expected }) => expected).join(', '),
    actual: `${exceeded.map(({ actual }) => actual).join(', ')} over ${totalOf(counts)} responses`,
  })
  const also = exceeded.slice(1).map(({ obligation }) => obligation.id)
  const confirmed = { incident: { ...shown, violation }, repeat: 'unrepeated', key: '' } as const
  return toFinding(first.obligation, also, confirmed, first.cases, options)
}

const exceededBy = (counts: TimeCounts, obligation: Obligation) => {
  const { subject } = obligation
  if (subject.kind !== 'response-time' || tooFewFor(obligation, totalOf(counts)) !== null) return []
  const { measure, ms } = subject
  const actual = measured(measure, counts)
  if (actual === null || actual <= ms) return []
  return [
    {
      obligation,
      expected: `${measure} ≤ ${ms} ms`,
      actual: `${measure} ${actual} ms`,
      cases: slowerThan(ms, counts),
    },
  ]
}
