import type { ObligationId } from '../../spec/index.ts'
import { conditionsOf } from '../cases/conditions/conditions.ts'
import { judgeCase, violationsIn } from '../judge/judge-case.ts'
import { recordConnection } from '../judge/record-connection.ts'
import { recordOutcome } from '../judge/record-outcome.ts'
import { recordTime } from '../judge/response-times.ts'
import { addPairs, type RunStats } from '../judge/run-stats.ts'
import { needsResponse, type Sent } from '../send/lost-connections.ts'
import { isThrottled } from '../send/patient-send.ts'
import type { OperationSession, RunSession } from './session.ts'

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
  if (all.length === 0) recordTime(model, responses, testCase, outcome, stats)
  if (testCase.expectation === 'accept') {
    const { id } = model.operation
    const { pairs, pairsOf } = conditionsOf(model)
    // When a run has covered all pairs, further cases add none.
    if (stats.pairs.get(id)?.size !== pairs) addPairs(stats, id, pairsOf(testCase))
  }
  return violations.map(({ id }) => id)
}
