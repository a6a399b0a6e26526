import { type DeclaredResponse, header } from '../../spec/index.ts'
import type { Engine } from './engine.ts'
import { chain, type MaybePromise } from './maybe-promise.ts'
import type { MockResponse } from './mock-response.ts'
import type { MockRequest } from './request.ts'

/** The declared response in the media type that the client likes best; null: it accepts none that there is. */
export const acceptable = (
  { negotiation }: Engine,
  declared: DeclaredResponse,
  { headers }: MockRequest,
  example: string | null = null,
): DeclaredResponse | null =>
  declared.media.length === 0 ? declared : negotiation.negotiate(declared, header(headers, 'accept'), example)

/** The same; in the usual media type if the client accepts none (RFC 9110, 12.4.1). */
export const preferablyAcceptable = (
  engine: Engine,
  declared: DeclaredResponse,
  request: MockRequest | null,
  example: string | null = null,
): DeclaredResponse =>
  (request === null ? null : acceptable(engine, declared, request, example)) ??
  engine.negotiation.negotiate(declared, null, example) ??
  declared

/** Says to caches that the response depends on Accept (RFC 9110, 12.5.5), if it does. */
export const withVary = (
  { negotiation }: Engine,
  declared: DeclaredResponse,
  response: MaybePromise<MockResponse>,
): MaybePromise<MockResponse> =>
  negotiation.varies(declared)
    ? chain(response, made => ({ ...made, headers: [...made.headers, ['Vary', 'Accept']] }))
    : response
