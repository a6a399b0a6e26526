import { hashOf } from '../chance/hash.ts'
import type { Scenario } from './scenario.ts'

/** What a scenario remembers of earlier requests, for each key (a client and an operation) by itself. */
export type Counters = {
  /** Counts a request; whether it is one that the scenario affects. */
  readonly isTurn: (key: string) => boolean
  /** Counts a request against the limit; the seconds until there is room again, or null if there is. */
  readonly secondsOverLimit: (key: string) => number | null
  /** Remembers an identity; whether it was known before. */
  readonly isKnown: (key: string, identity: string) => boolean
}

type Count = { requests: number; turns: number; began: number; used: number }

const maxKeys = 10_000
const maxIdentities = 100_000
const maxLength = 200

/** `ticks`: milliseconds of a clock that only goes forward. */
export const createCounters = ({ every = 1, times, limit }: Scenario, ticks: () => number): Counters => {
  const counts = new Map<string, Count>()
  const identities = new Set<string>()
  const countOf = (key: string): Count => {
    const count = counts.get(key) ?? { requests: 0, turns: 0, began: Number.NEGATIVE_INFINITY, used: 0 }
    counts.set(key, count)
    dropOldest(counts, maxKeys)
    return count
  }
  return {
    isTurn: key => {
      if (every === 1 && times === undefined) return true
      const count = countOf(key)
      if (times !== undefined && count.turns >= times) return false
      count.requests += 1
      if (count.requests % every !== 0) return false
      count.turns += 1
      return true
    },
    secondsOverLimit: key => {
      if (limit === undefined) return null
      const count = countOf(key)
      const now = ticks()
      const length = limit.seconds * 1000
      if (now - count.began >= length) {
        count.began = now
        count.used = 0
      }
      count.used += 1
      return count.used > limit.requests ? (count.began + length - now) / 1000 : null
    },
    isKnown: (key, identity) => {
      const entry = `${key} ${shortened(identity)}`
      if (identities.has(entry)) return true
      identities.add(entry)
      dropOldest(identities, maxIdentities)
      return false
    },
  }
}

// An LRU cache would reserve memory for all that it may hold; a thousand clients can have counters of their own.
const dropOldest = (entries: Map<string, unknown> | Set<string>, max: number): void => {
  if (entries.size <= max) return
  const [oldest] = entries.keys()
  entries.delete(oldest as string)
}

// A client can send identities of any length.
const shortened = (text: string): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength)}… ${text.length} ${hashOf(text)}`
