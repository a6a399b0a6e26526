import { type Headers, header, type Operation, type RequestJudgement } from '../../spec/index.ts'

/** A request as every mount hands it over. `tooLarge`: its body was not read to the end. */
export type MockRequest = {
  readonly method: string
  readonly target: string
  readonly headers: Headers
  readonly body: Uint8Array | null
  /** What stands before the target in the URL that the client sent: of a mount, `https://shop.test/api`. Absent: the Host says it. */
  readonly base?: string
  readonly tooLarge: boolean
  /** The same object for all requests of one connection. */
  readonly connection: object
  /** Calls `listener` when the client disconnects before its response; returns a function that stops that. */
  readonly onDisconnect?: (listener: () => void) => () => void
  /**
   * Set if the body was not read yet, for what forwards it: an `IncomingMessage` and a `ServerResponse` of Node, whose types
   * users of other mounts need not have.
   */
  readonly wire?: {
    readonly request: object
    readonly response: object
    /** Ends the connection of the client after the current response, or at once if there is none. */
    readonly leave: () => void
    /** What followed a request for another protocol; absent: it is for none. */
    readonly head?: Uint8Array
  }
  /** Set if the bytes are no readable HTTP request: the status and the reason of the response to them. */
  readonly unreadable?: { readonly status: number; readonly message: string; readonly code?: number }
}

/** Names the client of a request, so that scenarios and resources can be for it alone. */
export const clientHeader = 'plantstore-client'

/** Longer names are cut. */
export const maxClientLength = 100

/** The target without scheme and authority, which the client of a proxy sends along (RFC 9112, 3.2.2). */
export const withoutOrigin = (target: string): string =>
  target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '')

/** The path of a target, without its query. */
export const pathOf = (target: string): string => {
  const local = withoutOrigin(target)
  const end = local.search(/[?#]/)
  return (end < 0 ? local : local.slice(0, end)) || '/'
}

// Makes one character of each byte, and exists in browsers as well.
const latin1 = new TextDecoder('latin1')

/** A text that is the same for requests that are the same, whichever way they came. */
export const seedOf = (request: MockRequest | null): string => {
  if (request === null) return ''
  const { method, target, body } = request
  const text = body === null ? '' : latin1.decode(body)
  return `${method === 'HEAD' ? 'GET' : method} ${withoutOrigin(target)}\n${text}`
}

/** A request for a declared operation, and what it breaks of the contract. */
export type JudgedRequest = RequestJudgement & {
  readonly operation: Operation
  readonly request: MockRequest
}

/** What stands before the path of the document in URLs that clients can use: the origin, and prefixes that are taken off. */
export const baseOf = ({
  base,
  headers,
  connection,
}: MockRequest): { readonly origin: string; readonly path: string } => {
  const [, given, path = ''] = /^([a-z]+:\/\/[^/]*)?(.*)$/is.exec(base ?? '') ?? []
  const scheme = 'encrypted' in connection ? 'https' : 'http'
  return { origin: given ?? `${scheme}://${header(headers, 'host') ?? 'localhost'}`, path }
}
