import { tokenPattern } from '../../spec/index.ts'
import { TokenError } from '../errors.ts'

export type IssuedToken = {
  readonly token: string
  /** Seconds until it expires. Default: until its `exp` if it is a JWT, otherwise unknown. */
  readonly expiresIn?: number | undefined
  /** Seconds until the source may have another one, as a file that is written anew does. Default: as long as it is right. */
  readonly checkAfter?: number | undefined
}

/**
 * Gives the right token. It is asked before the first request (`replaced` is null), before a token expires, and after the server
 * rejected one; it may give the same again if it has no other. If it throws before the first request, so does the run; later the run
 * ends without access, with the message as the reason.
 */
export type TokenSource = (replaced: string | null) => string | IssuedToken | Promise<string | IssuedToken>

/** Asks a source. Throws TokenError if what it gives cannot stand in a header. */
export const askSource = async (source: TokenSource, replaced: string | null): Promise<IssuedToken> => {
  const given = await source(replaced)
  const issued = typeof given === 'string' ? { token: given } : given
  if (typeof issued?.token !== 'string' || !new RegExp(tokenPattern).test(issued.token))
    throw new TokenError(
      'the token source must give visible ASCII characters, with spaces at most between them',
    )
  return issued
}

/** The source for many runs: it is asked again only for another token than the one that it gave last. */
export const keptBetweenRuns = (source: TokenSource): TokenSource => {
  let last: { readonly issued: Promise<IssuedToken>; readonly at: number } | null = null
  return async replaced => {
    const known = await last?.issued.catch(() => null)
    if (last === null || known == null || known.token === replaced)
      last = { issued: askSource(source, replaced), at: performance.now() }
    const { issued, at } = last
    const { token, expiresIn, checkAfter } = await issued
    const left = expiresIn === undefined ? undefined : expiresIn - (performance.now() - at) / 1000
    return { token, expiresIn: left, checkAfter }
  }
}

/** When a JWT expires, in milliseconds since 1970; null if a token is no JWT, or says nothing of that (RFC 7519 4.1.4). */
export const jwtExpiry = (token: string): number | null => {
  const exp = claimsOf(token)?.exp
  return typeof exp === 'number' ? exp * 1000 : null
}

/** What a JWT says; null: the token is none. */
export const claimsOf = (token: string): Readonly<Record<string, unknown>> | null => {
  const [, payload, signature] = token.split('.')
  if (payload === undefined || signature === undefined) return null
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return typeof claims === 'object' && claims !== null ? { ...claims } : null
  } catch {
    return null
  }
}
