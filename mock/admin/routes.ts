import { type Contract, type Headers, header } from '../../spec/index.ts'
import { adminPrefix, type Served } from '../documents/documents.ts'
import type { MockResponse } from '../engine/compiled-response.ts'
import type { Middleware, ServedDocument } from '../engine/context.ts'
import type { MaybePromise } from '../engine/maybe-promise.ts'
import { type MockRequest, pathOf } from '../engine/request.ts'

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

/** `GET /__plantstore/health`, for scripts that wait for the mock; `problem`: why an older document is still served. */
export const healthRoutes = (documents: () => readonly Served[]): AdminRoutes => ({
  'GET /health': () => {
    const [first, ...more] = documents()
    return jsonResponse({
      status: 'ok',
      ...(first === undefined ? {} : healthOf(first)),
      ...(more.length === 0 ? {} : { more: more.map(healthOf) }),
    })
  },
})

const healthOf = ({ prefix, contract, problem }: Served): object => ({
  ...(prefix === '' ? {} : { prefix }),
  contract: nameOf(contract),
  operations: contract.operations.length,
  ...(problem === null ? {} : { problem }),
})

const nameOf = ({ title, version }: Contract): string => `${title} ${version}`.trim()

/**
 * What a browser asks for that is given the address of the mock: `/` leads to the console, and there is no icon. Only if no
 * document declares these paths; neither is recorded.
 */
export const landing =
  (documents: () => readonly ServedDocument[]): Middleware =>
  (context, next) => {
    const { method, target, headers } = context.request
    if (method !== 'GET' || (target !== '/' && target !== '/favicon.ico')) return next(context)
    const accept = header(headers, 'accept') ?? ''
    const isWanted = target === '/' ? accept.includes('text/html') : /image\/|\*\/\*/.test(accept)
    if (!isWanted || documents().some(document => declares(document, target))) return next(context)
    if (target === '/favicon.ico') return textResponse(404, 'there is no icon')
    const console = `${adminPrefix}/`
    const { headers: lines, ...response } = textResponse(302, `the console of the mock is at ${console}`)
    return { ...response, headers: [...lines, ['Location', console], ['Cache-Control', 'no-store']] }
  }

const declares = ({ prefix, engine }: ServedDocument, target: string): boolean =>
  pathOf(target).startsWith(prefix) &&
  engine.router('GET', pathOf(target.slice(prefix.length))).kind !== 'no-path'
