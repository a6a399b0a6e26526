import {
  curlScript,
  decodedBody,
  type Headers,
  type HttpRequest,
  header,
  latin1,
  type RecordedBody,
  type RecordedOutcome,
  type RecordedRequest,
  recordBody,
  recordOutcome,
  redact,
  type Secret,
} from '../../spec/index.ts'
import type { Mask } from '../console/secrets.ts'
import type { Bodies } from '../middleware/journal.ts'
import type { Entry } from '../middleware/journal-entry.ts'
import { ofOneHop } from './fields.ts'

/** An exchange as reports have it: with placeholders in the place of credentials. */
export type RecordedEntry = {
  readonly request: RecordedRequest
  readonly outcome: RecordedOutcome
  readonly secrets: readonly Secret[]
}

/** Bytes of a body that a ledger has. */
const bodyLimit = 65_536

export const recordEntry = (entry: Entry, mask: Mask): RecordedEntry => {
  const { body, bodySize, responseBody, responseSize, forwarded } = entry
  const received = forwarded?.response?.body ?? responseBody
  return recordWith(
    entry,
    {
      request: { bytes: body, isCut: bodySize > (body?.length ?? 0) },
      response: {
        bytes: received,
        isCut: forwarded?.replaced !== true && responseSize > received.length,
      },
    },
    mask,
    bodyLimit,
  )
}

/** The same with whole bodies and header fields, to be replayed. */
export const recordWhole = (entry: Entry, bodies: Bodies, mask: Mask): RecordedEntry =>
  recordWith(entry, bodies, mask, null)

/** `limit`: bytes of a body that are recorded; null: all, and of the head as well. */
const recordWith = (entry: Entry, bodies: Bodies, mask: Mask, limit: number | null): RecordedEntry => {
  const { method, target, headers, ms, forwarded, status } = entry
  const secrets = mask.secretsOf(target, headers).map(exact => ({ exact }))
  const masked = (fields: Headers): Headers => fields.map(([name, value]) => [name, mask.header(name, value)])
  const response = forwarded?.response ?? null
  const failure = forwarded?.failure ?? null
  const sent = bodies.request.bytes === null ? null : withoutSecrets(headers, bodies.request.bytes, secrets)
  const received = withoutSecrets(response?.headers ?? entry.responseHeaders, bodies.response.bytes, secrets)
  const recorded = recordOutcome(
    failure !== null
      ? {
          kind: 'failure',
          failure: failure.kind,
          status: response?.status ?? null,
          detail: failure.detail,
          ms,
        }
      : {
          kind: 'response',
          response: {
            status: response?.status ?? status,
            headers: masked(received.headers),
            body: received.body,
          },
          ms,
        },
    secrets,
    limit,
  )
  return {
    request: {
      method,
      target: mask.target(target),
      headers: masked(sent?.headers ?? headers).filter(([name]) => !ofOneHop.test(name)),
      body:
        sent === null
          ? null
          : withSize(
              recordBody(sent.body, limit ?? sent.body.length),
              sizeOf(sent.body, bodies.request.isCut, headers),
            ),
      chunked: headers.some(([name]) => name.toLowerCase() === 'transfer-encoding'),
    },
    outcome:
      recorded.kind === 'response'
        ? {
            ...recorded,
            body: withSize(
              recorded.body,
              sizeOf(received.body, bodies.response.isCut, response?.headers ?? []),
            ),
          }
        : recorded,
    secrets,
  }
}

const withSize = (body: RecordedBody, bytes: number): RecordedBody => ({ ...body, bytes })

/** How large a body is at least. */
const sizeOf = (body: Uint8Array, isCut: boolean, headers: Headers): number =>
  isCut ? Math.max(body.length + 1, Number(header(headers, 'content-length') ?? 0)) : body.length

/** Ends of names of properties and form fields whose values are credentials. */
const named = /((?:token|secret|\bpassword|\bapi_?key)(?:"\s*:\s*"|=))((?:[^"&\\\s]|\\.)+)/gi

/** Fields that are about the body as it was sent. */
const ofCoding = /^content-(?:encoding|length)$/i

/** A message without its secrets. In a coded body they would not be found: it is recorded as it reads. */
const withoutSecrets = (
  headers: Headers,
  coded: Uint8Array,
  secrets: readonly Secret[],
): { readonly headers: Headers; readonly body: Uint8Array } => {
  const decoded = header(headers, 'content-encoding') === null ? coded : decodedBody({ headers, body: coded })
  const isDecoded = decoded !== coded && !('problem' in decoded)
  const bytes = 'problem' in decoded ? coded : decoded
  const text = latin1(bytes)
  const clean = redact(text, secrets).replace(named, '$1{{token}}')
  return {
    headers: isDecoded ? headers.filter(([name]) => !ofCoding.test(name)) : headers,
    body: clean === text ? bytes : Buffer.from(clean, 'latin1'),
  }
}

/** The command that sends a recorded request again. */
export const curlOf = ({ body, ...request }: RecordedRequest, base: string): string => {
  const sent: HttpRequest = { ...request, body: body === null ? null : Buffer.from(body.data, body.encoding) }
  return curlScript([], sent, base)
}
