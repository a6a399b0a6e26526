import {
  authorizationSchemes,
  cookiePairs,
  header,
  isObject,
  type Json,
  type Operation,
  queryPairs,
} from '../../spec/index.ts'
import type { JudgedRequest, MockRequest } from '../engine/request.ts'
import { isRefreshToken } from '../rules/grants.ts'

/** The tokens that a request has, where its operation needs some. */
export const presentedTokens = (
  { security }: Operation,
  { headers, target }: MockRequest,
): readonly string[] =>
  security.flat().flatMap(scheme => {
    if (scheme.kind === 'other') return []
    if (scheme.kind !== 'apiKey') {
      const { name, isToken } = authorizationSchemes[scheme.kind]
      const [given = '', token, ...more] = (header(headers, 'authorization')?.trim() ?? '').split(/\s+/)
      const isOne = isToken && token !== undefined && more.length === 0
      return isOne && given.toLowerCase() === name.toLowerCase() ? [token] : []
    }
    if (scheme.in === 'header') return header(headers, scheme.key.toLowerCase()) ?? []
    const pairs =
      scheme.in === 'query' ? queryPairs(target.split('?')[1] ?? '') : cookiePairs(header(headers, 'cookie'))
    return pairs.filter(([name]) => name === scheme.key).map(([, value]) => value)
  })

/** The token by which a request asks for another one. */
export const refreshTokenIn = ({ body, parameters }: JudgedRequest): string | undefined =>
  Object.entries({ ...parameters, ...(isObject(body) ? body : {}) }).find(
    (entry): entry is [string, string] => isRefreshToken(entry[0]) && typeof (entry[1] as Json) === 'string',
  )?.[1]
