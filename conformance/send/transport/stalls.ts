import type { Outcome } from '../../../spec/index.ts'
import { isHanging } from './failure.ts'

/** When the server let all requests in flight wait for seconds, as one does that waits for a lock of its own. */
export type Stalls = {
  /** Those for which fewer requests were sent at once. */
  readonly count: () => number
  /** Those for which as many were sent as before. */
  readonly pauses: () => number
}

/**
 * What the outcome of a request shows. `stall`: all requests in flight wait for the same; `pause`: they do, and all are of one kind, so that fewer
 * of them would hide a server that hangs on many; `lasting`: they still wait, and to send fewer is no help, as nothing was answered since; `alone`:
 * it takes long by itself.
 */
export type StallSign = 'stall' | 'pause' | 'lasting' | 'alone' | null

export type StallWatch = Stalls & {
  /** Has to be called whenever more than one request is in flight. */
  readonly noteShared: () => void
  /** `of`: what the request asked for; `limit`: how many may be in flight. */
  readonly see: (outcome: Outcome, of: string, limit: number) => StallSign
  /** What asks for this hangs whatever else is in flight: it shows no stall until it is answered. */
  readonly hangsAlone: (of: string) => void
  /** Counts a stall for which fewer requests are sent at once from now on. Gives how many there were, and how many since the last response. */
  readonly add: () => { readonly count: number; readonly inVain: number }
}

/**
 * All requests in flight wait for the same resource, such as a lock of the server's database, if responses of two kinds, or four of one, within
 * `together` milliseconds took at least `ms` milliseconds, one of them more than `factor` times as long as the fastest success of its kind, and
 * no others came meanwhile.
 */
export const stalled = { ms: 1000, factor: 8, together: 1000, alike: 4 } as const

/** A server that pauses more often while requests of one kind are in flight hangs on them. */
const mostPauses = 2

/** If nothing was answered after so many stalls, what hangs is no stall, and fewer requests in flight are no help. */
const mostInVain = 2

/** What hung so often while others were answered, in the last part of its time, does not wait for them. */
const mostBeside = 2
const servedShare = 1 / 2

/** The server is silent if no response came for `ms` milliseconds; `noise`: of these, what may be due to us. */
const silent = { ms: 200, noise: 50 } as const

/** So many kinds of requests are told apart. */
export const mostKinds = 2000

export const createStallWatch = (now: () => number): StallWatch => {
  const fastestSuccess = new Map<string, number>()
  let count = 0
  /** Those since something was answered that hung before, with requests that hung alone after one. */
  let inVain = 0
  /** What hung since then: what never waits for a lock is answered all the time. */
  const hanging = new Set<string>()
  let lastStall = Number.NEGATIVE_INFINITY
  let pauses = 0
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
  /** What takes long although it is asked for alone. */
  const slowAlone = new Set<string>()
  const hangingAlone = new Set<string>()
  /** How often each kind hung since it was answered while others were answered. */
  const hungBeside = new Map<string, number>()

  const noteResponse = ({ ms }: Outcome, status: number, of: string, at: number): void => {
    if (at - lastResponse >= silent.ms) silence = { from: lastResponse, to: at }
    lastResponse = at
    hangingAlone.delete(of)
    hungBeside.delete(of)
    if (hanging.size === 0 || hanging.has(of)) {
      inVain = 0
      hanging.clear()
    }
    if (status < 300 && (fastestSuccess.has(of) || fastestSuccess.size < mostKinds))
      fastestSuccess.set(of, Math.min(ms, fastestSuccess.get(of) ?? ms))
  }
  const hangsAlone = (of: string): void => {
    hanging.delete(of)
    if (hangingAlone.size < mostKinds) hangingAlone.add(of)
  }
  const noteHang = (outcome: Outcome, of: string): void => {
    if (isHanging(outcome) && hanging.size < mostKinds) hanging.add(of)
  }
  /** Whether others were answered while a request waited from one time to another. */
  const wereOthersServed = (from: number, to: number): boolean =>
    [silence, { from: lastResponse, to }].every(
      gap => Math.min(gap.to, to) - Math.max(gap.from, from) < Math.min(stalled.ms, to - from) - silent.noise,
    )
  const signOf = (outcome: Outcome, of: string, limit: number, at: number): StallSign => {
    const { ms } = outcome
    const usual = fastestSuccess.get(of)
    if (outcome.kind === 'response') noteResponse(outcome, outcome.response.status, of, at)
    // Some operations take long, or never respond, by themselves.
    const isUnusual = usual !== undefined && ms > stalled.factor * usual
    const isSlow = ms >= stalled.ms && (isUnusual || usual === undefined)
    if (!isSlow && !isHanging(outcome)) {
      if (outcome.kind === 'response') lastAnswered = at
      return null
    }
    if (isHanging(outcome) && lastResponse > at - ms * servedShare && hungBeside.size < mostKinds)
      hungBeside.set(of, (hungBeside.get(of) ?? 0) + 1)
    if (hungBeside.get(of) === mostBeside && !hangingAlone.has(of)) {
      hangsAlone(of)
      return 'lasting'
    }
    const isAlone = lastShared < at - ms
    if (isAlone && inVain > 0) {
      inVain += 1
      noteHang(outcome, of)
    }
    // What was sent before the last stall waited for its end as well.
    if (inVain >= mostInVain && at - ms >= lastStall) return 'lasting'
    if (isAlone) {
      // What takes long alone takes long beside others as well, and they do not wait for it; unless the server still has a stall to end.
      if (lastAnswered <= lastStall || slowAlone.size >= mostKinds) return null
      slowAlone.add(of)
      hanging.delete(of)
      return 'alone'
    }
    if (slowAlone.has(of) || hangingAlone.has(of) || wereOthersServed(at - ms, at)) return null
    noteHang(outcome, of)
    const before = lastSlow
    const isTogether = before !== null && at - before.at < stalled.together
    const isSameKind = isTogether && before.of === of
    const inRow = isSameKind ? before.inRow + 1 : 1
    lastSlow = { of, at, isUnusual, inRow }
    if (!isUnusual && before?.isUnusual !== true) return null
    // A server that has stalled once does so again whenever it has several requests.
    if ((isTogether && !isSameKind) || count > 0) return 'stall'
    // Of a contract with one operation all requests are of one kind.
    if (inRow < Math.max(2, Math.min(stalled.alike, limit))) return null
    // What was sent before the last pause waited for its end as well.
    if (at - ms >= lastStall) {
      pauses += 1
      inVain += 1
    }
    return pauses > mostPauses ? null : 'pause'
  }
  return {
    count: () => count,
    pauses: () => Math.min(pauses, mostPauses),
    noteShared: () => {
      lastShared = now()
    },
    see: (outcome, of, limit) => {
      const at = now()
      const sign = signOf(outcome, of, limit, at)
      if (sign === 'stall' || sign === 'pause') lastStall = at
      return sign
    },
    hangsAlone,
    add: () => {
      count += 1
      inVain += 1
      return { count, inVain }
    },
  }
}
