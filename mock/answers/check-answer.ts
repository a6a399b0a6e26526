import type { Json, Operation } from '../../spec/index.ts'
import type { Engine } from '../engine/engine.ts'
import {
  answerStatus,
  answerViolation,
  composeAnswer,
  headerBreachOf,
  linesOf,
  unsendable,
} from './compose.ts'
import type { AnswerParts } from './when.ts'

/** What is wrong with the body and the headers of an answer, one line each. */
export const answerProblems = async (
  engine: Engine,
  operation: Operation,
  parts: AnswerParts,
): Promise<readonly string[]> => {
  const { body, headers, undeclared } = parts
  if (body === undefined && headers === undefined) return []
  const status = answerStatus(engine, operation, parts.status)
  if (status === null) return ['status must be set: the operation declares no success']
  const problem = unsendable(status, body !== undefined)
  if (problem !== null) return [problem]
  if (undeclared === true) return []
  const lines = linesOf(headers)
  const answer = { status, headers: lines, body: typeof body === 'function' ? undefined : (body as Json) }
  if (typeof body === 'function' && lines.length === 0) return []
  const response = await composeAnswer(engine, operation, answer, null)
  const names = new Set(lines.map(([name]) => name.toLowerCase()))
  const breach =
    body === undefined || typeof body === 'function'
      ? headerBreachOf(engine, operation, response, names)
      : answerViolation(engine, operation, response)
  return breach === null ? [] : [breach]
}
