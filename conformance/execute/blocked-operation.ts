import {
  curlScript,
  describeResponse,
  type Finding,
  type Outcome,
  recordOutcome,
  recordRequest,
  successText,
} from '../../spec/index.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { recordSteps, stepsBefore } from '../judge/record-chain.ts'
import type { RunOptions } from '../options/run-options.ts'
import type { Sent } from '../send/lost-connections.ts'

/** Bytes of a body that the finding keeps. */
const bodyLimit = 65_536

/** The one finding of an operation that accepts no valid request. `sent`: how many it got. */
export const blockedFinding = (
  { operation }: OperationModel,
  { testCase, outcome }: Sent,
  sent: number,
  { target, secrets }: RunOptions,
): Finding => {
  const { obligation, request } = testCase
  return {
    type: 'finding',
    id: 'first',
    title: 'accepted no valid request',
    obligation: obligation.id,
    level: obligation.level,
    also: [],
    expected: successText(operation),
    actual: outcome.kind === 'response' ? describeResponse(outcome.response) : outcome.detail,
    repeat: 'unrepeated',
    cases: sent,
    expectation: 'accept',
    request: recordRequest(request, bodyLimit),
    outcome: recordOutcome(outcome, secrets, bodyLimit),
    ...recordSteps(testCase, secrets, bodyLimit),
    curl: curlScript(stepsBefore(testCase), request, target.href),
    hint: hintFor(outcome),
  }
}

const hintFor = (outcome: Outcome): string => {
  if (outcome.kind === 'failure')
    return 'The server does not respond to any valid request. Check the URL, and whether the server is healthy.'
  const { status } = outcome.response
  if (status === 404 || status === 405) return 'The server does not find the operation. Check the base URL.'
  if (status >= 500) return 'The server fails on every valid request. Look in its log.'
  return 'The server rejects every valid request. Check whether the server requires more than the contract says.'
}
