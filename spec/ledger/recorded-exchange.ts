import { redact, type Secret } from '../http/credential-placeholders.ts'
import type { Headers, HttpRequest, Outcome } from '../http/exchange.ts'
import { redirectPath } from '../judge/expected-status.ts'
import { beginning } from '../text/shown-text.ts'
import type { ExchangeEvent, RecordedBody, RecordedOutcome, RecordedRequest } from './event.ts'

/** Whether a recorded response accepts a request that has to be rejected. A redirect may keep it out as well: to the page of a login. */
export const isWronglyAccepted = ({
  expectation,
  outcome,
}: Pick<ExchangeEvent, 'expectation' | 'outcome'>): boolean =>
  expectation === 'reject' &&
  outcome.kind === 'response' &&
  outcome.status >= 200 &&
  outcome.status < 400 &&
  redirectPath(outcome) === null

const strict = { fatal: true, ignoreBOM: true } as const
const utf8 = new TextDecoder('utf-8', strict)

/** Bytes in a form that JSON can hold, cut at `limit` bytes; `bytes` is the whole length. */
export const recordBody = (body: Uint8Array, limit: number): RecordedBody => {
  const isCut = body.length > limit
  const kept = isCut ? body.subarray(0, limit) : body
  try {
    // If the cut goes through a character, its beginning is left out as well. A streaming decoder keeps it, so it is not used again.
    const data = isCut ? new TextDecoder('utf-8', strict).decode(kept, { stream: true }) : utf8.decode(kept)
    return { encoding: 'utf8', data, bytes: body.length }
  } catch {
    return { encoding: 'base64', data: Buffer.from(kept).toString('base64'), bytes: body.length }
  }
}

/** The bytes of a record; null if it has only their beginning. */
export const recordedBytes = (body: RecordedBody): Uint8Array | null => {
  const bytes = Buffer.from(body.data, body.encoding)
  return bytes.length === body.bytes ? bytes : null
}

export const recordRequest = (request: HttpRequest, limit: number): RecordedRequest => ({
  method: request.method,
  target: request.target,
  headers: request.headers,
  body: request.body === null ? null : recordBody(request.body, limit),
  chunked: request.chunked,
  ...(request.raw === undefined ? {} : { raw: request.raw }),
})

/** An outcome for the record, without the tokens that the server may have repeated. `limit`: of the body; null: all of the response. */
export const recordOutcome = (
  outcome: Outcome,
  secrets: readonly Secret[],
  limit: number | null,
): RecordedOutcome => {
  const ms = Math.round(outcome.ms * 100) / 100
  if (outcome.kind === 'failure')
    return {
      kind: 'failure',
      failure: outcome.failure,
      status: outcome.status,
      detail: redact(outcome.detail, secrets),
      ms,
      ...(outcome.blockedMs === undefined ? {} : { blockedMs: Math.round(outcome.blockedMs) }),
    }
  const { status, headers, body } = outcome.response
  return {
    kind: 'response',
    status,
    // Before the cut, as half a token is still half a secret.
    headers: limit === null ? redactHeaders(headers, secrets) : shortHeaders(redactHeaders(headers, secrets)),
    body: {
      ...recordedBody(body, secrets, limit),
      bytes: body.length,
    },
    ms,
    ...(outcome.trace === undefined ? {} : { trace: outcome.trace }),
  }
}

const recordedBody = (body: Uint8Array, secrets: readonly Secret[], limit: number | null): RecordedBody => {
  if (limit !== null) return recordBody(redactBytes(body.subarray(0, limit + longestSecret), secrets), limit)
  const clean = redactBytes(body, secrets)
  return recordBody(clean, clean.length)
}

/** Bytes. A longer secret that begins before the cut is not found. */
const longestSecret = 65_536

// Latin-1 maps each byte to one character, so that tokens are found in any bytes.
const redactBytes = (body: Uint8Array, secrets: readonly Secret[]): Uint8Array => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  const latin = secrets.map(inLatin1)
  const text = bytes.toString('latin1')
  const rest = redact(text, latin)
  return rest === text ? body : Buffer.from(rest, 'latin1')
}

const inLatin1 = (secret: Secret): Secret =>
  typeof secret === 'string'
    ? Buffer.from(secret).toString('latin1')
    : { exact: Buffer.from(secret.exact).toString('latin1') }

const redactHeaders = (headers: Headers, secrets: readonly Secret[]): Headers =>
  headers.map(([name, value]) => [redact(name, secrets), redact(value, secrets)])

/** What is recorded of a response's header: a server may send tens of kilobytes with every response. */
const headerLimits = { fields: 100, value: 1024 } as const

/** The first header fields, with the beginning of long values. */
const shortHeaders = (headers: Headers): Headers => {
  const left = headers.length - headerLimits.fields
  const shown = headers
    .slice(0, headerLimits.fields)
    .map(
      ([name, value]) =>
        [
          name,
          value.length > headerLimits.value
            ? `${beginning(value, headerLimits.value)}… (${value.length} characters)`
            : value,
        ] as const,
    )
  return left > 0 ? [...shown, ['…', `${left} more header fields`]] : shown
}
