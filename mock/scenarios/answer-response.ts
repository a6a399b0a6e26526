import {
  errorCodes,
  header,
  isJsonMedia,
  type Json,
  jsonCopy,
  mediaType,
  readJson,
  writeJson,
} from '../../spec/index.ts'
import { answerStatus, composeAnswer } from '../answers/compose.ts'
import { linesOf } from '../answers/headers.ts'
import { answerViolation, unsendable } from '../answers/problems.ts'
import { answerRequest } from '../answers/request.ts'
import { failWith } from '../engine/reject.ts'
import { bytesOf } from '../engine/write-response.ts'
import { mergePatch } from '../resources/merge-patch.ts'
import type { ActiveScenario } from './registry.ts'
import type { ScenarioRequest, ScenarioResponse } from './scenario-request.ts'

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
