import {
  errorCodes,
  type Operation,
  type RequestViolation,
  type Route,
  type Router,
  requestViolation,
} from '../../spec/index.ts'
import type { Context } from './context.ts'
import { compiledOperation, type Engine } from './engine.ts'
import type { JudgedRequest } from './request.ts'
import { type MockRequest, pathOf } from './request.ts'

/** The route of a request in its document; found once. */
export const routeOf = ({ router }: Engine, context: Context): Route => {
  context.route ??= findRoute(router, context.request)
  return context.route
}

/** What the contract says of a request; found once. Null: it is for no declared operation. */
export const judge = (engine: Engine, context: Context): JudgedRequest | null => {
  if (context.judged === null) {
    const route = routeOf(engine, context)
    if (route.kind === 'operation') context.judged = judgeFor(engine, context.request, route)
  }
  return context.judged
}

/** The same for a request that is on no way through the mock. */
export const judgeRequest = (engine: Engine, request: MockRequest): JudgedRequest | null => {
  const route = findRoute(engine.router, request)
  return route.kind === 'operation' ? judgeFor(engine, request, route) : null
}

/** HEAD is declared where GET is (RFC 9110, 9.1). */
const findRoute = (router: Router, { method, target }: MockRequest): Route => {
  const path = pathOf(target)
  const route = router(method, path)
  if (route.kind !== 'no-method') return route
  if (method === 'HEAD' && route.allow.includes('GET')) return router('GET', path)
  return route.allow.includes('GET') && !route.allow.includes('HEAD')
    ? { ...route, allow: [...route.allow, 'HEAD'] }
    : route
}

const judgeFor = (
  engine: Engine,
  request: MockRequest,
  { operation, path }: Extract<Route, { kind: 'operation' }>,
): JudgedRequest => {
  const { target, headers, tooLarge } = request
  const received = { target, headers, body: tooLarge ? null : request.body, path }
  const compiled = compiledOperation(engine, operation)
  const { violations, body, parameters } = compiled.judgeRequest(received, engine.rightTokens)
  // A body that was not read to its end is not judged.
  const known = tooLarge
    ? [...violations.filter(({ part }) => part !== 'body'), oversize(operation)]
    : violations
  return { operation, request, violations: known, body, parameters }
}

/** A body that is larger than the mock reads. */
export const oversize = ({ id }: Operation): RequestViolation =>
  requestViolation(
    id,
    { kind: 'unspecified', name: 'large-body' },
    { part: 'body', code: errorCodes.bodyTooLarge, message: 'the body is too large', at: null },
  )
