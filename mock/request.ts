import type { Headers } from '../spec/index.ts'

/** A request as any mount of the mock hands it over. `tooLarge`: its body was not read to the end. */
export type MockRequest = {
  readonly method: string
  readonly target: string
  readonly headers: Headers
  readonly body: Uint8Array | null
  readonly tooLarge: boolean
  /** The same object for all requests of one connection. */
  readonly connection: object
  /** Calls `heard` when the client goes before it is answered, until the function that it gives is called. */
  readonly whenGone?: (heard: () => void) => () => void
  /** What came is no HTTP request that can be read, for this reason; it is answered with this status. */
  readonly unreadable?: { readonly status: number; readonly message: string; readonly code?: number }
}

/** A proxy's client names the whole URL (RFC 9112, 3.2.2). */
const withoutOrigin = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '')

/** The path that is asked for, without its query. */
export const pathOf = (target: string): string => {
  const local = withoutOrigin(target)
  const end = local.search(/[?#]/)
  return (end < 0 ? local : local.slice(0, end)) || '/'
}

// Gives each byte a character, and is there in browsers as well.
const latin1 = new TextDecoder('latin1')

/** What a request asks for, however it is delivered. */
export const seedOf = (request: MockRequest | null): string => {
  if (request === null) return ''
  const { method, target, body } = request
  const text = body === null ? '' : latin1.decode(body)
  return `${method === 'HEAD' ? 'GET' : method} ${withoutOrigin(target)}\n${text}`
}
