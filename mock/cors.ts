import { type Headers, header } from '../spec/index.ts'
import type { Engine, MockRequest } from './engine.ts'
import { after } from './soon.ts'

const maxAgeSeconds = '600'

/**
 * Lets pages of any origin use the mock, as the Fetch standard has it: preflights are answered, and answers to requests
 * with an `Origin` may be read with all their headers. Requests of others are answered as before.
 */
export const withCors =
  (engine: Engine): Engine =>
  request => {
    const origin = header(request.headers, 'origin')
    if (origin === null) return engine(request)
    const own: Headers = [
      ['Access-Control-Allow-Origin', origin],
      ['Access-Control-Allow-Credentials', 'true'],
      ['Vary', 'Origin'],
    ]
    const asked = preflight(request)
    if (asked !== null) return { status: 204, headers: [...own, ...asked], body: new Uint8Array() }
    return after(engine(request), answer => {
      const names = answer.headers.map(([name]) => name)
      const exposed: Headers =
        names.length === 0 ? [] : [['Access-Control-Expose-Headers', [...new Set(names)].join(', ')]]
      return { ...answer, headers: [...answer.headers, ...own, ...exposed] }
    })
  }

/** What a preflight asks for is allowed: the contract judges the request that follows. Null: it is none. */
const preflight = ({ method, headers }: MockRequest): Headers | null => {
  const wanted = header(headers, 'access-control-request-method')
  if (method !== 'OPTIONS' || wanted === null) return null
  const names = header(headers, 'access-control-request-headers')
  return [
    ['Access-Control-Allow-Methods', wanted],
    ...(names === null ? [] : [['Access-Control-Allow-Headers', names] as const]),
    ['Access-Control-Max-Age', maxAgeSeconds],
  ]
}
