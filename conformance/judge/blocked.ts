/** Operations that accepted no valid request: what else they show. */
import { type Finding, isUndeclaredStatus, type Obligation, type Outcome } from '../../spec/index.ts'
import { hasPassed, type Incident, type RunStats } from './run-stats.ts'

/** The operations that accepted no valid request of the plan either. */
export const stillBlocked = (
  blocked: ReadonlyMap<string, Finding>,
  obligationsOf: (operation: string) => readonly Obligation[],
  stats: RunStats,
): ReadonlyMap<string, Finding> =>
  new Map(
    [...blocked].filter(
      ([operation]) =>
        !obligationsOf(operation).some(({ id, family }) => family === 'accept' && hasPassed(stats, id)),
    ),
  )

/**
 * The stats with those incidents of a blocked operation that show something by themselves: crashes, hangs, wrong bodies, and what was
 * accepted although it is invalid. That a request was rejected, or answered as valid requests are, the finding of the operation says.
 */
export const ofBlocked = (
  stats: RunStats,
  obligations: readonly Obligation[],
  { outcome }: Finding,
): RunStats => {
  const usual = outcome.kind === 'response' ? outcome.status : outcome.failure
  const isTelling = ({ testCase, outcome: seen, violation }: Incident): boolean => {
    const answer = answerOf(seen)
    if (answer === usual && (violation.title === undefined || isUndeclaredStatus(violation))) return false
    if (seen.kind === 'failure' || seen.response.status >= 500) return answer !== usual
    if (violation.subject.kind === 'response') return true
    return testCase.expectation === 'reject' && seen.response.status < 300
  }
  const kept = new Map(stats.obligations)
  for (const { id } of obligations) {
    const known = kept.get(id)
    if (known !== undefined) kept.set(id, { ...known, incidents: known.incidents.filter(isTelling) })
  }
  return { ...stats, obligations: kept }
}

const answerOf = (outcome: Outcome): number | string =>
  outcome.kind === 'response' ? outcome.response.status : outcome.failure
