import type { IncomingMessage, Server, ServerResponse } from 'node:http'

export interface NewPlant {
  readonly id: bigint
  readonly name: string
  readonly tag: string | undefined
}

export type Cause = 'none' | 'credentials' | 'media' | 'json' | 'body' | 'id' | 'name' | 'tag'

export interface Asked {
  readonly request: IncomingMessage
  readonly bytes: Buffer
  readonly token: string
  /** 1 for the first request of the store. */
  readonly nth: number
  /** 1 for the first request of the connection. */
  readonly nthOnSocket: number
  /** How many requests are being answered now, this one included. */
  readonly running: () => number
  /** Ends early, and for good, when the store closes. */
  readonly wait: (milliseconds: number) => Promise<void>
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string | Buffer
  /** Why the request was refused; `none` when it was not. */
  readonly cause: Cause
  /** What was read from the body, where it could be read. */
  readonly plant: NewPlant | undefined
}

/** A request without an answer. */
export const silence = undefined

export type Reply = Answer | undefined

/** The store, in pieces that a row may replace. */
export interface Parts {
  readonly authenticate: (asked: Asked) => boolean
  readonly media: (asked: Asked) => boolean
  readonly decode: (bytes: Buffer, asked: Asked) => string
  /** Text to value; a bigint stands for an integer, a number for any other number. */
  readonly parse: (text: string) => unknown
  readonly body: (value: unknown) => boolean
  readonly id: (value: unknown) => boolean
  readonly name: (value: unknown) => boolean
  readonly tag: (value: unknown) => boolean
  readonly plant: (plant: NewPlant, asked: Asked) => unknown
  readonly failure: (cause: Cause, asked: Asked) => unknown
  readonly write: (value: unknown, asked: Asked) => string | Buffer
  readonly type: (answer: Answer, asked: Asked) => string | undefined
  /** The last word on the answer, before it is sent. */
  readonly respond: (answer: Answer, asked: Asked) => Reply | Promise<Reply>
  readonly send: (answer: Answer, response: ServerResponse, asked: Asked) => void | Promise<void>
  /** What is answered at other paths and, where the path is known, to other methods. */
  readonly elsewhere: (known: boolean) => Pick<Answer, 'status' | 'headers' | 'body'>
  /** Called before the body is read; an answer given here ends the matter. */
  readonly early: (asked: Asked, response: ServerResponse) => boolean
  readonly tune: (server: Server) => void
}

export type Kind = 'bearer' | 'refuse' | 'accept' | 'answer' | 'load' | 'transport'

export interface Served {
  /** Unique, kebab-case. */
  readonly name: string
  readonly about: string
  /** Called once a start, so that no state outlives a store. */
  readonly parts: () => Partial<Parts>
}

export interface Broken extends Served {
  readonly kind: Kind
  /** Matches the ids of the obligations that this store breaks. */
  readonly breaks: RegExp
  /** `SHOULD`: the store fails a run with `--strict` only. */
  readonly level: 'MUST' | 'SHOULD'
  /** Requests that show the fault, where one ordinary request of each sort does not. */
  readonly witness: Witness | undefined
}

export interface Lawful extends Served {
  /** `busy` stores answer 503 with Retry-After once in a while. */
  readonly kind: 'lawful' | 'busy'
  /** Nothing SHOULD-level is broken either: the run passes with `--strict`. */
  readonly strict: boolean
}

export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string | Buffer
  /** Sent in chunks, without a Content-Length. */
  readonly chunked: boolean
}

export interface Witness {
  readonly sends: readonly Sent[]
  /** How many are in flight at a time; 1 keeps to one connection. */
  readonly together: number
}
