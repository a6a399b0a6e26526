import { errorCodes, type Operation, responseFor } from '../../spec/index.ts'
import { buildResponse } from '../engine/build-response.ts'
import { withChallenge } from '../engine/challenge.ts'
import type { Engine } from '../engine/engine.ts'
import type { Reason } from '../engine/error-body.ts'
import type { MaybePromise } from '../engine/maybe-promise.ts'
import { type MockResponse, noBody } from '../engine/mock-response.ts'
import { failWith, reject } from '../engine/reject.ts'
import type { JudgedRequest } from '../engine/request.ts'
import { accept } from '../engine/respond.ts'
import { exampleOf } from './example.ts'
import { failBy } from './fail.ts'
import type { Scenario } from './scenario.ts'

/** Whether a scenario chooses the response to every request. */
export const isChosen = ({ status, code, message, example, limit, duplicates }: Scenario): boolean =>
  status !== undefined ||
  example !== undefined ||
  ((code !== undefined || message !== undefined) && limit === undefined && duplicates !== 'reject')

/** The reason for a failure, with the code and the message of the scenario if it has any. */
export const reasonOf = ({ code, message }: Scenario, otherwise: Reason): Reason => ({
  code: code ?? otherwise.code,
  messages: message === undefined ? otherwise.messages : [message],
})

const chosen: Reason = { code: errorCodes.chosen, messages: ['a scenario chose this failure'] }

/** The failure that a scenario chooses, or that its limit or its duplicates cause. */
export const failureOf = (
  engine: Engine,
  operation: Operation,
  scenario: Scenario,
): MaybePromise<MockResponse> => {
  const reason = reasonOf(scenario, chosen)
  const { status, limit, duplicates, undeclared = false } = scenario
  if (status !== undefined) return failWith(engine, operation, status, reason)
  if (limit !== undefined) return failBy(engine, operation, 429, reason, undeclared)
  if (duplicates === 'reject') return failBy(engine, operation, 409, reason, undeclared)
  return reject(engine, operation, 'body', reason)
}

/** The response that a scenario chooses. */
export const chosenResponse = async (
  engine: Engine,
  judged: JudgedRequest,
  scenario: Scenario,
): Promise<MockResponse> => {
  const { contract } = engine
  const { operation, violations } = judged
  const { status } = scenario
  const example = scenario.example === undefined ? null : exampleOf(contract, operation, scenario)
  if (example !== null) {
    const { declared, value } = example
    return buildResponse(engine, operation, { declared, status: status ?? 200, known: () => value })
  }
  if (status === undefined || status >= 400) {
    const violation = violations.find(({ part }) => part === 'credentials') ?? null
    const failure = await failureOf(engine, operation, scenario)
    return withChallenge(failure, operation, violation, contract.title)
  }
  const accepted = await accept(engine, judged)
  const declared = responseFor(operation, status)
  if (declared !== null && declared !== responseFor(operation, accepted.status))
    return buildResponse(engine, operation, { declared, status })
  return status === 204 || status === 304 ? { status, headers: [], body: noBody } : { ...accepted, status }
}
