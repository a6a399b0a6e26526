import { type ObligationId, type Outcome, statusOf } from '../../spec/index.ts'
import { conditionsOf } from '../cases/conditions/conditions.ts'
import { isTellingWithoutAccess, recordAnswer } from '../judge/blocked.ts'
import { judgeCase, violationsIn } from '../judge/judge-case.ts'
import { recordConnection, recordOutcome } from '../judge/record-outcome.ts'
import { recordTime } from '../judge/response-times.ts'
import { addIncident, addPairs, type RunStats, withShortBody } from '../judge/run-stats.ts'
import type { Preflight } from '../reach/preflight.ts'
import { needsResponse, type Sent } from '../send/lost-connections.ts'
import { isThrottled } from '../send/patient-send.ts'
import type { OperationSession, RunSession } from '../session/session.ts'

/** Judges the outcome of a case and adds it to the stats. Gives the ids of the selected obligations that it violates. */
export const recordCase = (
  { options, scope }: RunSession,
  { model, responses }: OperationSession,
  { testCase, outcome, lost, missing }: Sent,
  stats: RunStats,
): readonly ObligationId[] => {
  if (isThrottled(outcome) || missing !== undefined) return []
  const { connection } = responses
  if (connection !== null && needsResponse(testCase) && scope.isSelected(connection.id))
    recordConnection(stats, connection, lost)
  const all = violationsIn(judgeCase(model, testCase, outcome, options))
  const violations = all.filter(({ id }) => scope.isSelected(id))
  recordOutcome(stats, model, responses, testCase, outcome, violations)
  recordAnswer(stats, { testCase, outcome })
  if (all.length === 0) recordTime(model, responses, testCase, outcome, stats)
  if (testCase.expectation === 'accept') {
    const { id } = model.operation
    const { pairs, pairsOf } = conditionsOf(model)
    // When a run has covered all pairs, further cases add none.
    if (stats.pairs.get(id)?.size !== pairs) addPairs(stats, id, pairsOf(testCase))
  }
  return violations.map(({ id }) => id)
}

/** After so many cases in a row that show nothing, an operation whose credentials are missing gets no more. */
const mostIdle = 60

/** Operations whose credentials are missing: they are asked all the same, as they may crash. */
export type ClosedCases = {
  /** Whether more cases would show nothing. */
  readonly isIdle: (operation: string) => boolean
  /**
   * As `recordCase`, but nothing counts as tested, and only what shows something by itself is added, such as a crash. Null if the operation is
   * none of these.
   */
  readonly record: (operation: OperationSession, sent: Sent) => readonly ObligationId[] | null
}

export const createClosedCases = (
  { options, scope }: RunSession,
  { closed, unnamed }: Pick<Preflight, 'closed' | 'unnamed'>,
  stats: RunStats,
): ClosedCases => {
  /** How many cases in a row showed nothing. */
  const idle = new Map<string, number>()
  const isTokenRejected = [...closed.values()].some(({ usual }) => usual !== null && statusOf(usual) === 401)
  /** What an operation answers without access; null if it lets this token in, as far as is known. One without known names was not asked before. */
  const usualOf = (id: string, outcome: Outcome): Outcome | null =>
    closed.get(id)?.usual ??
    (isTokenRejected && unnamed.has(id) && statusOf(outcome) === 401 ? outcome : null)
  return {
    isIdle: operation => {
      return closed.get(operation)?.usual === null || (idle.get(operation) ?? 0) >= mostIdle
    },
    record: ({ model }, { testCase, outcome }) => {
      const { id } = model.operation
      const usual = usualOf(id, outcome)
      if (usual === null) return null
      const kept = withShortBody(outcome)
      const telling = violationsIn(judgeCase(model, testCase, outcome, options))
        .filter(violation => scope.isSelected(violation.id))
        .map(violation => ({ testCase, outcome: kept, violation }))
        .filter(incident => isTellingWithoutAccess(incident, usual))
      for (const incident of telling) addIncident(stats, incident)
      idle.set(id, telling.length > 0 ? 0 : (idle.get(id) ?? 0) + 1)
      return telling.map(({ violation }) => violation.id)
    },
  }
}
