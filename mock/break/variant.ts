import {
  type CredentialKind,
  cookiePairs,
  fillToken,
  type Headers,
  header,
  headerValues,
  queryPairs,
  type Scheme,
} from '../../spec/index.ts'
import type { Asked } from './breaker.ts'

/** Whether credentials were given in one of the variants of a kind. */
export const isVariant = (
  { variants, query }: CredentialKind,
  scheme: Scheme,
  token: string,
  { request }: Asked,
): boolean => {
  const { headers, target } = request
  const mark = target.indexOf('?')
  const pairs = mark < 0 ? [] : queryPairs(target.slice(mark + 1))
  const given = credentialsOf(scheme, headers, pairs)
  const asked = query === null ? null : fillToken(query, encodeURIComponent(token))
  if (asked === null ? pairs.some(([name]) => name === 'access_token') : !target.endsWith(asked)) return false
  return variants.some(
    values =>
      values.length === given.length &&
      values.every((value, index) => fillToken(value, token).trim() === given[index]),
  )
}

const credentialsOf = (
  scheme: Scheme,
  headers: Headers,
  query: readonly (readonly [string, string])[],
): readonly string[] => {
  if (scheme.kind !== 'apiKey') return headerValues(headers, 'authorization')
  if (scheme.in === 'header') return headerValues(headers, scheme.key.toLowerCase())
  const pairs = scheme.in === 'query' ? query : cookiePairs(header(headers, 'cookie') ?? '')
  return pairs.filter(([name]) => name === scheme.key).map(([, value]) => value)
}
