import { statusOf } from '../../spec/index.ts'
import type { Incident } from '../judge/run-stats.ts'
import { answerOf } from '../judge/server-words.ts'

export const refusalReason = 'the server stopped accepting valid requests in the middle of the run'

/** How operations that had accepted requests rejected them at the end of the run, in the words of the server: for their token, or as it is out of service. */
export const refusalsIn = (drifted: ReadonlyMap<string, Incident>): ReadonlySet<string> =>
  new Set([...drifted.values()].filter(({ outcome }) => [401, 503].includes(statusOf(outcome))).map(answerOf))

/** Whether a request was rejected in these words, whatever it was: that is told of the operations that had accepted one. */
export const isRefusal = (incident: Incident, refusals: ReadonlySet<string>): boolean => {
  const { expectation } = incident.testCase
  const isTold = expectation === 'accept' || (expectation === 'reject' && statusOf(incident.outcome) === 503)
  return isTold && refusals.has(answerOf(incident))
}
