import { canonical, errorCodes, header, keyHeaderOf, type Operation } from '../../spec/index.ts'
import { digest } from '../chance/hash.ts'
import type { MockResponse } from '../engine/compiled-response.ts'
import type { Engine } from '../engine/engine.ts'
import { failWith, reject } from '../engine/reject.ts'
import type { JudgedRequest } from '../engine/request.ts'

/** The first request with a key, and its response, which may be on its way. */
export type KeyUse = { readonly request: string; readonly response: Promise<MockResponse | null> }

/** So many keys of a client are known; of more, the oldest are forgotten. */
const mostKeys = 10_000

/**
 * Responds once for each key (draft-ietf-httpapi-idempotency-key-header): the same request gets the same response again, and another one is
 * rejected. `keys`: those of the client.
 */
export const onceForKey = (
  engine: Engine,
  judged: JudgedRequest,
  keys: () => Map<string, KeyUse>,
  respond: () => Promise<MockResponse | null>,
): Promise<MockResponse | null> => {
  const { operation, body, request } = judged
  const name = keyHeaderOf(engine.contract, operation)?.name
  const key = name === undefined ? null : header(request.headers, name.toLowerCase())
  if (key === null) return respond()
  const use = `${operation.id} ${key}`
  const content = digest(`${request.target} ${body === undefined ? '' : canonical(body)}`)
  const uses = keys()
  const known = uses.get(use)
  if (known !== undefined) return known.request === content ? known.response : reused(engine, operation)
  const response = respond()
  response.catch(() => uses.delete(use))
  uses.set(use, { request: content, response })
  if (uses.size > mostKeys) uses.delete(uses.keys().next().value ?? '')
  return response
}

const reused = async (engine: Engine, operation: Operation): Promise<MockResponse> => {
  const reason = { code: errorCodes.keyReused, messages: ['another request has taken this key'] }
  const status = [422, 409].find(each => operation.responses.some(declared => declared.status === `${each}`))
  return status === undefined
    ? reject(engine, operation, 'parameter', reason)
    : failWith(engine, operation, status, reason)
}
