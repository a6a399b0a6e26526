import type { RecordedBody, RecordedOutcome, RecordedRequest } from './event.ts'
import type { Headers, Outcome, Request } from './exchange.ts'
import { redact } from './token.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Bytes as JSON can hold them; beyond `limit` bytes the rest is left out, `bytes` tells how long they were. */
export const recordBody = (body: Uint8Array, limit: number): RecordedBody => {
  const kept = body.length > limit ? body.subarray(0, limit) : body
  try {
    return { encoding: 'utf8', data: utf8.decode(kept), bytes: body.length }
  } catch {
    return { encoding: 'base64', data: Buffer.from(kept).toString('base64'), bytes: body.length }
  }
}

/** The bytes of a record; null where it holds only their beginning. */
export const recordedBytes = (body: RecordedBody): Uint8Array | null => {
  const bytes = Buffer.from(body.data, body.encoding)
  return bytes.length === body.bytes ? bytes : null
}

export const recordRequest = (request: Request, limit: number): RecordedRequest => ({
  method: request.method,
  target: request.target,
  headers: request.headers,
  body: request.body === null ? null : recordBody(request.body, limit),
  chunked: request.chunked,
})

/** An outcome as it is written down; tokens that the server gave back are taken out. */
export const recordOutcome = (
  outcome: Outcome,
  tokens: readonly string[],
  limit: number,
): RecordedOutcome => {
  const ms = Math.round(outcome.ms * 100) / 100
  if (outcome.kind === 'failure')
    return {
      kind: 'failure',
      failure: outcome.failure,
      status: outcome.status,
      detail: redact(outcome.detail, tokens),
      ms,
    }
  const { status, headers, body } = outcome.answer
  const recorded = recordBody(body, limit)
  return {
    kind: 'answer',
    status,
    headers: redactHeaders(headers, tokens),
    body: { ...recorded, data: redact(recorded.data, tokens) },
    ms,
  }
}

const redactHeaders = (headers: Headers, tokens: readonly string[]): Headers =>
  headers.map(([name, value]) => [name, redact(value, tokens)])
