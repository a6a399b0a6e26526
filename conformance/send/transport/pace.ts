import type { Outcome } from '../../../spec/index.ts'

/** Turns that are late are made up for within this time: timers are late by a millisecond or two, and the rate has to hold. */
const arrearsMs = 10

/** The rate of what was sent is measured over this time. */
const measuredMs = 200

/**
 * A rate that was lowered grows again after this time without a reason to lower it, by this factor each time it is measured. The time doubles
 * whenever the limit is met again: a server that fails by chance then shows it at the lowered rate.
 */
const recovery = { afterMs: 1000, factor: 1.1, mostMs: 16_000 } as const

/**
 * A lower rate has helped if the limit is met again only after so many times as many requests as usual, as counted the last few times. A server
 * that fails by chance, or for what it does itself, fails as often at any rate.
 */
const rarer = { factor: 4, counted: 4 } as const

/**
 * A server that was not busy for `afterMs` milliseconds is given `lastsMs` at a lower rate, and the whole rate again: if it is busy now and then,
 * a lower rate costs more time than that does.
 */
const brief = { afterMs: 3000, lastsMs: 1000 } as const

/** Requests per second below which a server's throttling does not lower the rate: a run has to end. */
const leastRate = 20

/** The same if the server says how long to wait. */
const leastPrecise = 2

/** When requests may be sent. */
export type Pace = {
  /** Settles when the turn of the next request has come. Turns are evenly spread. */
  readonly turn: () => Promise<void>
  /**
   * Halves the rate because of a request that was sent at this time, if it was not lowered since. It grows again later. `isPrecise`: the server says when
   * it serves more, so that the rate becomes what it served.
   */
  readonly slowDown: (sentAt: number, isPrecise?: boolean) => void
  /** A request was served. */
  readonly noteServed: () => void
  /** `slowDown` because the server was busy; only for a moment if it seldom is. */
  readonly noteBusy: (sentAt: number) => void
  /** Gives the rate up that `slowDown` brought: it did not help. */
  readonly restore: () => void
  /** How often the rate was halved. */
  readonly halvings: () => number
  /** How often in a row the rate was halved in vain: as many of the requests as before were too fast. */
  readonly vainHalvings: () => number
  /** Turns per second; null: any number. */
  readonly rate: () => number | null
}

/** Gives out at most this many turns per second; null: any number, until it is slowed down. */
export const createPace = (most: number | null): Pace => {
  let rate = most
  let next = Number.NEGATIVE_INFINITY
  let halvings = 0
  let vainHalvings = 0
  let growsAfter: number = recovery.afterMs
  /** How many turns there were between the last times that the limit was met. */
  let gaps: readonly number[] = []
  let sinceLimit = 0
  let isBrief = false
  let since = performance.now()
  let turns = 0
  let measured = Number.POSITIVE_INFINITY
  let slowedAt = Number.NEGATIVE_INFINITY
  /** Requests that were served since this time, and in the second before it. */
  let [servedSince, served, servedBefore] = [performance.now(), 0, 0]
  const noteServed = (): void => {
    const now = performance.now()
    if (now - servedSince >= 1000) [servedSince, servedBefore, served] = [now, served, 0]
    served += 1
  }
  const measure = (): void => {
    const elapsed = performance.now() - since
    if (elapsed < measuredMs) return
    measured = (turns * 1000) / elapsed
    since = performance.now()
    turns = 0
    if (isBrief && since > slowedAt + brief.lastsMs) rate = most
    if (rate !== null && rate !== most && since > slowedAt + growsAfter)
      rate = Math.min(most ?? Number.POSITIVE_INFINITY, rate * recovery.factor)
  }
  const slowDown = (sentAt: number, mayBeBrief: boolean, isPrecise: boolean): void => {
    if (sentAt < slowedAt) return
    measure()
    isBrief = mayBeBrief && rate === most && sentAt > slowedAt + brief.afterMs
    const allowed = rate ?? Number.POSITIVE_INFINITY
    const present = Math.min(allowed, measured, 1000)
    const isVain = rate !== most && (allowed <= leastRate || sinceLimit < rarer.factor * (median(gaps) ?? 0))
    gaps = [...gaps, sinceLimit].slice(-rarer.counted)
    sinceLimit = 0
    vainHalvings = isVain ? vainHalvings + 1 : 0
    if (!isVain && !isBrief && halvings > 0) growsAfter = Math.min(recovery.mostMs, growsAfter * 2)
    // What it served in a second is what it serves.
    const lowered = isPrecise ? Math.min(present, Math.max(served, servedBefore)) : present / 2
    rate = Math.min(most ?? Number.POSITIVE_INFINITY, Math.max(isPrecise ? leastPrecise : leastRate, lowered))
    halvings += 1
    slowedAt = performance.now()
  }
  return {
    turn: async () => {
      measure()
      turns += 1
      sinceLimit += 1
      if (rate === null) return
      const now = performance.now()
      next = Math.max(next + 1000 / rate, now - arrearsMs)
      // Timers count whole milliseconds: a turn within half of one comes at once.
      if (next - now > 0.5) await new Promise(resolve => setTimeout(resolve, next - now))
    },
    noteServed,
    slowDown: (sentAt, isPrecise = false) => slowDown(sentAt, false, isPrecise),
    noteBusy: sentAt => slowDown(sentAt, true, false),
    restore: () => {
      rate = most
    },
    halvings: () => halvings,
    vainHalvings: () => vainHalvings,
    rate: () => rate,
  }
}

const median = (numbers: readonly number[]): number | undefined =>
  numbers.toSorted((left, right) => left - right)[(numbers.length - 1) >> 1]

/**
 * What a server answers with 503 however long it is waited for: it is in a mode in which it serves some operations only, and not too busy. Told
 * by the body, whatever operation was asked.
 */
export type Lasting = {
  readonly is: (outcome: Outcome) => boolean
  /** A request got this 503 all the time, until it was given up. */
  readonly noteGivenUp: (outcome: Outcome) => void
  /** A request that had got this 503 was served in the end. */
  readonly noteServed: (before: Outcome) => void
}

/** So many requests in a row that were given up with the same answer. */
const mostGivenUp = 6

export const createLasting = (): Lasting => {
  const givenUp = new Map<string, number>()
  return {
    is: outcome => givenUp.size > 0 && (givenUp.get(textOf(outcome)) ?? 0) >= mostGivenUp,
    noteGivenUp: outcome => {
      const text = textOf(outcome)
      givenUp.set(text, (givenUp.get(text) ?? 0) + 1)
    },
    noteServed: before => void givenUp.delete(textOf(before)),
  }
}

/** Bytes of a body that tell it from others. */
const mostBytes = 200

const textOf = (outcome: Outcome): string =>
  outcome.kind === 'response' && outcome.response.status === 503
    ? `503 ${Buffer.from(outcome.response.body.subarray(0, mostBytes)).toString('latin1')}`
    : ''
