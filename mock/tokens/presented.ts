import { cookiePairs, header, isObject, type Json, type Operation, queryPairs } from '../../spec/index.ts'
import type { JudgedRequest, MockRequest } from '../engine/request.ts'
import { isRefreshToken } from '../rules/grants.ts'

/** The tokens that a request has, where its operation needs some. */
export const presentedTokens = (
  { security }: Operation,
  { headers, target }: MockRequest,
): readonly string[] =>
  security.flat().flatMap(scheme => {
    if (scheme.kind === 'bearer')
      return /^bearer +(\S+)$/i.exec(header(headers, 'authorization')?.trim() ?? '')?.[1] ?? []
    if (scheme.kind !== 'apiKey') return []
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
