import { type Headers, header } from '../../spec/index.ts'
import { noBody } from '../engine/compiled-response.ts'
import type { Middleware } from '../engine/context.ts'
import { chain } from '../engine/maybe-promise.ts'
import type { MockRequest } from '../engine/request.ts'

const maxAgeSeconds = '600'

/**
 * Lets pages of any origin use the mock, as the Fetch standard has it: responds to preflights, and lets the origin read
 * all headers of a response. Requests without an `Origin` are not touched.
 */
export const cors: Middleware = (context, next) => {
  const origin = header(context.request.headers, 'origin')
  if (origin === null) return next(context)
  const allowed: Headers = [
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Credentials', 'true'],
    ['Vary', 'Origin'],
  ]
  const preflight = preflightHeaders(context.request)
  if (preflight !== null) return { status: 204, headers: [...allowed, ...preflight], body: noBody }
  return chain(next(context), response => {
    const names = new Set(response.headers.map(([name]) => name))
    const exposed: Headers =
      names.size === 0 ? [] : [['Access-Control-Expose-Headers', [...names].join(', ')]]
    return { ...response, headers: [...response.headers, ...allowed, ...exposed] }
  })
}

/** Allows whatever a preflight asks for: the contract judges the request that follows. Null: it is no preflight. */
const preflightHeaders = ({ method, headers }: MockRequest): Headers | null => {
  const requested = header(headers, 'access-control-request-method')
  if (method !== 'OPTIONS' || requested === null) return null
  const names = header(headers, 'access-control-request-headers')
  return [
    ['Access-Control-Allow-Methods', requested],
    ...(names === null ? [] : [['Access-Control-Allow-Headers', names] as const]),
    ['Access-Control-Max-Age', maxAgeSeconds],
  ]
}
