import type { Outcome } from '../../../spec/index.ts'
import { createStallWatch, mostKinds, type Stalls } from './stalls.ts'

/** How many requests are in flight at the same time: few at first, and more as long as the server answers as fast as before. */
export type Window = {
  /** Settles when a request may be sent. */
  readonly enter: () => Promise<void>
  /**
   * Has to be called when the response of each request is there (null: it says nothing about the server's load), with what it asked for, as some
   * requests take longer than others. `isTelling`: the response shows how fast the server is, and not only whether it hangs.
   */
  readonly leave: (outcome: Outcome | null, of?: string, isTelling?: boolean) => void
  readonly limit: () => number
  /** What asks for this hangs while others are answered: fewer requests are no help then, until it is answered. */
  readonly hangsAlone: (of: string) => void
  readonly stalls: Stalls
}

const first = 4

/** A server some response of which came within these milliseconds is near, and has no more requests in flight than this: more would wait in it. */
const near = { ms: 50, most: 16 } as const

/** A response takes so much longer only if requests wait for each other: factor, and milliseconds that are noise. */
const slower = { factor: 2, ms: 5 } as const
/** A single response weighs so many times what it may take, at most. */
const heaviest = 4

/** What is answered so often as if the server were overloaded, although it is asked alone, is no sign of load. */
const mostAlone = 3

/**
 * After each stall but the first, the limit stays for so many times its milliseconds, and so many times longer after each further one, up to `longest`
 * milliseconds: it may have been for what a single request asked for.
 */
const steady = { factor: 10, most: 3, longest: 10_000 } as const

/** Responses without a sign of overload before the limit grows again: more of them after each response that was one. */
const quiet = { first: 25, factor: 2, most: 400 } as const

/**
 * The limit doubles with each round of responses up to `most` (for a server that is near: up to 16) while they take together about as long
 * as the fastest of their kinds. It is halved if the server is overloaded (429, 502, 503, a lost connection, a locked database), and goes
 * down by a quarter if responses become slow; after that it grows by one a round, and later each time that it was too much. A server that
 * stalls gets a quarter as many at first, and if that was no help, one request at a time for many times as long as it lets them wait; as many as
 * before if nothing is answered then either. A pause changes nothing.
 */
export const createWindow = (
  most: number,
  now = (): number => performance.now(),
  /** Called for what waits in a pause. */
  onPause: () => void = () => {},
): Window => {
  let limit = Math.min(first, most)
  const fastest = new Map<string, number>()
  let fastestOfAll = Number.POSITIVE_INFINITY
  let hasLowered = false
  /** The limit before the first stall since the last response, unless it was too much. */
  let limitBefore = limit
  /** Until then the limit does not grow. */
  let steadyUntil = Number.NEGATIVE_INFINITY
  /** What was asked for when a connection was lost for the last time. */
  let lastLost: string | null = null
  /** Milliseconds that the responses of a round took, and may take. */
  const round = { took: 0, allowed: 0 }
  let count = 0
  let needed = 0
  const alone = new Map<string, number>()
  /** Responses to what was sent before the limit was lowered say nothing about the new one. */
  let ignored = 0
  const slots = createSlots(() => limit)
  const stalls = createStallWatch(now)

  const endRound = (): void => {
    round.took = 0
    round.allowed = 0
    count = 0
  }
  const lower = (to: number): void => {
    limit = Math.max(1, Math.floor(to))
    hasLowered = true
    // The one that has just been answered is no longer one of them.
    ignored = slots.taken() - 1
    endRound()
  }
  const measure = (ms: number, of: string): void => {
    const kind = fastest.has(of) || fastest.size < mostKinds ? of : ''
    const least = Math.min(ms, fastest.get(kind) ?? Number.POSITIVE_INFINITY)
    fastest.set(kind, least)
    fastestOfAll = Math.min(fastestOfAll, least)
    const allowed = least * slower.factor + slower.ms
    round.allowed += allowed
    round.took += Math.min(ms, allowed * heaviest)
  }
  const noteShared = (): void => {
    if (slots.taken() > 1) stalls.noteShared()
  }
  /** Whether connections were lost for requests of one kind only: what was sent is the reason then, and not the load. */
  const isLostAgain = (outcome: Outcome, of: string): boolean => {
    if (outcome.kind === 'response') return false
    const before = lastLost
    lastLost = of
    return before === of
  }
  const needMore = (least: number): void => {
    needed = Math.min(quiet.most, Math.max(least, needed * quiet.factor))
  }
  const learn = (outcome: Outcome | null, of: string, isTelling: boolean): void => {
    const sign = outcome === null ? null : stalls.see(outcome, of, limit)
    if (sign === 'alone') steadyUntil = Number.NEGATIVE_INFINITY
    if (sign === 'lasting') limit = Math.max(limit, limitBefore)
    if (sign === 'pause') {
      onPause()
      // How long it takes says nothing about how many the server can have.
      endRound()
    }
    if (ignored > 0) ignored -= 1
    else if (outcome === null || sign === 'pause') return
    else if (
      isTelling &&
      isOverloaded(outcome) &&
      (alone.get(of) ?? 0) < mostAlone &&
      !isLostAgain(outcome, of)
    ) {
      if (limit === 1) alone.set(of, (alone.get(of) ?? 0) + 1)
      // A connection may be lost for what was sent on it.
      if (outcome.kind === 'response') needMore(quiet.first)
      lower(limit / 2)
      limitBefore = limit
    } else if (sign === 'stall') {
      const known = stalls.add()
      if (known.inVain === 1) limitBefore = limit
      needMore(quiet.first)
      lower(known.count === 1 ? limit / 4 : 1)
      if (known.count > 1)
        steadyUntil =
          now() +
          Math.min(steady.longest, outcome.ms * steady.factor ** Math.min(known.count - 1, steady.most))
    } else if (isTelling) {
      count += 1
      measure(outcome.ms, of)
      if (count < Math.max(limit, needed)) return
      const isHealthy = round.took <= round.allowed
      endRound()
      if (now() < steadyUntil) return
      const highest = fastestOfAll < near.ms ? Math.min(most, near.most) : most
      if (isHealthy) limit = Math.min(highest, hasLowered ? limit + 1 : limit * 2)
      else if (limit > first) lower(limit * 0.75)
    }
  }
  return {
    enter: async () => {
      await slots.enter()
      noteShared()
    },
    leave: (outcome, of = '', isTelling = true) => {
      noteShared()
      learn(outcome, of, isTelling)
      slots.leave()
    },
    limit: () => limit,
    hangsAlone: of => {
      stalls.hangsAlone(of)
      limit = Math.max(limit, limitBefore)
      steadyUntil = Number.NEGATIVE_INFINITY
    },
    stalls,
  }
}

const locked = /database is locked|database table is locked|too many (?:clients|connections|requests)/i

/** Whether a response shows that the server has more to do than it can. */
const isOverloaded = (outcome: Outcome): boolean => {
  if (outcome.kind === 'failure') return outcome.failure === 'reset' || outcome.failure === 'refused'
  const { status, body } = outcome.response
  if (status === 429 || status === 502 || status === 503) return true
  return status === 500 && locked.test(Buffer.from(body.subarray(0, 2000)).toString('latin1'))
}

/** Places for what is done at the same time; how many there are may change. */
export type Slots = {
  /** Settles when there is a place. */
  readonly enter: () => Promise<void>
  /** Gives the place back. */
  readonly leave: () => void
  readonly taken: () => number
}

export const createSlots = (limit: () => number): Slots => {
  let taken = 0
  const waiting: (() => void)[] = []
  return {
    enter: async () => {
      if (taken < limit()) taken += 1
      else await new Promise<void>(resolve => waiting.push(resolve))
    },
    leave: () => {
      taken -= 1
      while (taken < limit() && waiting.length > 0) {
        taken += 1
        waiting.shift()?.()
      }
    },
    taken: () => taken,
  }
}

/** A response that waits for its turn: `pause` stops reading it, `resume` goes on. */
export type Pausable = { readonly pause: () => void; readonly resume: () => void }

/** Of large responses only a few are read at a time: many of them at once would fill the memory. */
export type LargeSlots = {
  /** Takes a slot, or pauses the response until one is free. Gives a function that releases it; call it once. */
  readonly take: (response: Pausable) => () => void
}

/** Responses with more bytes than this need a slot. */
export const largeBytes = 2 ** 18
const mostLarge = 2

export const createLargeSlots = (): LargeSlots => {
  const reading = new Set<Pausable>()
  const waiting = new Set<Pausable>()
  return {
    take: response => {
      if (reading.size < mostLarge) reading.add(response)
      else {
        waiting.add(response)
        response.pause()
      }
      return () => {
        waiting.delete(response)
        if (!reading.delete(response)) return
        const [next] = waiting
        if (next === undefined) return
        waiting.delete(next)
        reading.add(next)
        // Not at once: undici cannot read one response while it is inside another.
        setImmediate(next.resume)
      }
    },
  }
}
