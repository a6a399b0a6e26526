import {
  decodedText,
  type HttpRequest,
  header,
  mediaType,
  type Operation,
  type Outcome,
  redirectPath,
  responseFor,
} from '../../spec/index.ts'
import { isUndeclaredPage } from '../judge/expected-status.ts'

/**
 * What an answer to a request of an operation says of the base URL. `there`: the API is; `missing`: it is not, as with a 404, or the page of a
 * web app; `unclear`: neither, as with a 401 or a 500.
 */
export type Answer = 'there' | 'missing' | 'unclear'

export const answerOf = (operation: Operation, outcome: Outcome): Answer => {
  if (outcome.kind === 'failure') return 'unclear'
  const { response } = outcome
  const { status } = response
  if (status === 404 || status === 405 || isUndeclaredPage(operation, outcome)) return 'missing'
  if (redirectPath(response) !== null && responseFor(operation, status) === null) return 'missing'
  if (status === 401 || status === 403 || status === 407 || status === 429 || status >= 500) return 'unclear'
  return 'there'
}

/** Whether an answer is what the server says to any path: the same status, and the same body but for what it repeats of the request. */
export const isTheSame = (
  one: readonly [HttpRequest, Outcome],
  other: readonly [HttpRequest, Outcome],
): boolean => {
  const [left, right] = [textOf(one), textOf(other)]
  return left !== null && left === right
}

const textOf = ([{ target }, outcome]: readonly [HttpRequest, Outcome]): string | null => {
  if (outcome.kind === 'failure') return null
  const { status, headers, body } = outcome.response
  const path = target.split('?')[0] ?? target
  const text = new TextDecoder().decode(body.subarray(0, longest))
  const repeated = [target, path, decodedText(path), path.slice(1)].filter(part => part.length > 1)
  const plain = repeated.reduce((left, part) => left.replaceAll(part, ''), text).replace(changing, '')
  return `${status} ${mediaType(header(headers, 'content-type'))} ${plain}`
}

const longest = 100_000

/** Times, and identifiers of requests. */
const changing = /\d{4}-\d\d-\d\d[T ][\d:.]+Z?|[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}|\d{10,}/gi
