import {
  header,
  isObject,
  type Json,
  type Pointer,
  parseJson,
  setAt,
  valueAt,
  writeJson,
} from '../../spec/index.ts'
import { digest } from '../chance/hash.ts'
import { bytesOf, type MockResponse } from '../engine/compiled-response.ts'
import type { Middleware, TokenTerms } from '../engine/context.ts'
import { compiledOperation, type Engine } from '../engine/engine.ts'
import { judge } from '../engine/judge.ts'
import { chain } from '../engine/maybe-promise.ts'
import { clientHeader, type JudgedRequest, seedOf } from '../engine/request.ts'
import { LRUCache } from '../lru-cache.ts'
import { type Grant, grantOf } from '../rules/grants.ts'
import { presentedTokens, refreshTokenIn } from './presented.ts'
import { scopesOf } from './scopes.ts'

/** A token that a response gave. */
export type GivenToken = {
  /** For requests, or to get other tokens. */
  readonly use: 'access' | 'refresh'
  /** Null: it has all. */
  readonly scopes: readonly string[] | null
  /** For so long; null: as long as the mock runs. */
  readonly seconds: number | null
}

export type GivenTokens = {
  readonly find: (token: string) => GivenToken | undefined
  /** Whether a token was given, and is not right any more. */
  readonly isRevoked: (token: string) => boolean
  readonly give: (token: string, given: GivenToken) => void
  readonly end: (token: string) => void
  /** Ends all tokens for requests; those to get others stay. */
  readonly expire: () => void
}

/** Of more, the one that was used longest ago is forgotten. */
const mostTokens = 10_000

/** `ticks`: milliseconds of a clock that only goes forward. */
export const createGivenTokens = (ticks: () => number): GivenTokens => {
  const all = new LRUCache<string, GivenToken & { readonly until: number }>({ max: mostTokens })
  const end = (token: string): void => {
    const found = all.get(token)
    if (found !== undefined) all.set(token, { ...found, until: Number.NEGATIVE_INFINITY })
  }
  return {
    find: token => all.get(token),
    isRevoked: token => {
      const found = all.get(token)
      return found !== undefined && found.until <= ticks()
    },
    give: (token, given) => {
      const { seconds } = given
      all.set(token, {
        ...given,
        until: seconds === null ? Number.POSITIVE_INFINITY : ticks() + seconds * 1000,
      })
    },
    end,
    expire: () => {
      for (const [token, { use }] of [...all.entries()]) if (use === 'access') end(token)
    },
  }
}

/** A token that no response gave before; equal requests to equal mocks get equal ones. */
export const newToken = (given: GivenTokens, seed: string): string => {
  for (let number = 1; ; number++) {
    const token = digest(`${seed} ${number}`)
    if (given.find(token) === undefined) return token
  }
}

/** Gives each token data of its own, as if it were a client that names itself; one that does name itself keeps its name. */
export const dataOfToken: Middleware = (context, next) => {
  const { document, received, request } = context
  if (
    document === null ||
    request.unreadable !== undefined ||
    header(received.headers, clientHeader) !== null
  )
    return next(context)
  const judged = judge(document.engine, context)
  const [token] = judged === null ? [] : presentedTokens(judged.operation, judged.request)
  const given = token ?? header(received.headers, 'authorization')
  if (given !== null) context.client = `token ${digest(given)}`
  return next(context)
}

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
const remember = (
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

/** Remembers the tokens of every response, whatever made it: an answer of the user's own gives right tokens as well. */
export const issueTokens =
  (given: GivenTokens, isIdle: () => boolean): Middleware =>
  (context, next) =>
    isIdle()
      ? next(context)
      : chain(next(context), response => {
          const { document, judged, terms } = context
          if (document === null || judged === null || judged.violations.length > 0) return response
          const grant = grantOf(document.contract, judged.operation)
          if (grant !== null) remember(given, grant, judged, response, terms)
          return response
        })
