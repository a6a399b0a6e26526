import type { RecordedBody, RecordedOutcome, RecordedRequest } from '../spec/index.ts'
import { header, headerValues, mediaType } from '../spec/index.ts'
import { thousands } from './count.ts'
import { cutText } from './cut-text.ts'
import { safeText } from './safe-text.ts'

/** A body in one line, cut to about this many characters; empty where there is none. */
const bodyLine = (body: RecordedBody | null, limit: number): string => {
  if (body === null || body.bytes === 0) return ''
  const text = body.encoding === 'base64' ? `base64 ${body.data}` : safeText(body.data)
  const whole =
    body.encoding === 'base64' ? Buffer.byteLength(body.data, 'base64') : Buffer.byteLength(body.data)
  if (text.length > limit || body.encoding === 'base64') return cutText(text, limit, body.bytes)
  return whole < body.bytes ? `${text}… (${thousands(body.bytes)} bytes)` : text
}

/** The credentials as sent, where they are what a reader has to see: every case that is not simply the right token. */
const credentials = ({ headers }: RecordedRequest): string => {
  const values = headerValues(headers, 'authorization')
  if (values.length === 1 && values[0] === 'Bearer {{token}}') return ''
  return values.length === 0
    ? 'without Authorization'
    : values.map(value => `Authorization: ${safeText(value)}`).join(' and ')
}

const contentType = ({ headers, body }: RecordedRequest): string => {
  const type = header(headers, 'content-type')
  if (body === null || mediaType(type) === 'application/json') return ''
  return type === null ? 'without Content-Type' : `Content-Type: ${safeText(type)}`
}

/** Raw bytes as one text; `⏸` where the sender waits for the server, `⏹` where it closes its side. */
export const rawText = ({ pieces, end }: NonNullable<RecordedRequest['raw']>): string =>
  `${pieces.join('⏸')}${end === 'now' ? '⏹' : ''}`

/** A request in one line: method, target, what is unusual in its head, body. */
export const requestLine = (request: RecordedRequest, limit: number): string => {
  if (request.raw !== undefined) return `raw bytes: ${cutText(safeText(rawText(request.raw)), limit)}`
  const head = [credentials(request), contentType(request), request.chunked ? 'chunked' : ''].filter(
    part => part !== '',
  )
  const unusual = head.length === 0 ? '' : ` (${head.join(', ')})`
  const body = bodyLine(request.body, limit)
  return `${safeText(request.method)} ${cutText(safeText(request.target), limit)}${unusual}${body === '' ? '' : ` ${body}`}`
}

const failures = {
  refused: 'the connection was refused',
  unreachable: 'the host could not be reached',
  reset: 'the connection was closed before the answer was whole',
  timeout: 'no whole answer in time',
  malformed: 'what came is not HTTP',
  'too-large': 'the answer is too large',
} as const

/** An answer in one line: status, media type, body; or why there was none. */
export const outcomeLine = (outcome: RecordedOutcome, limit: number): string => {
  if (outcome.kind === 'failure') {
    const begun = outcome.status === null ? '' : `${outcome.status}, then `
    return safeText(`${begun}${failures[outcome.failure]}: ${outcome.detail}`)
  }
  const type = header(outcome.headers, 'content-type')
  return [String(outcome.status), type === null ? '' : safeText(type), bodyLine(outcome.body, limit)]
    .filter(part => part !== '')
    .join(' ')
}
