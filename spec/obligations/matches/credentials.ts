import type { Scheme } from '../../contract/contract.ts'
import { fillToken } from '../../http/credential-placeholders.ts'
import { header, headerValues } from '../../http/exchange.ts'
import { cookiePairs, queryPairs } from '../../serialization/parse-parameter.ts'
import type { ElsewhereToken } from '../../serialization/request-head.ts'
import type { CredentialKind } from '../inputs/credential-kind.ts'
import { elsewhereTokens } from '../inputs/elsewhere-tokens.ts'
import type { SentRequest } from './values.ts'

/** Whether a request has credentials in one of the variants of a kind. `token`: null if placeholders were left in it. */
export const isVariant = (
  { variants, elsewhere }: CredentialKind,
  scheme: Scheme,
  token: string | null,
  { headers, target }: SentRequest['request'],
): boolean => {
  const mark = target.indexOf('?')
  const pairs = mark < 0 ? [] : queryPairs(target.slice(mark + 1))
  const found = tokensElsewhere(scheme, headers, pairs, token)
  const isRight =
    found.length > 0 === elsewhere.length > 0 &&
    found.every(each => elsewhere.flat().some(place => keyOf(place) === keyOf(each)))
  if (!isRight) return false
  const sent = credentialValues(scheme, headers, pairs)
  return variants.some(
    values =>
      values.length === sent.length &&
      values.every((value, index) => filled(value, token).trim() === sent[index]),
  )
}

/** What a request has at the places where only a token would be. An API key has such a place itself. */
const tokensElsewhere = (
  scheme: Scheme,
  headers: SentRequest['request']['headers'],
  query: readonly (readonly [string, string])[],
  token: string | null,
): readonly ElsewhereToken[] => {
  if (scheme.kind === 'apiKey') return []
  const cookies = cookiePairs(header(headers, 'cookie') ?? '')
  const all = [
    ...query.map(([name, value]) => ({ in: 'query', name, value }) as const),
    ...headers.map(([name, value]) => ({ in: 'header', name, value }) as const),
    ...cookies.map(([name, value]) => ({ in: 'cookie', name, value }) as const),
  ]
  return all.filter(each => {
    const value = valueAt.get(keyOf(each))
    return value !== undefined && filled(value, token) === each.value
  })
}

const keyOf = (place: Pick<ElsewhereToken, 'in' | 'name'>): string =>
  `${place.in} ${place.name.toLowerCase()}`

/** What is sent at each of these places. */
const valueAt = new Map(
  Object.values(elsewhereTokens)
    .flat()
    .map(place => [keyOf(place), place.value]),
)

const filled = (value: string, token: string | null): string =>
  token === null ? value : fillToken(value, token)

const credentialValues = (
  scheme: Scheme,
  headers: SentRequest['request']['headers'],
  query: readonly (readonly [string, string])[],
): readonly string[] => {
  if (scheme.kind !== 'apiKey') return headerValues(headers, 'authorization')
  if (scheme.in === 'header') return headerValues(headers, scheme.key.toLowerCase())
  const pairs = scheme.in === 'query' ? query : cookiePairs(header(headers, 'cookie') ?? '')
  return pairs.filter(([name]) => name === scheme.key).map(([, value]) => value)
}
