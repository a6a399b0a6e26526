import {
  type Contract,
  type DeclaredResponse,
  errorCodes,
  type Json,
  jsonMedia,
  namedExamples,
  type Operation,
  responseFor,
  type Validate,
} from '../../spec/index.ts'
import { buildResponse } from '../engine/build-response.ts'
import { type MockResponse, noBody } from '../engine/compiled-response.ts'
import type { Engine } from '../engine/engine.ts'
import type { Reason } from '../engine/error-body.ts'
import type { MaybePromise } from '../engine/maybe-promise.ts'
import { withChallenge } from '../engine/prefer-response.ts'
import { failWith, reject } from '../engine/reject.ts'
import type { JudgedRequest } from '../engine/request.ts'
import { accept } from '../engine/respond.ts'
import { failBy } from './fail.ts'
import type { Scenario } from './registry.ts'

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

/** A named example of the document, and the response that it belongs to. */
export type Example = {
  readonly declared: DeclaredResponse
  readonly value: Json
  readonly validate: Validate | null
}

/** The example that a scenario names: of its status, else of any, successes first. Null: there is none of this name. */
export const exampleOf = (
  contract: Contract,
  operation: Operation,
  { status, example }: Scenario,
): Example | null => {
  for (const declared of responsesOf(operation, status)) {
    const media = jsonMedia(declared.media) ?? declared.media[0]
    const value = examplesIn(contract, declared).get(example ?? '')
    if (media === undefined || value === undefined) continue
    const validate = media.schema === null ? null : contract.responses.schemas.validator(media.schema)
    return { declared, value, validate }
  }
  return null
}

/** The names of the examples that a scenario of this status can have. */
export const namesOfExamples = (
  contract: Contract,
  operation: Operation,
  status: number | undefined,
): readonly string[] => [
  ...new Set(responsesOf(operation, status).flatMap(declared => [...examplesIn(contract, declared).keys()])),
]

const responsesOf = (operation: Operation, status: number | undefined): readonly DeclaredResponse[] => {
  if (status === undefined)
    return operation.responses.toSorted((left, right) => left.status.localeCompare(right.status))
  const declared = responseFor(operation, status)
  return declared === null ? [] : [declared]
}

const examplesIn = (contract: Contract, { media }: DeclaredResponse): ReadonlyMap<string, Json> => {
  const at = (jsonMedia(media) ?? media[0])?.pointer
  const named = at === undefined ? [] : namedExamples(contract.document, at)
  return new Map(
    named.flatMap(({ name, pointer }) => {
      const value = contract.exact(pointer)
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}
