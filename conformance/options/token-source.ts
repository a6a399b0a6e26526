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
const jwtExpiry = (token: string): number | null => {
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

/** The right token of a run, which a source may renew. */
export type CurrentToken = {
  readonly value: () => string
  readonly isRenewable: boolean
  /** Renews it if it is about to expire. */
  readonly renewIfDue: () => Promise<void>
  /** Whether it makes sense to ask the source after a rejection: not at once after it did not help. */
  readonly mayRenew: () => boolean
  /** Asks the source for another token than this one, which the server rejected. False if it has none. */
  readonly renewAfter: (rejected: string) => Promise<boolean>
  /** The server accepted a token that came after a rejected one. */
  readonly hasHelped: () => void
  /** Whether a token was replaced because the server rejected it, and not before it expired. */
  readonly wasRejected: (token: string) => boolean
  readonly renewals: () => number
  /** Why a rejected token could not be replaced; null if nothing went wrong. */
  readonly problem: () => string | null
  /** From now on requests are sent without it: it is made up, and the server rejects it but accepts requests without credentials. */
  readonly leaveOut: () => void
  readonly isLeftOut: () => boolean
}

/** A token that stays the same. */
export const fixedToken = (token: string): CurrentToken => {
  let isLeftOut = false
  return {
    value: () => token,
    isRenewable: false,
    renewIfDue: async () => {},
    mayRenew: () => false,
    renewAfter: async () => false,
    hasHelped: () => {},
    wasRejected: () => false,
    renewals: () => 0,
    problem: () => null,
    leaveOut: () => {
      isLeftOut = true
    },
    isLeftOut: () => isLeftOut,
  }
}

/** A token is renewed when a fifth of its life is left, or so many milliseconds; but not in the first half of its life. */
const marginMs = 30_000
/** Between two times that the source is asked because of the time. */
const leastMs = 250
/** After a renewal that did not help, and twice as long after each further one, up to a minute. */
const firstPauseMs = 1000
const longestPauseMs = 60_000

export type TokenOptions = {
  /** When the run began, ISO 8601: with the time since then, the clock by which a JWT expires. */
  readonly at: string
  /** Called with each token before it is used, so that no report shows it. */
  readonly onToken: (token: string) => void
}

/** Asks the source for the first token. Throws what the source throws, and TokenError. */
export const renewableToken = async (
  source: TokenSource,
  { at, onToken }: TokenOptions,
): Promise<CurrentToken> => {
  const began = performance.now()
  const startedAt = Date.parse(at)
  const rejectedTokens = new Set<string>()
  let current = ''
  let dueAt = Number.POSITIVE_INFINITY
  let asking: Promise<void> | null = null
  let renewals = -1
  let problem: string | null = null
  let pauseMs = 0
  let pausedUntil = 0

  const ask = async (): Promise<void> => {
    const issued = await askSource(source, renewals < 0 ? null : current)
    const now = performance.now()
    const expiry = jwtExpiry(issued.token)
    const jwtLife = expiry === null ? undefined : expiry - (startedAt + now - began)
    dueAt = now + dueIn(issued, jwtLife)
    if (issued.token === current) return
    onToken(issued.token)
    current = issued.token
    renewals += 1
  }
  /** Requests that need a new token at the same time get the same one. */
  const renew = (): Promise<void> => {
    asking ??= ask().finally(() => {
      asking = null
    })
    return asking
  }
  await renew()
  return {
    value: () => current,
    isRenewable: true,
    renewIfDue: async () => {
      if (performance.now() < dueAt) return
      try {
        await renew()
      } catch {
        // It is still right. If it ever is not, the source is asked again, and what it says then counts.
        dueAt = performance.now() + firstPauseMs
      }
    },
    mayRenew: () => asking !== null || performance.now() >= pausedUntil,
    renewAfter: async rejected => {
      if (current !== rejected) return true
      // The source has just said so to another request.
      if (asking === null && performance.now() < pausedUntil) return false
      const isFirst = asking === null
      try {
        await renew()
        if (isFirst) {
          pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, pauseMs * 2))
          pausedUntil = performance.now() + pauseMs
        }
      } catch (error) {
        problem = `the server rejects the token, and there is no new one: ${(error as Error).message}`
        return false
      }
      if (current === rejected) return false
      rejectedTokens.add(rejected)
      return true
    },
    hasHelped: () => {
      pauseMs = 0
      pausedUntil = 0
    },
    wasRejected: token => rejectedTokens.has(token),
    renewals: () => renewals,
    problem: () => problem,
    leaveOut: () => {},
    isLeftOut: () => false,
  }
}

/** Milliseconds after which the source is asked because of the time. */
const dueIn = ({ expiresIn, checkAfter }: IssuedToken, jwtLife: number | undefined): number => {
  const life = expiresIn === undefined ? jwtLife : expiresIn * 1000
  // A life in the past says that the clocks differ, and nothing else.
  const renewed =
    life === undefined || life <= 0
      ? Number.POSITIVE_INFINITY
      : life - Math.max(life / 5, Math.min(marginMs, life / 2))
  return Math.max(leastMs, Math.min(renewed, (checkAfter ?? Number.POSITIVE_INFINITY) * 1000))
}
