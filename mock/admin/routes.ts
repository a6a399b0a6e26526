import { type Headers, header } from '../../spec/index.ts'
import { adminPrefix } from '../documents/prefix.ts'
import type { Middleware } from '../engine/context.ts'
import type { MaybePromise } from '../engine/maybe-promise.ts'
import type { MockResponse } from '../engine/mock-response.ts'
import type { MockRequest } from '../engine/request.ts'

/** Names that nobody can register, so that no page of the internet has one (RFC 6761, 6762, 8375 and .internal). */
const reserved = /(?:^|\.)(?:localhost|local|internal|test|home\.arpa)$/

/**
 * Whether the Host of a request is an address, a name without a dot, a reserved name, or `own`. A page whose name was made to
 * lead to this machine (DNS rebinding) has another one, and to its browser the mock is the page's own server.
 */
const isLocalHost = (headers: Headers, own: string): boolean => {
  const host = header(headers, 'host')?.toLowerCase() ?? ''
  if (host.startsWith('[')) return true
  const name = host.replace(/:\d*$/, '').replace(/\.$/, '')
  return !name.includes('.') || /^[\d.]+$/.test(name) || reserved.test(name) || name === own.toLowerCase()
}

/** Responds to a request for an admin route; `rest`: the segments of the path after the first, decoded. */
export type AdminRoute = (request: MockRequest, rest: readonly string[]) => MaybePromise<MockResponse>

/** By method and first segment: `GET /health`. */
export type AdminRoutes = Readonly<Record<string, AdminRoute>>

/** Routes that tell nothing of clients, and that monitoring may ask for by any name. */
const open = new Set(['health', 'metrics'])

/**
 * Responds to requests for admin routes, without credentials and outside the contract. Pages of other origins may not
 * use these routes, under no name of this machine: what clients sent to the mock is none of their business. `host`: the
 * name that a server listens on; null: there is no server.
 */
export const admin = (routes: AdminRoutes, host: string | null): Middleware => {
  const table = new Map(Object.entries(routes))
  return (context, next) => {
    const { request } = context
    if (!request.target.startsWith(adminPrefix)) return next(context)
    const path = request.target.slice(adminPrefix.length).split(/[?#]/)[0] ?? ''
    const [first = '', ...rest] = path.split('/').slice(1)
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const route = table.get(`${method} /${first}`)
    if (route === undefined || (path !== '' && !path.startsWith('/'))) return next(context)
    if (isCrossOrigin(request)) return textResponse(403, 'pages of other origins may not use this route')
    if (host !== null && !open.has(first) && !isLocalHost(request.headers, host))
      return textResponse(
        403,
        'this route is not for this Host: use an address, localhost, or a name that is given with --host',
      )
    try {
      return route(request, rest.map(decodeURIComponent))
    } catch (error) {
      return textResponse(400, (error as Error).message)
    }
  }
}

const isCrossOrigin = ({ headers }: MockRequest): boolean => {
  const origin = header(headers, 'origin')
  return origin !== null && origin.replace(/^https?:\/\//, '') !== header(headers, 'host')
}

const utf8 = new TextEncoder()

export const textResponse = (status: number, text: string): MockResponse => ({
  status,
  headers: [['Content-Type', 'text/plain; charset=utf-8']],
  body: utf8.encode(`${text}\n`),
})

export const jsonResponse = (value: unknown, status = 200): MockResponse => ({
  status,
  headers: [
    ['Content-Type', 'application/json'],
    ['Cache-Control', 'no-store'],
  ],
  body: utf8.encode(`${JSON.stringify(value)}\n`),
})
