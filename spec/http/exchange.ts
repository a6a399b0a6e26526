/** Header fields, in the order and spelling in which they are sent. */
export type Headers = readonly (readonly [name: string, value: string])[]

/**
 * Bytes that no HTTP client would send, for a connection of their own: one character for each byte, with placeholders for
 * the token and for what only the sender knows (see `fillRaw`).
 */
export type RawRequest = {
  /** Each after the first is sent once the server has responded to those before, or after some silence. */
  readonly pieces: readonly string[]
  /** Milliseconds between two pieces, instead of waiting for the server. */
  readonly pauseMs?: number
  /** When the client closes its side: right after them, after some silence, or not at all. */
  readonly end: 'now' | 'later' | 'never'
  /** The final responses to wait for, unless the connection is closed before. */
  readonly responses: number
}

/** What the server did with raw bytes, besides its first final response. */
export type RawTrace = {
  /** Of the final responses, and of the interim ones, in order. */
  readonly statuses: readonly number[]
  readonly interim: readonly number[]
  /** The server responded before all pieces were sent. */
  readonly early: boolean
  /** The server closed the connection. */
  readonly closed: boolean
}

/** A request to send. Header values and target have placeholders for the token, so that no record of a run has it. */
export type HttpRequest = {
  readonly method: string
  /** Path and query, percent-encoded, below the base URL. */
  readonly target: string
  readonly headers: Headers
  readonly body: Uint8Array | null
  /** Sent in chunks, without Content-Length. */
  readonly chunked: boolean
  /** Sent instead of everything else if it is not HTTP as a client would send it. */
  readonly raw?: RawRequest
}

/**
 * Whether a request has to say that it has no content, with `Content-Length: 0`: some servers wait for content of these methods, and
 * Node's client makes it chunked (RFC 9110 8.6).
 */
export const announcesNoContent = ({ method, body }: Pick<HttpRequest, 'method' | 'body'>): boolean =>
  body === null && withContent.has(method)

/** The methods that define what content means. */
const withContent: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'QUERY'])

export type HttpResponse = { readonly status: number; readonly headers: Headers; readonly body: Uint8Array }

/** Why there is no usable response. */
export type Failure =
  | 'refused' // nothing listens there
  | 'unreachable' // no such host, no route, TLS trouble
  | 'reset' // the connection was closed before the response was complete
  | 'timeout' // no complete response in time
  | 'malformed' // not HTTP
  | 'too-large' // the head, the body, the decoded body or the interim responses exceed the limits

export const failureText: Readonly<Record<Failure, string>> = {
  refused: 'the connection was refused',
  unreachable: 'the server could not be reached',
  reset: 'the connection was closed before the response was complete',
  timeout: 'no complete response in time',
  malformed: 'the response is not HTTP',
  'too-large': 'the response is larger than the limits',
}

export type Outcome =
  /** `trace`: only for raw bytes. */
  | {
      readonly kind: 'response'
      readonly response: HttpResponse
      readonly ms: number
      readonly trace?: RawTrace
    }
  /** `status`: from the status line, if it came before the response broke off; else null. */
  | {
      readonly kind: 'failure'
      readonly failure: Failure
      readonly status: number | null
      readonly detail: string
      readonly ms: number
      /** The response got less than the whole time limit, as the server had hung before. */
      readonly hurried?: true
      /** Milliseconds for which the server answered nothing else either, as it was busy with this request. */
      readonly blockedMs?: number
    }

/** The status of the response; 0 if there is none. */
export const statusOf = (outcome: Outcome): number =>
  outcome.kind === 'response' ? outcome.response.status : 0

// Without iterators: these run ten times for each request.

export const headerValues = (headers: Headers, name: string): readonly string[] => {
  const values: string[] = []
  for (let index = 0; index < headers.length; index++) {
    const field = headers[index] as Headers[number]
    if (isNamed(field[0], name)) values.push(field[1])
  }
  return values
}

export const header = (headers: Headers, name: string): string | null => {
  for (let index = 0; index < headers.length; index++) {
    const field = headers[index] as Headers[number]
    if (isNamed(field[0], name)) return field[1]
  }
  return null
}

/** `name` is in lower case. Most names differ in length, which is the cheapest check. */
const isNamed = (key: string, name: string): boolean =>
  key.length === name.length && key.toLowerCase() === name

/** `application/json` for `Application/JSON; charset=utf-8`; null if there is none. */
export const mediaType = (contentType: string | null): string | null =>
  contentType !== null && bareType.test(contentType)
    ? contentType
    : contentType?.split(';')[0]?.trim().toLowerCase() || null

// As nearly all clients write it, without anything to strip.
const bareType = /^[a-z]+\/[a-z.+-]+$/

export const isJsonMedia = (type: string): boolean => /^application\/(?:[\w.+-]+\+)?json$/i.test(type)

/** Whether a declared media type or range (`application/*`, with or without parameters) covers this media type. */
export const takesMedia = (declared: string, actual: string): boolean => {
  if (declared === actual) return true
  const range = mediaType(declared) ?? ''
  return (
    range === '*/*' || range === actual || (range.endsWith('/*') && actual.startsWith(range.slice(0, -1)))
  )
}

/** Parameters that say how bytes are read, and not what they mean: any media type may have them. */
const ofBytes = /^(charset|boundary|q)$/

/** The parameters of a Content-Type by which two media types differ, such as `version=2` (RFC 9110, 8.3.1); names in lower case. */
const mediaParameters = (contentType: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  if (!contentType.includes(';')) return found
  for (const [, name = '', quoted, plain = ''] of contentType.matchAll(
    /;\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g,
  )) {
    const key = name.toLowerCase()
    const value = quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1')
    if (!ofBytes.test(key)) found.set(key, value.toLowerCase())
  }
  return found
}

/**
 * The declared media types that a body of this type is of, the most precise first. Parameters that a declaration has count: a body of
 * `version=3` is not of `version=2`. Who sends none means the only declaration of that type.
 */
export const mediaFor = <T extends { readonly type: string }>(
  declared: readonly T[],
  contentType: string | null,
): readonly T[] => {
  const type = mediaType(contentType)
  if (type === null || contentType === null) return []
  const alike = declared.filter(each => takesMedia(each.type, type))
  if (alike.length === 0) return alike
  const isPlain = alike.every(each => !each.type.includes(';'))
  if (isPlain)
    return alike.length === 1 ? alike : alike.toSorted((left, right) => breadth(left) - breadth(right))
  const sent = mediaParameters(contentType)
  const rated = alike.map(each => ({ each, parameters: mediaParameters(each.type) }))
  const isOnly = rated.filter(({ each }) => !each.type.includes('*')).length === 1
  return rated
    .filter(
      ({ parameters }) =>
        [...parameters].every(([name, value]) => sent.get(name) === value) || (isOnly && sent.size === 0),
    )
    .toSorted(
      (left, right) =>
        breadth(left.each) - breadth(right.each) || right.parameters.size - left.parameters.size,
    )
    .map(({ each }) => each)
}

/** `application/json` before ranges. */
const breadth = ({ type }: { readonly type: string }): number => type.split('*').length

/** The media type of problem details (RFC 9457). */
export const problemType = 'application/problem+json'
