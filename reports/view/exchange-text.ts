import {
  failureText,
  type Headers,
  header,
  headerValues,
  partsText,
  plural,
  type RecordedBody,
  type RecordedOutcome,
  type RecordedRequest,
  recordedBytes,
  safeLines,
  safeText,
  thousands,
  withoutBoundary,
} from '../../spec/index.ts'
import { cutText } from '../text/cut-text.ts'

const limit = 100_000

/** A request as it was sent, in lines that are safe to print. */
export const requestLines = ({
  method,
  target,
  headers,
  body,
  chunked,
  raw,
}: RecordedRequest): readonly string[] => {
  if (raw !== undefined) return safeLines(cutText(rawText(raw), limit))
  const framing: Headers = chunked ? [['Transfer-Encoding', 'chunked']] : []
  return [
    `${safeText(method)} ${safeText(target)}`,
    ...headerLines([...headers, ...framing]),
    ...bodyLines(body),
  ]
}

/** A response as it was received, or why there was none, in lines that are safe to print. */
export const outcomeLines = (outcome: RecordedOutcome): readonly string[] =>
  outcome.kind === 'failure'
    ? [outcomeLine(outcome, limit)]
    : [String(outcome.status), ...headerLines(outcome.headers), ...bodyLines(outcome.body)]

const headerLines = (headers: Headers): readonly string[] =>
  headers.map(([name, value]) => `${safeText(name)}: ${safeText(value)}`)

const bodyLines = (body: RecordedBody | null): readonly string[] => {
  if (body === null || body.bytes === 0) return []
  const encoding = body.encoding === 'base64' ? [`(base64 of ${body.bytes} bytes)`] : []
  return ['', ...encoding, ...safeLines(cutText(body.data, limit, body.bytes))]
}

/** A body in one line, cut to about this many characters; empty if there is none. */
const bodyLine = (body: RecordedBody | null, limit: number): string => {
  if (body === null || body.bytes === 0) return ''
  const text = body.encoding === 'base64' ? `base64 ${body.data}` : safeText(body.data)
  const whole =
    body.encoding === 'base64' ? Buffer.byteLength(body.data, 'base64') : Buffer.byteLength(body.data)
  if (text.length > limit || body.encoding === 'base64') return cutText(text, limit, body.bytes)
  return whole < body.bytes ? `${text}… (${thousands(body.bytes)} bytes)` : text
}

/** The credentials in Authorization; empty if they are simply the right token, or stand in another place. */
const credentials = ({ target, headers }: RecordedRequest): string => {
  const values = headerValues(headers, 'authorization')
  if (values.length === 1 && values[0] === 'Bearer {{token}}') return ''
  if (
    values.length === 0 &&
    [target, ...headers.map(([, value]) => value)].some(text => text.includes('{{token'))
  )
    return ''
  return values.length === 0
    ? 'without Authorization'
    : values.map(value => `Authorization: ${safeText(value)}`).join(' and ')
}

/** The parts of a multipart body; null if it has none, or if only its beginning is recorded. */
const partsLine = ({ headers, body }: RecordedRequest, limit: number): string | null => {
  const bytes = body === null ? null : recordedBytes(body)
  const text = bytes === null ? null : partsText(bytes, header(headers, 'content-type'))
  return text === null ? null : cutText(safeText(text), limit)
}

const contentType = ({ headers, body }: RecordedRequest): string => {
  const type = withoutBoundary(header(headers, 'content-type'))
  // Of a body that it does not have, the type says what the case is about.
  if (body === null && type !== null) return `Content-Type: ${safeText(type)}`
  if (body === null || type === 'application/json') return ''
  return type === null ? 'without Content-Type' : `Content-Type: ${safeText(type)}`
}

/** Headers of every request, or shown in another way. */
const usual = [
  /^accept: application\/json, \*\/\*;q=0\.1$/i,
  /^(?:authorization|content-type):/i,
  /\{\{header\}\}$/,
]

const shownHeaders = { most: 3, characters: 60 } as const

/** All other headers. */
const otherHeaders = ({ headers }: RecordedRequest): readonly string[] => {
  const lines = headers
    .map(([name, value]) => `${name}: ${value}`)
    .filter(line => !usual.some(pattern => pattern.test(line)))
  const more = lines.length - shownHeaders.most
  return [
    ...lines.slice(0, shownHeaders.most).map(line => cutText(safeText(line), shownHeaders.characters)),
    ...(more > 0 ? [plural(more, 'more header')] : []),
  ]
}

/** Raw bytes as one text; the sender waits for the server at `⏸` and closes its side at `⏹`. */
export const rawText = ({ pieces, end }: NonNullable<RecordedRequest['raw']>): string =>
  `${pieces.join('⏸')}${end === 'now' ? '⏹' : ''}`

/** A request in one line: method, target, whatever is unusual about its head, body. */
export const requestLine = (request: RecordedRequest, limit: number): string => {
  if (request.raw !== undefined) return `raw bytes: ${cutText(safeText(rawText(request.raw)), limit)}`
  const unusualParts = [
    credentials(request),
    contentType(request),
    ...otherHeaders(request),
    request.chunked ? 'chunked' : '',
  ].filter(part => part !== '')
  const unusual = unusualParts.length === 0 ? '' : ` (${unusualParts.join(', ')})`
  const body = partsLine(request, limit) ?? bodyLine(request.body, limit)
  return `${safeText(request.method)} ${cutText(safeText(request.target), limit)}${unusual}${body === '' ? '' : ` ${body}`}`
}

/** A response in one line: status, media type, body; or why there was none. */
export const outcomeLine = (outcome: RecordedOutcome, limit: number): string => {
  if (outcome.kind === 'failure') {
    const begun = outcome.status === null ? '' : `${outcome.status}, then `
    return safeText(`${begun}${failureText[outcome.failure]}: ${outcome.detail}`)
  }
  const type = header(outcome.headers, 'content-type')
  return [String(outcome.status), type === null ? '' : safeText(type), bodyLine(outcome.body, limit)]
    .filter(part => part !== '')
    .join(' ')
}
