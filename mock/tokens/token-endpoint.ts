import { header, isObject, type Json, readJson, writeJson } from '../../spec/index.ts'
import type { AdminRoutes } from '../admin/routes.ts'
import { below, isBelow } from '../documents/documents.ts'
import type { MockResponse } from '../engine/compiled-response.ts'
import type { Context, Middleware, ServedDocument } from '../engine/context.ts'
import { pathOf, seedOf } from '../engine/request.ts'
import type { Clock, Journal } from '../middleware/journal.ts'
import { type TokenEndpoint, tokenEndpoints } from '../rules/token-endpoints.ts'
import { type GivenTokens, newToken } from './given.ts'
import { scopesOf } from './scopes.ts'

export type EndpointOptions = {
  readonly documents: () => readonly ServedDocument[]
  readonly given: GivenTokens
  readonly journal: Journal
  readonly clock: Clock
}

/**
 * Gives tokens at the `tokenUrl` of a document that does not declare it as an operation (RFC 6749, 5): to any client, whatever its
 * credentials, code or password are.
 */
export const tokenEndpoint =
  ({ documents, given, journal, clock }: EndpointOptions): Middleware =>
  (context, next) => {
    const found = context.request.method === 'POST' ? endpointFor(documents(), context) : null
    if (found === null) return next(context)
    const began = clock.ticks()
    const response = tokenResponse(found.document, given, context)
    const { method, target, headers, body } = context.received
    journal.add({
      ms: clock.ticks() - began,
      method,
      target,
      headers,
      body,
      response,
      operation: `${found.endpoint.scheme}.token`,
      violations: [],
      scenario: `token endpoint of ${found.endpoint.scheme}`,
      answerProblem: null,
    })
    return response
  }

type Found = { readonly document: ServedDocument; readonly endpoint: TokenEndpoint }

const endpointFor = (documents: readonly ServedDocument[], { request }: Context): Found | null => {
  const path = pathOf(request.target)
  for (const document of documents) {
    if (!isBelow(path, document.prefix)) continue
    const rest = below(path, document.prefix)
    const endpoint = tokenEndpoints(document.contract).find(each => each.path === rest)
    if (endpoint !== undefined) return { document, endpoint }
  }
  return null
}

const lifetime = 3600
const grantTypes = ['authorization_code', 'client_credentials', 'password', 'refresh_token']

const tokenResponse = (
  { contract }: ServedDocument,
  given: GivenTokens,
  { request }: Context,
): MockResponse => {
  const fields = fieldsOf(request.body, header(request.headers, 'content-type') ?? '')
  const type = fields.get('grant_type')
  const refresh = fields.get('refresh_token')
  if (type === undefined) return failure('invalid_request', 'grant_type is missing')
  if (!grantTypes.includes(type))
    return failure('unsupported_grant_type', `grant_type must be one of ${grantTypes.join(', ')}`)
  if (type === 'refresh_token' && refresh === undefined)
    return failure('invalid_request', 'refresh_token is missing')
  if (refresh !== undefined && given.isRevoked(refresh))
    return failure('invalid_grant', 'the refresh token is used up')
  const before = refresh === undefined ? null : (given.find(refresh)?.scopes ?? null)
  const asked = fields.get('scope')?.split(' ').filter(Boolean) ?? before
  const scopes = asked === null || asked.length === 0 ? null : asked
  const make = (use: 'access' | 'refresh'): string => {
    const token = newToken(given, `${seedOf(request)} ${use}`)
    given.give(token, { use, scopes, seconds: null })
    return token
  }
  const granted = (scopes ?? scopesOf(contract)).join(' ')
  const tokens = {
    access_token: make('access'),
    token_type: 'Bearer',
    expires_in: lifetime,
    ...(type === 'client_credentials' ? {} : { refresh_token: make('refresh') }),
    ...(granted === '' ? {} : { scope: granted }),
  }
  if (refresh !== undefined) given.end(refresh)
  return answer(200, tokens)
}

/** Clients send a form; some send JSON. */
const fieldsOf = (body: Uint8Array | null, type: string): ReadonlyMap<string, string> => {
  const bytes = body ?? new Uint8Array()
  if (!/json/i.test(type)) return new Map(new URLSearchParams(new TextDecoder().decode(bytes)))
  const reading = readJson(bytes)
  const value: Json | null = reading.ok ? reading.value : null
  return new Map(isObject(value) ? Object.entries(value).map(([name, each]) => [name, String(each)]) : [])
}

const failure = (error: string, description: string): MockResponse =>
  answer(400, { error, error_description: description })

const answer = (status: number, value: Json): MockResponse => ({
  status,
  headers: [
    ['Content-Type', 'application/json'],
    ['Cache-Control', 'no-store'],
  ],
  body: new TextEncoder().encode(writeJson(value)),
})

/** `DELETE /__plantstore/tokens`: the tokens that were given so far have expired. */
export const tokenRoutes = ({ expire }: GivenTokens): AdminRoutes => ({
  'DELETE /tokens': () => {
    expire()
    return { status: 204, headers: [], body: new Uint8Array() }
  },
})
