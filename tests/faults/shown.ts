import { recordedBytes, type SentExchange } from '../../spec/index.ts'
import { violationIn } from '../broken-servers/probes/violation.ts'
import type { Exchange } from '../broken-servers/store/model.ts'
import { isAcceptable } from '../broken-servers/store/store.ts'

/** How the response to a request that a run sent violates the contract, by its text alone; undefined if it does not. */
export const violationShown = ({ request, outcome }: SentExchange): string | undefined => {
  const { method, target, headers, body, chunked, raw } = request
  if (outcome.kind === 'failure' || raw !== undefined || method !== 'POST' || target !== '/plants')
    return undefined
  const sent = body === null ? Buffer.alloc(0) : recordedBytes(body)
  const received = recordedBytes(outcome.body)
  if (sent === null || received === null) return undefined
  const bytes = Buffer.from(sent)
  const expectation = isAcceptable(exchangeOf(headers, bytes)) ? 'accept' : 'reject'
  const field = fieldsOf(outcome.headers)
  return violationIn(
    { expectation, request: { method, path: target, headers: {}, body: bytes, chunked } },
    {
      kind: 'response',
      status: outcome.status,
      type: field['content-type']?.join(', '),
      encoding: field['content-encoding']?.join(', '),
      retryAfter: field['retry-after']?.join(', '),
      body: Buffer.from(received),
    },
  )
}

type Headers = SentExchange['request']['headers']

/** By name in lower case. */
const fieldsOf = (headers: Headers): Readonly<Record<string, readonly string[] | undefined>> =>
  Object.fromEntries(
    [...Map.groupBy(headers, ([name]) => name.toLowerCase())].map(([name, fields]) => [
      name,
      fields.map(([, value]) => value.trim()),
    ]),
  )

/** A request as a store sees it. Records have a placeholder for the right token. */
const exchangeOf = (headers: Headers, bytes: Buffer): Exchange => {
  const headersDistinct = fieldsOf(headers)
  const first = Object.entries(headersDistinct).map(([name, values]) => [name, values?.[0]])
  return {
    request: { headers: Object.fromEntries(first), headersDistinct } as Exchange['request'],
    bytes,
    token: '{{token}}',
    nth: 1,
    nthOnSocket: 1,
    running: () => 1,
    wait: async () => {},
  }
}
