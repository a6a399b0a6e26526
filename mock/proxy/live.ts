import { header, type Route, type Router, requestPatterns } from '../../spec/index.ts'
import type { Context, ServedDocument } from '../engine/context.ts'
import { routeOf } from '../engine/judge.ts'
import { pathOf } from '../engine/request.ts'

/**
 * Whether a request goes to the server: what belongs to no operation does, and what the patterns name. Throws SelectionError if one names
 * nothing.
 */
export const liveRequests = (
  live: readonly string[] | undefined,
  { contract, engine }: ServedDocument,
): ((context: Context) => boolean) => {
  if (live === undefined) return () => true
  const patterns = requestPatterns(contract, live, '--live')
  return context => {
    const route = preflightRoute(context, engine.router) ?? routeOf(engine, context)
    return (
      route.kind !== 'operation' || patterns.some(({ matchesOperation }) => matchesOperation(route.operation))
    )
  }
}

/** Of the question whether a page may send a request, the route of that request. */
const preflightRoute = ({ request }: Context, router: Router): Route | null => {
  const method = header(request.headers, 'access-control-request-method')
  return request.method === 'OPTIONS' && method !== null ? router(method, pathOf(request.target)) : null
}
