import { STATUS_CODES } from 'node:http'
import {
  type Headers,
  header,
  headerValues,
  plural,
  type RecordedBody,
  type RecordedOutcome,
  type RecordedRequest,
  type SentExchange,
  type StartEvent,
  thousands,
  withoutLastSlashes,
} from '../../../spec/index.ts'

/** The base URL of the requests, and the moment that their times count from, in milliseconds since 1970. */
type Origin = { readonly base: string; readonly began: number }

/** An exchange as an entry of a HAR file. Fields that HAR does not know begin with `_`, as it requires. */
const entryOf = ({ request, outcome, at, broken = [] }: SentExchange, { base, began }: Origin) => ({
  startedDateTime: new Date(began + Math.max(0, at)).toISOString(),
  time: Math.max(0, outcome.ms),
  request: requestOf(request, base),
  response: responseOf(outcome),
  cache: {},
  // Only the whole time is known, not its parts.
  timings: { send: 0, wait: Math.max(0, outcome.ms), receive: 0 },
  ...(broken.length === 0 ? {} : { comment: `breaks ${broken.join(', ')}` }),
})

const requestOf = ({ method, target, headers, body, chunked, raw }: RecordedRequest, base: string) => {
  const sent: Headers = chunked ? [...headers, ['Transfer-Encoding', 'chunked']] : headers
  return {
    method,
    url: urlOf(base, target),
    httpVersion: 'HTTP/1.1',
    cookies: headerValues(headers, 'cookie').flatMap(value => value.split(';').map(cookieOf)),
    headers: fieldsOf(sent),
    queryString: queryOf(target),
    headersSize: -1,
    bodySize: body?.bytes ?? 0,
    ...(body === null
      ? {}
      : {
          postData: {
            mimeType: header(headers, 'content-type') ?? '',
            text: body.data,
            // HAR has no field for binary request bodies; today's readers look at this one.
            ...(body.encoding === 'base64' ? { _encoding: 'base64' } : {}),
            ...cutOf(body),
          },
        }),
    ...(raw === undefined
      ? {}
      : { comment: 'sent as the raw bytes in _raw, one character each', _raw: raw.pieces }),
  }
}

const responseOf = (outcome: RecordedOutcome) => {
  if (outcome.kind === 'failure')
    return {
      status: outcome.status ?? 0,
      statusText: '',
      httpVersion: '',
      cookies: [],
      headers: [],
      content: { size: 0, mimeType: 'x-unknown' },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      comment: `no whole response (${outcome.failure}): ${outcome.detail}`,
      _error: outcome.failure,
    }
  const { status, headers, body } = outcome
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: headerValues(headers, 'set-cookie').map(value => cookieOf(value.split(';')[0] ?? '')),
    headers: fieldsOf(headers),
    content: {
      size: body.bytes,
      mimeType: header(headers, 'content-type') ?? 'x-unknown',
      text: body.data,
      ...(body.encoding === 'base64' ? { encoding: 'base64' } : {}),
      ...cutOf(body),
    },
    redirectURL: header(headers, 'location') ?? '',
    headersSize: -1,
    bodySize: body.bytes,
  }
}

const cutOf = ({ data, encoding, bytes }: RecordedBody) => {
  const recorded = Buffer.byteLength(data, encoding)
  return recorded < bytes ? { comment: `the first ${thousands(recorded)} of ${plural(bytes, 'byte')}` } : {}
}

const fieldsOf = (headers: Headers) => headers.map(([name, value]) => ({ name, value }))

const cookieOf = (text: string) => {
  const [name = '', ...value] = text.trim().split('=')
  return { name, value: value.join('=') }
}

const queryOf = (target: string) => {
  const query = target.split('#')[0]?.split('?').slice(1).join('?') ?? ''
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }))
}

/** The URL as it was sent: `new URL` would normalise the path. What no URI may contain (RFC 3986) is percent-encoded. */
const urlOf = (base: string, target: string): string => {
  const { origin, pathname } = URL.canParse(base) ? new URL(base) : { origin: '', pathname: '' }
  const path = `${withoutLastSlashes(pathname)}${target.replace(/^(?=[^/])/, '/')}`
  return `${/^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : 'http://unknown.invalid'}${uriPath(path)}`
}

const uriPath = (text: string): string =>
  text
    .toWellFormed()
    .replace(/%(?![\da-f]{2})|[^\w\-.~:/?@!$&'()*+,;=%]+/gi, part => encodeURIComponent(part))

const secrets =
  'Credentials and the values of extra headers are placeholders; header fields that an HTTP client adds by itself are not listed.'

/** The text of a HAR file up to its first entry. */
const harHead = ({ name, version }: StartEvent['product']): string =>
  `{"log":{"version":"1.2","creator":${JSON.stringify({ name, version })},"entries":[`

/** The text after its last entry; `comments` tell its reader what is missing. */
const harTail = (comments: readonly string[]): string =>
  `\n],"comment":${JSON.stringify([...comments, secrets].join(' '))}}}\n`

export type HarOptions = {
  readonly product: StartEvent['product']
  readonly origin: Origin
  /** The most bytes that the file may have. */
  readonly limit: number
}

/** A HAR file that is written during a run: its text in pieces, none of which is kept in memory. */
export type HarStream = {
  readonly head: string
  /** The text of one more entry; empty if the file would become too large. */
  readonly entry: (exchange: SentExchange) => string
  /** The text after the entries so far. `isWhole`: there will be no more. */
  readonly tail: (isWhole: boolean) => string
  readonly leftOut: () => number
}

// Room for the tail.
const spare = 2048

export const createHarStream = ({ product, origin, limit }: HarOptions): HarStream => {
  const head = harHead(product)
  let size = Buffer.byteLength(head)
  let written = 0
  let leftOut = 0
  return {
    head,
    entry: exchange => {
      const text = `${written === 0 ? '' : ','}\n${JSON.stringify(entryOf(exchange, origin))}`
      size += Buffer.byteLength(text)
      // The size keeps growing, so that everything later is left out as well: a file with gaps would look whole.
      if (size > limit - spare) {
        leftOut += 1
        return ''
      }
      written += 1
      return text
    },
    tail: isWhole =>
      harTail([
        ...(leftOut === 0
          ? []
          : [`${plural(leftOut, 'later exchange')} left out: the file would be too large.`]),
        ...(isWhole ? [] : ['The run was cut off: everything after it is missing.']),
      ]),
    leftOut: () => leftOut,
  }
}
