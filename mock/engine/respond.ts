import {
  define,
  errorCodes,
  header,
  isObject,
  type Json,
  type Operation,
  type RequestViolation,
  type SchemaPlace,
} from '../../spec/index.ts'
import { undeclaredPath } from '../failures/undeclared-path.ts'
import { buildResponse } from './build-response.ts'
import { type MockResponse, noBody, statusOf } from './compiled-response.ts'
import type { Context } from './context.ts'
import {
  acceptable,
  compiledOperation,
  type Engine,
  fitOf,
  preferablyAcceptable,
  withVary,
} from './engine.ts'
import { judge, oversize, routeOf } from './judge.ts'
import { UnmakeableError } from './make-response.ts'
import { chain, type MaybePromise } from './maybe-promise.ts'
import { isBy401, preferredResponse, withChallenge } from './prefer-response.ts'
import {
  failWith,
  methodNotAllowed,
  notAcceptable,
  notFound,
  reasonFor,
  reject,
  rejectUndeclared,
} from './reject.ts'
import { askedOf, clientHeader, type Fit, type JudgedRequest, maxClientLength, pathOf } from './request.ts'

/** Responds to any request as the contract has it; with a reason, where no such response can be made. */
export const respond = (engine: Engine, context: Context): MaybePromise<MockResponse> => {
  const response = respondTo(engine, context)
  return response instanceof Promise
    ? response.catch((error: unknown) => {
        if (!(error instanceof UnmakeableError)) throw error
        engine.warn(error.message)
        return rejectUndeclared(engine, 500, { code: errorCodes.mockFailed, messages: [error.message] })
      })
    : response
}

const respondTo = (engine: Engine, context: Context): MaybePromise<MockResponse> => {
  const { unreadable } = context.request
  if (unreadable !== undefined) {
    const reason = { code: unreadable.code ?? errorCodes.notHttp, messages: [unreadable.message] }
    return rejectUndeclared(engine, unreadable.status, reason)
  }
  const judged = judge(engine, context)
  if (judged === null) return respondUndeclared(engine, context)
  const { operation, violations } = judged
  const [first] = violations
  if (first === undefined) {
    const preferences = context.prefer?.preferences ?? null
    return preferences === null || (preferences.problems.length > 0 && declaresPrefer(operation))
      ? kept(engine, context, judged)
      : preferredResponse(engine, context, judged, preferences, fit => sentIn(judged, fit))
  }
  if (context.request.tooLarge && !violations.some(({ part }) => part === 'credentials'))
    return reject(engine, operation, 'body', reasonFor([oversize(operation)]), context)
  return first.part === 'credentials'
    ? rejectCredentials(engine, operation, first, context)
    : reject(engine, operation, first.part, reasonFor(violations), context)
}

/** Where the document has a header `Prefer` of its own, a preference that the mock cannot read is one of the document's. */
const declaresPrefer = ({ parameters }: Operation): boolean =>
  parameters.some(parameter => parameter.in === 'header' && parameter.name.toLowerCase() === 'prefer')

/** The response to a request whose credentials are not right: by the policy, and with the challenge that a 401 needs. */
export const rejectCredentials = (
  engine: Engine,
  operation: Operation,
  violation: RequestViolation,
  context: Context,
): MaybePromise<MockResponse> =>
  chain(reject(engine, operation, 'credentials', reasonFor([violation]), context), response => {
    const due = isBy401(violation, engine.unauthenticated) ? { ...response, status: 401 } : response
    return withChallenge(due, operation, violation, engine.contract.title)
  })

/** By what is kept, if the response depends on that. */
const kept = (engine: Engine, context: Context, judged: JudgedRequest): MaybePromise<MockResponse> => {
  if (engine.statefulResponder === null) return accept(engine, judged)
  const named = header(context.received.headers, clientHeader)?.slice(0, maxClientLength)
  const client = context.client ?? named ?? ''
  const response = engine.statefulResponder.respond(engine, judged, client)
  return response === null ? accept(engine, judged) : response.then(found => found ?? accept(engine, judged))
}

/** The declared success, whether the request is valid or not. */
export const accept = (engine: Engine, judged: JudgedRequest): MaybePromise<MockResponse> => {
  const { operation, request } = judged
  const compiled = compiledOperation(engine, operation)
  const { success } = compiled
  if (success === null) return withoutSuccess(engine, operation)
  const declared = acceptable(engine, success, request)
  const refusal = declared === null ? notAcceptable(engine, judged, success) : null
  if (refusal !== null) return refusal
  const fit = fitOf(engine, compiled, success)
  const response = buildResponse(engine, operation, {
    declared: declared ?? preferablyAcceptable(engine, success, request),
    status: 200,
    known: sentIn(judged, fit),
    request,
    fittedTo: fit === null ? null : { fit, asked: askedOf(judged) },
  })
  return withVary(engine, success, response)
}

/** Of an operation that declares only failures, the first of these: every response is one of the contract's. */
const withoutSuccess = (engine: Engine, operation: Operation): MaybePromise<MockResponse> => {
  const [first] = operation.responses
  if (first === undefined) return { status: 200, headers: [], body: noBody }
  const status = statusOf(first, 500)
  const message = `the document declares no success of ${operation.id}: this is the first response that it declares`
  return failWith(engine, operation, status, { code: errorCodes.otherRule, messages: [message] })
}

const respondUndeclared = (engine: Engine, context: Context): MaybePromise<MockResponse> => {
  const route = routeOf(engine, context)
  return route.kind === 'no-method'
    ? methodNotAllowed(engine, context.request.method, route.allow)
    : notFound(engine, undeclaredPath(engine.contract, engine.router, pathOf(context.request.target)))
}

/** The properties of a response that the request sent, in its body or as parameters of the same names, or that follow from it. */
export const sentIn = (judged: JudgedRequest, fit: Fit | null): ((root: SchemaPlace) => Json | undefined) => {
  const { body: sent, parameters } = judged
  return root => {
    const body = isObject(sent) ? sent : null
    const echoed: Record<string, Json> = {}
    let isEmpty = body === null
    for (const name of root.properties) {
      const source = body !== null && Object.hasOwn(body, name) ? body : parameters
      if (!Object.hasOwn(source, name)) continue
      define(echoed, name, source[name] as Json)
      isEmpty = false
    }
    const filled = fit?.known?.(parameters)
    if (filled === undefined) return isEmpty ? undefined : echoed
    return isEmpty && Object.keys(filled).length === 0 ? undefined : { ...filled, ...echoed }
  }
}
