import type { Exchange, HttpResponse } from '../../spec/index.ts'
import type { Context } from '../engine/context.ts'
import { baseOf, withoutOrigin } from '../engine/request.ts'

/** What the URLs of callbacks may be made of: a request as it came, and the response to it. */
export const exchangeOf = (
  { received, route }: Context,
  { status, headers, body }: HttpResponse,
): Exchange => {
  const base = baseOf(received)
  return {
    url: base.origin + base.path + withoutOrigin(received.target),
    method: received.method,
    status,
    path: route?.kind === 'operation' ? route.path : {},
    request: { headers: received.headers, body: received.body },
    response: { headers, body },
  }
}
