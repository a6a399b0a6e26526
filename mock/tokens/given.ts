import { digest } from '../chance/digest.ts'
import { LRUCache } from '../lru-cache.ts'

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
