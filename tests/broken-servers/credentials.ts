import type { Asked, Parts } from './model.ts'

export const authorizations = (asked: Asked): readonly string[] =>
  asked.request.headersDistinct.authorization ?? []

/** The one Authorization header as sent; undefined when there is none, or more than one. */
export const authorization = (asked: Asked): string | undefined => {
  const [first, ...others] = authorizations(asked)
  return others.length > 0 ? undefined : first
}

/** Scheme in lower case, and everything after the spaces that follow it. */
export const schemeAndToken = (header: string | undefined): readonly [string, string] => {
  const [, scheme = '', token = ''] = /^([^ ]*) *(.*)$/s.exec(header ?? '') ?? []
  return [scheme.toLowerCase(), token]
}

/** The token given under the scheme Bearer; undefined when there is no such header. */
export const bearerToken = (asked: Asked): string | undefined => {
  const [scheme, token] = schemeAndToken(authorization(asked))
  return scheme === 'bearer' ? token : undefined
}

export const isAuthentic = (asked: Asked): boolean => bearerToken(asked) === asked.token

/** Another check of credentials. */
export const authentic = (authenticate: Parts['authenticate']): Partial<Parts> => ({ authenticate })

/** The lawful check, and one more way in. */
export const also = (takes: (asked: Asked) => boolean): Partial<Parts> =>
  authentic(asked => isAuthentic(asked) || takes(asked))
