import { hashOf } from './hash.ts'
import type { Scenario } from './scenario.ts'

/** What a scenario remembers of the requests that came, each kind of them by a key of its own. */
export type Tally = {
  /** Whether it is the turn of this request to meet the scenario. */
  readonly isTurn: (key: string) => boolean
  /** Whether it is one more than the limit allows: the seconds until there is room again; else null. */
  readonly over: (key: string) => number | null
  /** Whether this thing is known already; from now on it is. */
  readonly isKnown: (key: string, thing: string) => boolean
}

type Count = { requests: number; began: number; used: number }

const mostKeys = 10_000
const mostThings = 100_000
const mostKept = 200

/** `ticks`: milliseconds of a clock that only goes forward. */
export const createTally = ({ every = 1, limit }: Scenario, ticks: () => number): Tally => {
  const counts = new Map<string, Count>()
  const things = new Set<string>()
  const countOf = (key: string): Count => {
    const count = counts.get(key) ?? { requests: 0, began: Number.NEGATIVE_INFINITY, used: 0 }
    counts.set(key, count)
    forget(counts, mostKeys)
    return count
  }
  return {
    isTurn: key => {
      if (every === 1) return true
      const count = countOf(key)
      count.requests += 1
      return count.requests % every === 0
    },
    over: key => {
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
    isKnown: (key, thing) => {
      const mark = `${key} ${shortened(thing)}`
      if (things.has(mark)) return true
      things.add(mark)
      forget(things, mostThings)
      return false
    },
  }
}

/** The oldest goes where there are too many. */
const forget = (kept: Map<string, unknown> | Set<string>, most: number): void => {
  if (kept.size <= most) return
  const [oldest] = kept.keys()
  kept.delete(oldest as string)
}

// What a client sends may be of any length.
const shortened = (text: string): string =>
  text.length <= mostKept ? text : `${text.slice(0, mostKept)}… ${text.length} ${hashOf(text)}`
