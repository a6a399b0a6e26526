/** What comes of what earlier requests have changed on the server, and not of the requests themselves. */

import { type Obligation, type Operation, statusOf } from '../../spec/index.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import type { Confirmed } from '../confirm/confirm-incident.ts'
import { signature } from '../judge/observation-text.ts'
import { hasPassed, type Incident, type RunStats } from '../judge/run-stats.ts'
import { answerOf, reasonOf } from '../judge/server-words.ts'
import { isWronglyAccepted } from './not-repeated.ts'

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

/**
 * Why a rejection of a valid request may depend on what is stored, which other requests change; null if it does not. A 409 says so, and an operation
 * that accepts valid requests may answer it to any of them. Another rejection with a reason in words may be one, if the run has changed something
 * by other operations, and either the rejection did not come again or the operation has no values: that nothing is being recorded is no chance.
 * That a status is not declared is another matter.
 */
export const storedReason = (
  { incident, repeat }: Confirmed,
  { family }: Obligation,
  obligations: readonly Obligation[],
  stats: RunStats,
  model: OperationModel,
): string | null => {
  const { testCase, outcome } = incident
  if (testCase.expectation !== 'accept' || outcome.kind === 'failure') return null
  const { status } = outcome.response
  if (!obligations.some(each => each.family === 'accept' && hasPassed(stats, each.id))) return null
  if (status === 409)
    return 'it was answered 409 where other valid requests were accepted, which depends on what is stored'
  // Then all its valid requests are the one that was accepted.
  const isSame = model.parameters.length === 0 && model.body === null
  // What comes by chance shows if nothing else is sent meanwhile.
  const isOther = repeat === 'flaky' && family !== 'stability'
  return (isSame || isOther) &&
    ofState.includes(status) &&
    reasonOf(incident, []) !== '' &&
    hasChanged(model, stats)
    ? 'the same request was accepted at another time, and the server gave a reason for rejecting it: other requests of the run may have changed what it depends on'
    : null
}

/** Whether the run has sent valid requests by other operations that may have changed what is stored. */
const hasChanged = ({ contract, operation }: OperationModel, { pairs }: RunStats): boolean =>
  contract.operations.some(each => each !== operation && changesState(each) && pairs.has(each.id))

/** Statuses with which a server says that it cannot do something now. */
const ofState: readonly number[] = [400, 412, 422, 423]

const changesState = ({ method }: Operation): boolean => !['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method)

/** What comes once an earlier request has had its effect is no chance. */
export const asConflict = (confirmed: Confirmed | null): Confirmed | null =>
  confirmed?.repeat === 'flaky' && signature(confirmed.incident.outcome) === '409'
    ? { ...confirmed, repeat: 'unrepeated' }
    : confirmed

/** Whether a server rejects as a repetition what it has carried out before, although that is invalid. */
export const isRepetition = (
  { incident: { outcome } }: Confirmed,
  incidents: readonly Incident[],
  model: OperationModel,
): boolean => signature(outcome) === '409' && incidents.some(each => isWronglyAccepted(each, model))
