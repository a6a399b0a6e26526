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
  thousands,
  withoutLastSlashes,
} from '../../../spec/index.ts'

/** The base URL of the requests, and the moment that their times count from, in milliseconds since 1970. */
export type Origin = { readonly base: string; readonly began: number }

/** An exchange as an entry of a HAR file. Fields that HAR does not know begin with `_`, as it requires. */
export const entryOf = ({ request, outcome, at, broken = [] }: SentExchange, { base, began }: Origin) => ({
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
