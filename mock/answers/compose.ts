import {
  type DeclaredResponse,
  type Headers,
  header,
  isJsonMedia,
  type Json,
  mediaFor,
  mediaType,
  responseFor,
  writeJson,
} from '../../spec/index.ts'
import { buildResponse } from '../engine/build-response.ts'
import { withChallenge } from '../engine/challenge.ts'
import { statusOf } from '../engine/compiled-response.ts'
import { compiledOperation, compiledResponse, type Engine, fitOf } from '../engine/engine.ts'
import { askedOf, fittedHeaders } from '../engine/fit.ts'
import { type MockResponse, noBody } from '../engine/mock-response.ts'
import type { JudgedRequest } from '../engine/request.ts'
import { bytesOf, writeResponse } from '../engine/write-response.ts'
import { perObject } from '../per-object.ts'
import { withHeaders } from './headers.ts'

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
