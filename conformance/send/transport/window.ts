import type { Outcome } from '../../../spec/index.ts'
import { isHanging } from './failure.ts'
import { createSlots } from './slots.ts'

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
  readonly stalls: Stalls
}

/** When the server let all requests in flight wait for seconds, as one does that waits for a lock of its own. */
export type Stalls = {
  readonly count: () => number
  /** Whether it did since a time on the clock of `performance.now`. */
  readonly hasBeenSince: (time: number) => boolean
}

const first = 4

/** A server some response of which came within these milliseconds is near, and has no more requests in flight than this: more would wait in it. */
const near = { ms: 50, most: 16 } as const

/** A response takes so much longer only if requests wait for each other: factor, and milliseconds that are noise. */
const slower = { factor: 2, ms: 5 } as const
/** A single response weighs so many times what it may take, at most. */
const heaviest = 4

/** So many kinds of requests are told apart. */
const mostKinds = 2000

/** What is answered so often as if the server were overloaded, although it is asked alone, is no sign of load. */
const mostAlone = 3

/**
 * All requests in flight wait for the same resource, such as a lock of the server's database, if responses of two kinds, or four of one, within
 * `together` milliseconds took at least `ms` milliseconds, one of them more than `factor` times as long as the fastest success of its kind, and
 * no others came meanwhile.
 */
export const stalled = { ms: 1000, factor: 8, together: 1000 } as const

/** The server is silent if no response came for `ms` milliseconds; `noise`: of these, what may be due to us. */
const silent = { ms: 200, noise: 50 } as const

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
 * stalls gets a quarter as many at first, and if that was no help, one request at a time for many times as long as it lets them wait.
 */
export const createWindow = (most: number, now = (): number => performance.now()): Window => {
  let limit = Math.min(first, most)
  const fastest = new Map<string, number>()
  const fastestSuccess = new Map<string, number>()
  let fastestOfAll = Number.POSITIVE_INFINITY
  let hasLowered = false
  let stalls = 0
  /** Until then the limit does not grow. */
  let steadyUntil = Number.NEGATIVE_INFINITY
  let lastStall = Number.NEGATIVE_INFINITY
  /** `inRow`: how many of one kind came within `together` milliseconds of each other. */
  let lastSlow: {
    readonly of: string
    readonly at: number
    readonly isUnusual: boolean
    readonly inRow: number
  } | null = null
  /** When more than one request was in flight for the last time, and when a response came in time. */
  let lastShared = Number.NEGATIVE_INFINITY
  let lastAnswered = Number.NEGATIVE_INFINITY
  /** When the last response came, and the last time that none came for long. */
  let lastResponse = now()
  let silence = { from: Number.NEGATIVE_INFINITY, to: Number.NEGATIVE_INFINITY }
  /** What was asked for when a connection was lost for the last time. */
  let lastLost: string | null = null
  /** Milliseconds that the responses of a round took, and may take. */
  const round = { took: 0, allowed: 0 }
  let count = 0
  let needed = 0
  const alone = new Map<string, number>()
  /** What takes long although it is asked for alone. */
  const slowAlone = new Set<string>()
  /** Responses to what was sent before the limit was lowered say nothing about the new one. */
  let ignored = 0
  const slots = createSlots(() => limit)

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
    if (slots.taken() > 1) lastShared = now()
  }
  const noteResponse = (at: number): void => {
    if (at - lastResponse >= silent.ms) silence = { from: lastResponse, to: at }
    lastResponse = at
  }
  /** Whether others were answered while a request waited from one time to another. */
  const wereOthersServed = (from: number, to: number): boolean =>
    [silence, { from: lastResponse, to }].every(
      gap => Math.min(gap.to, to) - Math.max(gap.from, from) < Math.min(stalled.ms, to - from) - silent.noise,
    )
  const noteFastest = (outcome: Outcome, of: string): void => {
    if (outcome.kind !== 'response' || outcome.response.status >= 300) return
    if (fastestSuccess.has(of) || fastestSuccess.size < mostKinds)
      fastestSuccess.set(of, Math.min(outcome.ms, fastestSuccess.get(of) ?? outcome.ms))
  }
  /** Whether the server stalls, as far as the outcome of one request shows; `of`: what that asked for. */
  const isStall = (outcome: Outcome, of: string): boolean => {
    const { ms } = outcome
    const at = now()
    if (outcome.kind === 'response') noteResponse(at)
    const usual = fastestSuccess.get(of)
    noteFastest(outcome, of)
    // Some operations take long, or never respond, by themselves.
    const isUnusual = usual !== undefined && ms > stalled.factor * usual
    const isSlow = ms >= stalled.ms && (isUnusual || usual === undefined)
    if (!isSlow && !isHanging(outcome)) {
      if (outcome.kind === 'response') lastAnswered = at
      return false
    }
    if (lastShared < at - ms) {
      // What takes long alone takes long beside others as well, and they do not wait for it; unless the server still has a stall to end.
      if (lastAnswered > lastStall && slowAlone.size < mostKinds) {
        slowAlone.add(of)
        steadyUntil = Number.NEGATIVE_INFINITY
      }
      return false
    }
    if (slowAlone.has(of) || wereOthersServed(at - ms, at)) return false
    const before = lastSlow
    const isTogether = before !== null && at - before.at < stalled.together
    const isSameKind = isTogether && before.of === of
    const inRow = isSameKind ? before.inRow + 1 : 1
    lastSlow = { of, at, isUnusual, inRow }
    // Of a contract with one operation all requests are of one kind.
    const isWithOthers = isTogether && (!isSameKind || inRow >= Math.min(first, limit))
    // A server that has stalled once does so again whenever it has several requests.
    return (isWithOthers || stalls > 0) && (isUnusual || before?.isUnusual === true)
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
    const isStalled = outcome !== null && isStall(outcome, of)
    if (isStalled) lastStall = now()
    if (ignored > 0) ignored -= 1
    else if (outcome === null) return
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
    } else if (isStalled) {
      stalls += 1
      needMore(quiet.first)
      lower(stalls === 1 ? limit / 4 : 1)
      if (stalls > 1)
        steadyUntil =
          lastStall +
          Math.min(steady.longest, outcome.ms * steady.factor ** Math.min(stalls - 1, steady.most))
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
    stalls: { count: () => stalls, hasBeenSince: time => lastStall >= time },
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
