import {
  canonical,
  errorCodes,
  header,
  isJsonMedia,
  isObject,
  type Json,
  jsonCopy,
  mediaType,
  type Operation,
  readJson,
  writeJson,
} from '../../spec/index.ts'
import { answerStatus, answerViolation, composeAnswer, linesOf, unsendable } from '../answers/compose.ts'
import { answerRequest } from '../answers/request.ts'
import { bytesOf, type MockResponse } from '../engine/compiled-response.ts'
import type { Context } from '../engine/context.ts'
import type { Engine } from '../engine/engine.ts'
import { failWith } from '../engine/reject.ts'
import type { JudgedRequest } from '../engine/request.ts'
import { mergePatch } from '../resources/patches.ts'
import { identityNameOf } from '../rules/infer.ts'
import { reasonOf } from './chosen-response.ts'
import { failBy } from './fail.ts'
import type { ActiveScenario, Scenario } from './registry.ts'

/**
 * The response with the body of a scenario. It is judged again, as functions return what they like and documents change:
 * if it breaks the contract, a failure says so.
 */
export const answerResponse = async (
  affected: ScenarioRequest,
  { scenario: { body, status, undeclared } }: ActiveScenario,
): Promise<ScenarioResponse> => {
  const { context, engine, judged, operation, scenario } = affected
  const headers = linesOf(scenario.headers)
  const refuse = (problem: string): Promise<ScenarioResponse> => refused(affected, problem)
  let value: Json | undefined
  try {
    value = typeof body === 'function' ? jsonCopy(await body(answerRequest(context, judged))) : (body as Json)
  } catch (error) {
    return refuse(`the function that answers failed: ${error instanceof Error ? error.message : error}`)
  }
  const problem = unsendable(answerStatus(engine, operation, status) ?? 200, value !== undefined)
  if (problem !== null) return refuse(problem)
  const response = await composeAnswer(engine, operation, { status, headers, body: value }, judged)
  const breach = undeclared === true ? null : answerViolation(engine, operation, response)
  return breach === null ? { response, notes: [`${response.status} answer`] } : refuse(breach)
}

/** The usual response to a valid request with the values of a scenario in its body. A failure says so if that breaks the contract. */
export const patchedResponse = async (
  affected: ScenarioRequest,
  usual: ScenarioResponse,
): Promise<ScenarioResponse> => {
  const { engine, operation, scenario, judged } = affected
  const { patch, undeclared } = scenario
  const { status, headers, body, stream } = usual.response
  if (patch === undefined || judged.violations.length > 0 || stream !== undefined) return usual
  // A failure that nobody has chosen, such as that nothing is found, has another body.
  if (status >= 400 && scenario.status === undefined) return usual
  const reading = isJsonMedia(mediaType(header(headers, 'content-type')) ?? '') ? readJson(body) : null
  if (reading?.ok !== true) return usual
  const patched = bytesOf(writeJson(mergePatch(reading.value, patch as Json, null)))
  const response = { ...usual.response, body: patched }
  const breach = undeclared === true ? null : answerViolation(engine, operation, response)
  return breach === null ? { response, notes: [...usual.notes, 'patched'] } : refused(affected, breach)
}

/** A failure in the place of an answer that must not be sent. */
const refused = async (
  { context, engine, operation }: ScenarioRequest,
  problem: string,
): Promise<ScenarioResponse> => {
  const line = `${operation.id}: ${problem}`
  engine.warn(line)
  context.answerProblem = problem
  const reason = { code: errorCodes.answerWrong, messages: [line] }
  const response = await failWith(engine, operation, 500, reason)
  return { response, notes: ['500, because the answer does not conform to the contract'] }
}

/** The rejection of a valid request whose identity was sent before; null: it is accepted. */
export const duplicate = async ({
  context,
  engine,
  judged,
  operation,
  key,
  active,
  scenario,
}: ScenarioRequest): Promise<ScenarioResponse | null> => {
  const rejecting = active.findLast(each => each.scenario.duplicates === 'reject')
  const name = identityNameOf({ contract: engine.contract, operation })
  if (rejecting === undefined || name === undefined || scenario.duplicates !== 'reject') return null
  const { body, violations } = judged
  if (violations.length > 0 || context.request.tooLarge || !isObject(body) || body[name] === undefined)
    return null
  const identity = canonical(body[name] as Json)
  if (!rejecting.counters.isKnown(key, identity)) return null
  const reason = reasonOf(scenario, {
    code: errorCodes.identityTaken,
    messages: [`/${name} ${identity.slice(0, 100)} is already taken`],
  })
  const response = await failBy(engine, operation, 409, reason, scenario.undeclared === true)
  return { response, notes: [`${response.status} duplicate`] }
}

/** A request that a scenario affects. */
export type ScenarioRequest = {
  readonly context: Context
  readonly engine: Engine
  readonly judged: JudgedRequest
  readonly operation: Operation
  /** The client and the operation: turns, limits and identities are counted for each pair. */
  readonly key: string
  /** The scenarios that are on and whose turn it is. */
  readonly active: readonly ActiveScenario[]
  /** All of these and the client's preferences, as one. */
  readonly scenario: Scenario
}

/** A response, and what the scenario did to it in a few words each. */
export type ScenarioResponse = { readonly response: MockResponse; readonly notes: readonly string[] }
