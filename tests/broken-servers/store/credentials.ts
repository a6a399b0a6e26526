import type { Exchange, Parts } from './model.ts'

export const authorizations = (exchange: Exchange): readonly string[] =>
  exchange.request.headersDistinct.authorization ?? []

/** The Authorization header as sent; undefined if there is none, or more than one. */
export const authorization = (exchange: Exchange): string | undefined => {
  const [first, ...others] = authorizations(exchange)
  return others.length > 0 ? undefined : first
}

/** The scheme in lower case, and everything after the spaces that follow it. */
export const schemeAndToken = (header: string | undefined): readonly [string, string] => {
  const [, scheme = '', token = ''] = /^([^ ]*) *(.*)$/s.exec(header ?? '') ?? []
  return [scheme.toLowerCase(), token]
}

/** The token of the scheme Bearer; undefined if there is no such header. */
export const bearerToken = (exchange: Exchange): string | undefined => {
  const [scheme, token] = schemeAndToken(authorization(exchange))
  return scheme === 'bearer' ? token : undefined
}

export const isAuthentic = (exchange: Exchange): boolean => bearerToken(exchange) === exchange.token

/** Replaces the check of credentials. */
export const authentic = (authenticate: Parts['authenticate']): Partial<Parts> => ({ authenticate })

/** Also accepts what `takes` says. */
export const alsoTaking = (takes: (exchange: Exchange) => boolean): Partial<Parts> =>
  authentic(exchange => isAuthentic(exchange) || takes(exchange))
