import {
  type DeclaredResponse,
  type Headers,
  header,
  headerIn,
  isJsonMedia,
  type Json,
  mediaFor,
  mediaType,
  type ResponseViolation,
  responseFor,
  writeJson,
} from '../../spec/index.ts'
import { buildResponse } from '../engine/build-response.ts'
import {
  bytesOf,
  isBodiless,
  type MockResponse,
  noBody,
  statusOf,
  writeResponse,
} from '../engine/compiled-response.ts'
import { compiledOperation, compiledResponse, type Engine, fitOf } from '../engine/engine.ts'
import { withChallenge } from '../engine/prefer-response.ts'
import { askedOf, fittedHeaders, type JudgedRequest } from '../engine/request.ts'
import { perObject } from '../memo.ts'
import { isFieldValue } from '../values/repaired.ts'

/** Headers as users write them; a list gives several lines of one name. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>

/** Those that say how the body is sent; the mock writes them itself. */
const own = new Set(['content-length', 'transfer-encoding', 'connection', 'trailer', 'upgrade'])

const isName = (text: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text)

/** What is wrong with a value as headers, one line each. */
export const checkHeaders = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return ['headers must be an object of texts by name']
  return Object.entries(value as Readonly<Record<string, unknown>>).flatMap(([name, text]) => {
    if (!isName(name)) return [`headers: ${JSON.stringify(name)} is no name of a header`]
    if (own.has(name.toLowerCase())) return [`headers: the mock writes ${name} itself`]
    const texts = Array.isArray(text) ? text : [text]
    return texts.length > 0 && texts.every(each => typeof each === 'string' && isFieldValue(each))
      ? []
      : [`headers: ${name} must be a text without control characters and characters beyond U+00FF`]
  })
}

export const linesOf = (headers: AnswerHeaders | undefined): Headers =>
  Object.entries(headers ?? {}).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map(text => [name, text] as const),
  )

/** The response with these headers in the place of its own of the same names. */
export const withHeaders = (response: MockResponse, headers: Headers): MockResponse => {
  if (headers.length === 0) return response
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  const kept = response.headers.filter(([name]) => !names.has(name.toLowerCase()))
  return { ...response, headers: [...kept, ...headers] }
}

/** An answer of the user's own. */
export type Answer = {
  /** Absent: that of the declared success. */
  readonly status: number | undefined
  readonly headers: Headers
  /** Undefined: there is none. */
  readonly body: Json | undefined
}

type Operation = JudgedRequest['operation']

/** The status of an answer; null: it names none, and the operation declares no success. */
export const answerStatus = (
  engine: Engine,
  operation: Operation,
  status: number | undefined,
): number | null => {
  if (status !== undefined) return status
  const { success } = compiledOperation(engine, operation)
  return success === null ? null : statusOf(success, 200)
}

/**
 * The response that has this body, and no other. Declared headers that the answer does not give are made up as usual.
 * `judged`: the request that they fit; null: there is none yet.
 */
export const composeAnswer = async (
  engine: Engine,
  operation: Operation,
  { status: chosen, headers, body }: Answer,
  judged: JudgedRequest | null,
): Promise<MockResponse> => {
  const status = answerStatus(engine, operation, chosen) ?? 200
  const type = header(headers, 'content-type')
  const all = responseFor(operation, status)
  const declared = all === null ? null : withMedia(all, type)
  const isText = type !== null && !isJsonMedia(mediaType(type) ?? '') && typeof body === 'string'
  const isUndeclared = declared === null || declared.media.length === 0
  if (isUndeclared && body !== undefined) {
    const made: Headers = [['Content-Type', 'application/json']]
    const bytes = bytesOf(isText ? body : writeJson(body))
    return challenged(engine, operation, withHeaders({ status, headers: made, body: bytes }, headers))
  }
  if (declared === null)
    return challenged(engine, operation, withHeaders({ status, headers: [], body: noBody }, headers))
  const compiled = compiledOperation(engine, operation)
  const fit = judged !== null && status < 300 && all !== null ? fitOf(engine, compiled, all) : null
  const given = new Set(headers.map(([name]) => name.toLowerCase()))
  const usual = declared.headers.every(({ name }) => given.has(name.toLowerCase()))
    ? []
    : (await buildResponse(engine, operation, { declared, status, request: judged?.request ?? null })).headers
  const others = usual.filter(([name]) => name.toLowerCase() !== 'content-type')
  const fitted = fittedHeaders(
    fit === null || judged === null ? null : { fit, asked: askedOf(judged) },
    others,
    body,
  )
  const written = writeResponse(compiledResponse(engine, compiled, declared), status, fitted, body)
  const response = isText ? { ...written, body: bytesOf(body) } : written
  return challenged(engine, operation, withHeaders(response, headers))
}

const challenged = (engine: Engine, operation: Operation, response: MockResponse): MockResponse =>
  header(response.headers, 'www-authenticate') === null
    ? withChallenge(response, operation, null, engine.contract.title)
    : response

// What is compiled for a response is found by its object.
const narrowed = perObject((_declared: DeclaredResponse) => new Map<string, DeclaredResponse>())

/** The declared response with the media types that take this one; the whole one if none does, or none is asked for. */
const withMedia = (declared: DeclaredResponse, type: string | null): DeclaredResponse => {
  const wanted = mediaType(type)
  if (wanted === null || declared.media.length < 2) return declared
  const known = narrowed(declared)
  const media = mediaFor(declared.media, type)
  const key = JSON.stringify(media.map(each => [each.pointer, each.type]))
  const found = known.get(key) ?? (media.length === 0 ? declared : { ...declared, media })
  known.set(key, found)
  return found
}

const maxShown = 5

/** How an answer breaks the contract, in one line with the place and the way out; null: it does not. */
export const answerViolation = (
  engine: Engine,
  operation: JudgedRequest['operation'],
  response: MockResponse,
): string | null => {
  const { status, body } = response
  const declared = responseFor(operation, status)
  const extra = body.length > 0 && declared?.media.length === 0
  const violations = compiledOperation(engine, operation).judgeResponse(response, undefined)
  const found = [
    ...(extra ? ['the contract declares no body'] : []),
    ...new Set(violations.map(violationText)),
  ]
  if (found.length === 0) return null
  const more = found.length > maxShown ? `; and ${found.length - maxShown} more` : ''
  return `the answer ${status} breaks the contract: ${found.slice(0, maxShown).join('; ')}${more}; change it, or add undeclared: true to break the contract on purpose`
}

/** How headers break the contract of a response, whatever its body; null: they do not. */
export const headerBreachOf = (
  engine: Engine,
  operation: JudgedRequest['operation'],
  response: MockResponse,
  names: ReadonlySet<string>,
): string | null => {
  const [found] = compiledOperation(engine, operation)
    .judgeResponse(response, undefined)
    .filter(({ subject }) => names.has(headerIn(subject) ?? ''))
  return found === undefined
    ? null
    : `headers break the contract of ${response.status}: ${violationText(found)}; change them, or add undeclared: true to break the contract on purpose`
}

/** Null: the answer can be sent as it is. */
export const unsendable = (status: number, hasBody: boolean): string | null =>
  hasBody && isBodiless(status) ? `a ${status} response cannot have a body` : null

const violationText = ({ subject, expected, actual, kind }: ResponseViolation): string => {
  switch (subject.kind === 'response' ? subject.aspect : null) {
    case 'declared':
      return `the status is not declared (${expected.replace(/^[^:]*: /, 'declared: ')})`
    case 'schema':
      return / is (?:missing|not declared)$/.test(expected) ? expected : `${expected}, not ${actual}`
    case 'json':
      return actual
    case 'header':
      return kind === 'absent' ? `${expected} is missing` : `${expected}, not ${actual}`
    default:
      return `it must have ${expected}, not ${actual}`
  }
}
