import {
  type DeclaredResponse,
  errorCodes,
  type Headers,
  type Operation,
  problemType,
  type RequestPart,
  type RequestViolation,
  rejectionStatuses,
  responseFor,
} from '../../spec/index.ts'
import { failureShape, problemDetail } from '../failures/failure-shape.ts'
import type { ResponsePreferences } from '../preferences/prefer.ts'
import { buildResponse } from './build-response.ts'
import { exampleNames, type MockResponse, statusOf } from './compiled-response.ts'
import type { Context } from './context.ts'
import { type Engine, preferablyAcceptable, withVary } from './engine.ts'
import { errorBody, type Reason } from './error-body.ts'
import { chain, type MaybePromise } from './maybe-promise.ts'
import type { JudgedRequest } from './request.ts'

/** The status of a rejection for which the operation declares none. */
const undeclaredStatuses: Readonly<Record<RequestPart, number>> = {
  credentials: 401,
  media: 415,
  body: 400,
  parameter: 400,
}

/**
 * The declared failure that fits best. `context`: of the request that is rejected, if the rest of the response is to
 * follow from it.
 */
export const reject = (
  engine: Engine,
  operation: Operation,
  part: RequestPart,
  reason: Reason,
  context: Context | null = null,
): MaybePromise<MockResponse> => {
  const [declaredStatus] = rejectionStatuses(operation, part)
  const declared = operation.responses.find(({ status }) => status === declaredStatus)
  if (declared === undefined)
    return rejectUndeclared(engine, undeclaredStatuses[part], reason, { operation, context })
  const status = statusOf(declared, undeclaredStatuses[part])
  const request = context?.request ?? null
  const chosen = preferablyAcceptable(engine, declared, request, context?.prefer?.preferences?.example)
  const response = buildResponse(engine, operation, {
    declared: chosen,
    status: undeclaredStatuses[part],
    known: errorBody(reason, status, request?.target ?? null),
    request,
    preferences: preferencesOf(context, status, () => exampleNames(engine.examples, chosen)),
  })
  return withVary(engine, declared, response)
}

/** A failure of this status; if that is not declared, it has the shape of a declared failure. */
export const failWith = async (
  engine: Engine,
  operation: Operation,
  status: number,
  reason: Reason,
): Promise<MockResponse> => {
  const [declaredStatus] = rejectionStatuses(operation, 'body')
  const declared =
    responseFor(operation, status) ?? operation.responses.find(response => response.status === declaredStatus)
  if (declared === undefined) return rejectUndeclared(engine, status, reason, { operation })
  const failure = await buildResponse(engine, operation, {
    declared,
    status,
    sentAs: status,
    known: errorBody(reason, status, null),
  })
  return { ...failure, status }
}

/** The declared 406 for a client that accepts no media type of the response; null: none is declared. */
export const notAcceptable = (
  engine: Engine,
  { operation, request }: JudgedRequest,
  { media }: DeclaredResponse,
): MaybePromise<MockResponse> | null => {
  const declared = operation.responses.find(({ status }) => status === '406')
  if (declared === undefined) return null
  const types = media.map(({ type }) => type).join(', ')
  const reason = {
    code: errorCodes.notAcceptable,
    messages: [`the mock can produce none of the media types in Accept; declared: ${types}`],
  }
  const response = buildResponse(engine, operation, {
    declared: preferablyAcceptable(engine, declared, request),
    status: 406,
    known: errorBody(reason, 406, request.target),
    request,
  })
  return withVary(engine, declared, response)
}

/** A rejection keeps its reason, unless the client prefers an example of this very status (as Prism has it). */
const preferencesOf = (
  context: Context | null,
  status: number,
  names: () => readonly string[],
): ResponsePreferences | null => {
  const preferences = context?.prefer?.preferences ?? null
  if (preferences === null || preferences.example === null) return preferences
  const isNamed = preferences.code === status && names().includes(preferences.example)
  return isNamed ? preferences : { ...preferences, example: null }
}

/** All violations as one reason; for wrong credentials only that one: a stranger learns nothing about the body. */
export const reasonFor = (violations: readonly RequestViolation[]): Reason => {
  const shown = violations[0]?.part === 'credentials' ? violations.slice(0, 1) : violations
  return {
    code: shown[0]?.code ?? errorCodes.otherRule,
    messages: shown.map(({ message }) => message),
    at: shown.map(({ at }) => at),
  }
}

/** The response to a path that is not declared, with what may be meant instead. */
export const notFound = (engine: Engine, message: string): MaybePromise<MockResponse> =>
  rejectUndeclared(engine, 404, { code: errorCodes.pathUndeclared, messages: [message] })

export const methodNotAllowed = (
  engine: Engine,
  method: string,
  allowed: readonly string[],
): MaybePromise<MockResponse> => {
  const allow = allowed.join(', ')
  const messages = [`${method} is not declared here; declared: ${allow}`]
  const headers: Headers = [['Allow', allow]]
  return rejectUndeclared(engine, 405, { code: errorCodes.methodUndeclared, messages }, { headers })
}

type Undeclared = {
  /** Whose failures give the shape, if it declares any. */
  readonly operation?: Operation
  readonly context?: Context | null
  readonly headers?: Headers
}

/** A failure that is not declared, in the shape of the contract's own failures; if it has none, a problem detail. */
export const rejectUndeclared = (
  engine: Engine,
  status: number,
  reason: Reason,
  { operation, context = null, headers = [] }: Undeclared = {},
): MaybePromise<MockResponse> => {
  const shape = failureShape(engine.contract, operation ?? null)
  if (shape === null)
    return {
      status,
      headers: [['Content-Type', problemType], ...headers],
      body: new TextEncoder().encode(JSON.stringify(problemDetail(reason, status))),
    }
  const request = context?.request ?? null
  const failure = buildResponse(engine, shape.operation, {
    declared: preferablyAcceptable(engine, shape.declared, request),
    status,
    sentAs: status,
    known: errorBody(reason, status, request?.target ?? null),
  })
  // Other headers belong to the status that is declared.
  return chain(failure, built => ({
    status,
    headers: [...built.headers.filter(([name]) => name.toLowerCase() === 'content-type'), ...headers],
    body: built.body,
  }))
}
