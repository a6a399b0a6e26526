import {
  errorCodes,
  type Operation,
  type RequestViolation,
  type Route,
  type Router,
} from '../../spec/index.ts'
import type { Context, JudgedRequest } from './context.ts'
import { compiledOperation, type Engine } from './engine.ts'
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
  const path = plainPath(pathOf(target))
  const route = router(method, path)
  if (route.kind !== 'no-method') return route
  if (method === 'HEAD' && route.allow.includes('GET')) return router('GET', path)
  return route.allow.includes('GET') && !route.allow.includes('HEAD')
    ? { ...route, allow: [...route.allow, 'HEAD'] }
    : route
}

/** An escape of a character that needs none means the character (RFC 3986, 6.2.2.2): `/%70ots` is `/pots`. */
const plainPath = (path: string): string =>
  path.includes('%')
    ? path.replace(/%(?:2[de]|3\d|[46][1-9a-f]|[57][0-9a]|5f|7e)/gi, escaped => decodeURIComponent(escaped))
    : path

const judgeFor = (
  engine: Engine,
  request: MockRequest,
  { operation, path }: Extract<Route, { kind: 'operation' }>,
): JudgedRequest => {
  const { target, headers, tooLarge } = request
  const received = { target, headers, body: tooLarge ? null : request.body, path }
  const compiled = compiledOperation(engine, operation)
  const { violations, body, parameters } = compiled.judgeRequest(received, engine.tokens)
  // A body that was not read to its end is not judged.
  const known = tooLarge
    ? [...violations.filter(({ part }) => part !== 'body'), oversize(operation)]
    : violations
  return { operation, request, violations: known, body, parameters }
}

/** A body that is larger than the mock reads. */
export const oversize = ({ id }: Operation): RequestViolation => ({
  id: `${id}/unspecified/large-body`,
  part: 'body',
  code: errorCodes.bodyTooLarge,
  message: 'the body is too large',
  at: null,
})
