import { type Headers, type HttpResponse, header, wholeItems } from '../../../spec/index.ts'
import { openStreamOf } from './collect-response.ts'

/** What a connection has brought so far. */
export type RawResponses = {
  /** Final responses. */
  readonly responses: readonly HttpResponse[]
  /** Statuses of interim responses. */
  readonly interim: readonly number[]
  /** The status of a final response that is not complete; null if there is none. */
  readonly begun: number | null
  /** The same response with the items that have come, if it is a stream of items that may never end. */
  readonly stream: HttpResponse | null
  /** Why this is not HTTP; null if it is. */
  readonly problem: string | null
}

/** What has come of a body, and where it ends; null: its end has not come yet. */
type Body = { readonly body: Uint8Array; readonly end: number | null }

/** Characters of a line that a message quotes. */
const mostQuoted = 80

/**
 * Reads the responses that follow each other in some bytes (RFC 9112 6.3). No HTTP client does, as each reads one response to each request.
 * `isClosed`: no more bytes will come. `isHead`: they answer HEAD, so that none of them has a body, whatever its length is said to be.
 */
export const readRaw = (bytes: Buffer, isClosed: boolean, isHead: boolean): RawResponses => {
  const responses: HttpResponse[] = []
  const interim: number[] = []
  let at = 0
  let begun: number | null = null
  let stream: HttpResponse | null = null
  while (at < bytes.length) {
    const headEnd = bytes.indexOf('\r\n\r\n', at)
    if (headEnd < 0) break
    const [first = '', ...lines] = bytes.toString('latin1', at, headEnd).split('\r\n')
    const status = Number(/^HTTP\/1\.[01] ([1-9]\d\d)(?: |$)/.exec(first)?.[1] ?? 0)
    if (status === 0) return { responses, interim, begun, stream, problem: notHttp(first) }
    const headers = lines.map(fieldOf)
    if (status < 200) {
      interim.push(status)
      at = headEnd + 4
      continue
    }
    const hasNone = isHead || status === 204 || status === 304
    const { body, end } = hasNone
      ? { body: new Uint8Array(), end: headEnd + 4 }
      : bodyOf(bytes, headEnd + 4, headers, isClosed)
    if (end === null) {
      begun = status
      const kind = openStreamOf(headers)
      if (kind !== null) stream = { status, headers, body: wholeItems(kind, body) }
      break
    }
    responses.push({ status, headers, body })
    at = end
  }
  const isHttp = bytes.length === 0 || bytes.toString('latin1', 0, 5) === 'HTTP/'.slice(0, bytes.length)
  return {
    responses,
    interim,
    begun,
    stream,
    problem: isHttp ? null : notHttp(bytes.toString('latin1', 0, mostQuoted)),
  }
}

const notHttp = (text: string): string => `not an HTTP response: ${text.slice(0, mostQuoted)}`

const fieldOf = (line: string): readonly [string, string] => {
  const at = line.indexOf(':')
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).trim()]
}

const bodyOf = (bytes: Buffer, at: number, headers: Headers, isClosed: boolean): Body => {
  if (/chunked\s*$/i.test(header(headers, 'transfer-encoding') ?? '')) return chunksOf(bytes, at)
  const length = header(headers, 'content-length')
  if (length === null) return { body: bytes.subarray(at), end: isClosed ? bytes.length : null }
  const end = at + Number(length)
  return { body: bytes.subarray(at, end), end: bytes.length >= end ? end : null }
}

const chunksOf = (bytes: Buffer, start: number): Body => {
  const chunks: Buffer[] = []
  const unfinished = (): Body => ({ body: Buffer.concat(chunks), end: null })
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return unfinished()
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (Number.isNaN(size)) return unfinished()
    const from = lineEnd + 2
    if (size === 0) {
      // Trailers end as header fields do.
      const end = bytes.indexOf('\r\n\r\n', lineEnd)
      return end < 0 ? unfinished() : { body: Buffer.concat(chunks), end: end + 4 }
    }
    if (bytes.length < from + size + 2) return unfinished()
    chunks.push(bytes.subarray(from, from + size))
    at = from + size + 2
  }
}
