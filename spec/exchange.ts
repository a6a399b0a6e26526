/** Header fields in the order and spelling of the wire. */
export type Headers = readonly (readonly [name: string, value: string])[]

/**
 * Bytes that no HTTP client would send, to be written to a connection of their own as they are: one character for each
 * byte, with placeholders of the token and of what only the sender knows (`fillRaw`).
 */
export type Raw = {
  /** Each after the first is written when the server has said something to those before, or nothing for a while. */
  readonly pieces: readonly string[]
  /** When our side of the connection is closed: after them, after some silence (who waits for more learns that none comes), or not at all. */
  readonly end: 'now' | 'later' | 'never'
  /** Final answers that are waited for, unless the connection ends before. */
  readonly answers: number
}

/** How the server took raw bytes, beside its first final answer. */
export type Trace = {
  /** Final answers, and interim ones, in their order. */
  readonly statuses: readonly number[]
  readonly interim: readonly number[]
  /** The server said something before all pieces were sent. */
  readonly early: boolean
  /** The server closed the connection. */
  readonly closed: boolean
}

/**
 * A request as it is sent. Header values and target hold the token as a placeholder (see `token.ts`), so that no
 * record of a run ever carries it.
 */
export type Request = {
  readonly method: string
  /** Path and query, percent-encoded, below the base URL. */
  readonly target: string
  readonly headers: Headers
  readonly body: Uint8Array | null
  /** Sent in chunks, without Content-Length. */
  readonly chunked: boolean
  /** Sent instead of all else, where it is no HTTP that a client would send. */
  readonly raw?: Raw
}

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: Uint8Array }

/** Why no usable answer came. */
export type Failure =
  | 'refused' // nothing listens there
  | 'unreachable' // no such host, no route, TLS trouble
  | 'reset' // the connection was closed before the answer was whole
  | 'timeout' // no whole answer in time
  | 'malformed' // what came is not HTTP
  | 'too-large' // the answer is larger than the limits: its head, its body, that unfolded, interim answers

export type Outcome =
  /** `trace`: of raw bytes. */
  | { readonly kind: 'answer'; readonly answer: Answer; readonly ms: number; readonly trace?: Trace }
  /** `status`: the status line came before the answer broke off. */
  | {
      readonly kind: 'failure'
      readonly failure: Failure
      readonly status: number | null
      readonly detail: string
      readonly ms: number
    }

/** A request and what came of it. */
export type Exchange = { readonly request: Request; readonly outcome: Outcome }

export const headerValues = (headers: Headers, name: string): readonly string[] =>
  headers.flatMap(([key, value]) => (isNamed(key, name) ? [value] : []))

export const header = (headers: Headers, name: string): string | null => {
  for (const [key, value] of headers) if (isNamed(key, name)) return value
  return null
}

/** `name` is in lower case. Most names are of another length, which is the quickest to see. */
const isNamed = (key: string, name: string): boolean =>
  key.length === name.length && key.toLowerCase() === name

/** `application/json` of `Application/JSON; charset=utf-8`; null where there is none. */
export const mediaType = (contentType: string | null): string | null =>
  contentType !== null && bareType.test(contentType)
    ? contentType
    : contentType?.split(';')[0]?.trim().toLowerCase() || null

// As nearly all clients write it, with nothing to take away.
const bareType = /^[a-z]+\/[a-z.+-]+$/

export const isJsonMedia = (type: string): boolean => /^application\/(?:[\w.+-]+\+)?json$/i.test(type)

/** Whether a declared media type or range (`application/*`, with or without parameters) takes this media type. */
export const takesMedia = (declared: string, actual: string): boolean => {
  if (declared === actual) return true
  const range = mediaType(declared) ?? ''
  return (
    range === '*/*' || range === actual || (range.endsWith('/*') && actual.startsWith(range.slice(0, -1)))
  )
}
