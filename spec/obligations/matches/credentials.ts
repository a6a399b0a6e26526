import type { Scheme } from '../../contract/contract.ts'
import { fillToken } from '../../http/credential-placeholders.ts'
import { header, headerValues } from '../../http/exchange.ts'
import { cookiePairs, queryPairs } from '../../serialization/parse-parameter.ts'
import type { CredentialKind } from '../inputs/credential-kind.ts'
import type { SentRequest } from './values.ts'

/** Whether a request has credentials in one of the variants of a kind. `token`: null if placeholders were left in it. */
export const isVariant = (
  { variants, query }: CredentialKind,
  scheme: Scheme,
  token: string | null,
  { headers, target }: SentRequest['request'],
): boolean => {
  const mark = target.indexOf('?')
  const pairs = mark < 0 ? [] : queryPairs(target.slice(mark + 1))
  const isQueryRight =
    query === null
      ? !pairs.some(([name]) => name === 'access_token')
      : target.endsWith(token === null ? query : fillToken(query, encodeURIComponent(token)))
  if (!isQueryRight) return false
  const sent = credentialValues(scheme, headers, pairs)
  return variants.some(
    values =>
      values.length === sent.length &&
      values.every(
        (value, index) => (token === null ? value : fillToken(value, token)).trim() === sent[index],
      ),
  )
}

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
