import { header } from '../spec/index.ts'
import type { Composed } from './compose.ts'
import type { Engine, MockRequest } from './engine.ts'
import type { Soon } from './soon.ts'

/** Paths below this are the mock's own: no document has them. */
export const ownPrefix = '/__plantstore'

/** Answers one of the mock's own paths; `rest`: the segments after the first, decoded. */
export type OwnRoute = (request: MockRequest, rest: readonly string[]) => Soon<Composed>

/** By method and first segment: `GET /health`. */
export type OwnRoutes = Readonly<Record<string, OwnRoute>>

/**
 * Answers the mock's own paths, without credentials and in no contract's shape; all others go to the engine. Pages of
 * other origins may not use them: what clients sent to the mock is theirs alone.
 */
export const withOwn = (engine: Engine, routes: OwnRoutes): Engine => {
  const table = new Map(Object.entries(routes))
  return request => {
    if (!request.target.startsWith(ownPrefix)) return engine(request)
    const path = request.target.slice(ownPrefix.length).split(/[?#]/)[0] ?? ''
    const [first = '', ...rest] = path.split('/').slice(1)
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const route = table.get(`${method} /${first}`)
    if (route === undefined || (path !== '' && !path.startsWith('/'))) return engine(request)
    if (isForeign(request)) return ownText(403, 'pages of other origins may not use this')
    try {
      return route(request, rest.map(decodeURIComponent))
    } catch (error) {
      return ownText(400, (error as Error).message)
    }
  }
}

const isForeign = ({ headers }: MockRequest): boolean => {
  const origin = header(headers, 'origin')
  return origin !== null && origin.replace(/^https?:\/\//, '') !== header(headers, 'host')
}

const utf8 = new TextEncoder()

export const ownText = (status: number, text: string): Composed => ({
  status,
  headers: [['Content-Type', 'text/plain; charset=utf-8']],
  body: utf8.encode(`${text}\n`),
})

export const ownJson = (value: unknown, status = 200): Composed => ({
  status,
  headers: [
    ['Content-Type', 'application/json'],
    ['Cache-Control', 'no-store'],
  ],
  body: utf8.encode(`${JSON.stringify(value)}\n`),
})
