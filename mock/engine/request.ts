import { type Headers, header, type Json, type Operation, type RequestJudgement } from '../../spec/index.ts'
import type { ResponsePreferences } from '../preferences/prefer.ts'

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

/** What a response reads of the request that it fits: nothing else of it can change the response. */
export type Asked = {
  readonly parameters: Readonly<Record<string, Json>>
  readonly body: Json | undefined
  readonly target: string
  /** What stands before the path of the document in URLs: the origin, and prefixes that are taken off. */
  readonly origin: string
  readonly basePath: string
}

export const askedOf = ({ parameters, body, request }: JudgedRequest): Asked => {
  const { origin, path } = baseOf(request)
  return { parameters, body, target: request.target, origin, basePath: path }
}

/** What a successful response has to be so that it fits its request; `mock/resources` infers it from the contract. */
export type Fit = {
  /** Properties of the body that follow from the request, besides those that it sent. */
  readonly known: ((parameters: Asked['parameters']) => Readonly<Record<string, Json>>) | null
  /** Bodies that fit, the best first; each is judged before it is sent. Null: any body will do. */
  readonly bodies: ((request: FitRequest) => Promise<readonly Json[]>) | null
  /** The value of a declared header; null: a made-up one will do. */
  readonly header: (name: string, asked: Asked, body: Json | undefined) => string | null
}

export type FitRequest = {
  readonly asked: Asked
  readonly preferences: ResponsePreferences | null
  /** The document's example of the whole body. */
  readonly example: Json | undefined
}

/** A declared response and the request that it has to fit. */
export type FittedTo = { readonly fit: Fit; readonly asked: Asked }

/** Clients read 16 kB of headers: a name of 64 kB cannot be in a Location. */
const longest = 4_000

/** The headers of a response with those that follow from the request or the body. */
export const fittedHeaders = (to: FittedTo | null, headers: Headers, body: Json | undefined): Headers =>
  to === null
    ? headers
    : headers.map(([name, value]) => {
        const fitted = to.fit.header(name, to.asked, body)
        return [name, fitted === null || fitted.length > longest ? value : fitted] as const
      })
