import {
  curlScript,
  type HttpRequest,
  latin1,
  type RecordedOutcome,
  type RecordedRequest,
  recordBody,
  recordOutcome,
  redact,
  type Secret,
} from '../../spec/index.ts'
import type { Mask } from '../console/secrets.ts'
import type { Entry } from '../middleware/journal-entry.ts'

/** An exchange as reports have it: with placeholders in the place of credentials. */
export type RecordedEntry = {
  readonly request: RecordedRequest
  readonly outcome: RecordedOutcome
  readonly secrets: readonly Secret[]
}

/** Bytes of a body that are recorded. */
const bodyLimit = 65_536

/** Fields of a connection, which whoever sends the request again makes anew. */
const notRecorded = /^(?:host|connection|content-length|transfer-encoding|expect|keep-alive|te|upgrade)$/i

export const recordEntry = (entry: Entry, mask: Mask): RecordedEntry => {
  const { method, target, headers, body, bodySize, ms, forwarded, status } = entry
  const secrets = mask.secretsOf(target, headers).map(exact => ({ exact }))
  const clean = (bytes: Uint8Array): Uint8Array => withoutSecrets(bytes, secrets)
  const response = forwarded?.response ?? null
  const failure = forwarded?.failure ?? null
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
            headers: (response?.headers ?? entry.responseHeaders).map(
              ([name, value]) => [name, mask.header(name, value)] as const,
            ),
            body: clean(response?.body ?? entry.responseBody),
          },
          ms,
        },
    secrets,
    bodyLimit,
  )
  return {
    request: {
      method,
      target: mask.target(target),
      headers: headers.flatMap(([name, value]) =>
        notRecorded.test(name) ? [] : [[name, mask.header(name, value)] as const],
      ),
      body: body === null ? null : { ...recordBody(clean(body), bodyLimit), bytes: bodySize },
      chunked: headers.some(([name]) => name.toLowerCase() === 'transfer-encoding'),
    },
    outcome: recorded,
    secrets,
  }
}

/** Ends of names of properties and form fields whose values are credentials. */
const named = /((?:token|secret|\bpassword|\bapi_?key)(?:"\s*:\s*"|=))((?:[^"&\\\s]|\\.)+)/gi

const withoutSecrets = (bytes: Uint8Array, secrets: readonly Secret[]): Uint8Array => {
  const text = latin1(bytes)
  const clean = redact(text, secrets).replace(named, '$1{{token}}')
  return clean === text ? bytes : Buffer.from(clean, 'latin1')
}

/** The command that sends a recorded request again. */
export const curlOf = ({ body, ...request }: RecordedRequest, base: string): string => {
  const sent: HttpRequest = { ...request, body: body === null ? null : Buffer.from(body.data, body.encoding) }
  return curlScript([], sent, base)
}
