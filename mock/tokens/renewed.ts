import { isObject, type Json, type Pointer, parseJson, setAt, valueAt, writeJson } from '../../spec/index.ts'
import type { TokenTerms } from '../engine/context.ts'
import { compiledOperation, type Engine } from '../engine/engine.ts'
import type { MockResponse } from '../engine/mock-response.ts'
import { type JudgedRequest, seedOf } from '../engine/request.ts'
import { bytesOf } from '../engine/write-response.ts'
import type { Grant } from '../rules/grants.ts'
import { type GivenTokens, newToken } from './given.ts'
import { refreshTokenIn } from './presented.ts'
import { scopesOf } from './scopes.ts'

/**
 * A success that gives tokens, with tokens that no response gave before, and with the scopes and the seconds that they have. What
 * the contract does not allow stays as it was.
 */
export const renewed = (
  engine: Engine,
  given: GivenTokens,
  grant: Grant,
  judged: JudgedRequest,
  response: MockResponse,
  terms: TokenTerms | null,
): MockResponse => {
  const body = jsonOf(response)
  if (response.status >= 300 || body === undefined) return response
  const { judgeResponse } = compiledOperation(engine, judged.operation)
  let made = response
  const change = (at: Pointer, ...values: readonly Json[]): void => {
    for (const value of values) {
      const changed = { ...made, body: bytesOf(writeJson(setAt(jsonOf(made) ?? null, at, value))) }
      if (judgeResponse(changed, undefined).length > 0) continue
      made = changed
      return
    }
  }
  const renew = (at: Pointer, isWrong: (token: string) => boolean): void => {
    const token = valueAt(body, at)
    if (typeof token !== 'string' || (given.find(token) === undefined && !isWrong(token))) return
    const fresh = newToken(given, `${seedOf(judged.request)} ${at}`)
    change(at, fresh, fresh.slice(0, token.length))
  }
  // What a client sent comes back as it is, and must not become a right token by that.
  const sent = new Set(Object.values(sentBy(judged)))
  for (const at of grant.access) renew(at, token => sent.has(token) || !/^\S+$/.test(token))
  for (const at of grant.refresh) renew(at, () => false)
  const granted = scopesGranted(judged, terms) ?? scopesOf(engine.contract)
  for (const at of grant.scopes)
    if (granted.length > 0 && (valueAt(body, at) !== undefined || terms?.scopes != null))
      change(at, granted.join(' '), granted)
  for (const at of grant.seconds) if (terms !== null && terms.seconds !== null) change(at, terms.seconds)
  return made
}

/** Remembers the tokens that a success gives; a refresh token is used up by one that takes its place. */
export const remember = (
  given: GivenTokens,
  grant: Grant,
  judged: JudgedRequest,
  response: MockResponse,
  terms: TokenTerms | null,
): void => {
  const body = response.status < 300 ? jsonOf(response) : undefined
  if (body === undefined) return
  const tokensAt = (places: readonly Pointer[]): readonly string[] =>
    places.map(at => valueAt(body, at)).filter(token => typeof token === 'string')
  const seconds = terms?.seconds ?? null
  const scopes = scopesGranted(judged, terms)
  for (const token of tokensAt(grant.access)) given.give(token, { use: 'access', scopes, seconds })
  const sent = refreshTokenIn(judged)
  for (const token of tokensAt(grant.refresh)) {
    given.give(token, { use: 'refresh', scopes, seconds: null })
    if (sent !== undefined && sent !== token) given.end(sent)
  }
}

/** The scopes of the tokens: those of the scenario, else those that the client asked for; null: all. */
const scopesGranted = (judged: JudgedRequest, terms: TokenTerms | null): readonly string[] | null => {
  const asked = sentBy(judged)
  const scopes = terms?.scopes ?? asked.scope ?? asked.scopes
  if (typeof scopes === 'string') return scopes.split(/[ +,]+/).filter(Boolean)
  return Array.isArray(scopes) && scopes.length > 0 ? scopes.map(String) : null
}

/** What a client sent, by names. */
const sentBy = ({ body, parameters }: JudgedRequest): Readonly<Record<string, Json>> => ({
  ...parameters,
  ...(body !== undefined && isObject(body) ? body : {}),
})

const jsonOf = ({ body }: MockResponse): Json | undefined => {
  try {
    return parseJson(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}
