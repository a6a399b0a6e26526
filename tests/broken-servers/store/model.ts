import type { IncomingMessage, Server, ServerResponse } from 'node:http'

export interface NewPlant {
  readonly id: bigint
  readonly name: string
  readonly tag: string | undefined
}

export type Cause = 'none' | 'credentials' | 'media' | 'json' | 'body' | 'id' | 'name' | 'tag'

/** A request that the store serves, and its place among the others. */
export interface Exchange {
  readonly request: IncomingMessage
  /** The body. */
  readonly bytes: Buffer
  /** The right token. */
  readonly token: string
  /** 1 for the first request of the store. */
  readonly nth: number
  /** 1 for the first request of the connection. */
  readonly nthOnSocket: number
  /** How many requests the store is serving now, including this one. */
  readonly running: () => number
  /** Rejects when the store closes. */
  readonly wait: (milliseconds: number) => Promise<void>
}

export interface StoreResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string | Buffer
  /** Why the store rejects the request; `none` if it accepts it. */
  readonly cause: Cause
  /** What the store read from the body; undefined if it read nothing. */
  readonly plant: NewPlant | undefined
}

/** No response at all. */
export const silence = undefined

export type Reply = StoreResponse | typeof silence

/** The steps of the store; a row replaces one or two of them. */
export interface Parts {
  readonly authenticate: (exchange: Exchange) => boolean
  readonly media: (exchange: Exchange) => boolean
  /** Reads the body. */
  readonly read: (request: IncomingMessage) => Promise<Buffer>
  readonly decode: (bytes: Buffer, exchange: Exchange) => string
  /** Integers become bigint; all other numbers stay number. */
  readonly parse: (text: string) => unknown
  readonly body: (value: unknown) => boolean
  readonly id: (value: unknown) => boolean
  readonly name: (value: unknown) => boolean
  readonly tag: (value: unknown) => boolean
  readonly plant: (plant: NewPlant, exchange: Exchange) => unknown
  readonly failure: (cause: Cause, exchange: Exchange) => unknown
  readonly write: (value: unknown, exchange: Exchange) => string | Buffer
  readonly type: (response: StoreResponse, exchange: Exchange) => string | undefined
  /** Changes the response before it is sent. */
  readonly respond: (response: StoreResponse, exchange: Exchange) => Reply | Promise<Reply>
  readonly send: (response: StoreResponse, out: ServerResponse, exchange: Exchange) => void | Promise<void>
  /** The response at other paths (`known` is false) and to other methods of the path (true). */
  readonly elsewhere: (known: boolean) => Pick<StoreResponse, 'status' | 'headers' | 'body'>
  /** Called before the body is read; true if it has sent a response. */
  readonly early: (exchange: Exchange, out: ServerResponse) => boolean
  readonly tune: (server: Server) => void
}

export type Kind = 'auth' | 'reject' | 'accept' | 'response' | 'stability' | 'transport'

export interface TestServer {
  /** Unique, kebab-case. */
  readonly name: string
  readonly about: string
  /** Called at each start, so that a store begins without the state of an earlier one. */
  readonly parts: () => Partial<Parts>
}

export interface BrokenServer extends TestServer {
  readonly kind: Kind
  /** Matches the ids of the obligations that the store breaks. */
  readonly breaks: RegExp
  /** `SHOULD`: a run fails only with `--strict`. */
  readonly level: 'MUST' | 'SHOULD'
  /** Requests that show the fault, if one probe of each kind does not. */
  readonly witness: Witness | undefined
  /** Whether so few requests show the fault that it takes a default run to find it. */
  readonly isRare: boolean
  /** Whether a run waits for responses that never come. */
  readonly hangs: boolean
}

export interface LawfulServer extends TestServer {
  /** `busy` stores sometimes answer 429 or 503 with Retry-After. */
  readonly kind: 'lawful' | 'busy'
  /** Whether a run also passes with `--strict`. */
  readonly strict: boolean
  /** Whether sustained load may mislead a suite: the store depends on time, connections or earlier requests. */
  readonly sustained: boolean
  /** Whether a response may depend on earlier requests. */
  readonly isStateful: boolean
}

export interface SentRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string | Buffer
  /** Sent in chunks, without Content-Length. */
  readonly chunked: boolean
  /** After the last chunk. */
  readonly trailers?: Readonly<Record<string, string>>
}

export interface Witness {
  readonly requests: readonly SentRequest[]
  /** Requests in flight; 1 uses one connection. */
  readonly inFlight: number
  /** Milliseconds of silence before those that are sent together. */
  readonly pause?: number
}
