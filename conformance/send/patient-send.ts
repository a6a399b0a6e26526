import { duration, header, type Outcome, resetAfter, type UntestedReason } from '../../spec/index.ts'
import type { Lasting, Pace } from './transport/pace.ts'
import { delay, isOver, type WaitLimits } from './transport/time-limit.ts'

/** Times that a case is sent again because the server asks for patience. */
const retries = 5
/** A server may ask for no wait at all; a short one keeps us from flooding it. */
const shortestMs = 20

/** Waits before a case is sent again because the server is busy and names no time: 50 ms, 100 ms, 200 ms and so on. */
const attempts = { throttling: 6, besideOthers: 8, alone: 2, hopeless: 1 } as const
const [firstWaitMs, longestWaitMs] = [50, 1600]

/** If so many halvings of the rate do not help against a 503, it is no throttling. */
const mostHalvings = 6
/** If so many cases in a row were never served, waiting does not help: while others are in flight, these may be why. */
const mostUnserved = { alone: 3, besideOthers: 12 } as const

export type Sending<T> = {
  readonly sent: T
  /** How often the server asked to wait (Retry-After). */
  readonly waits: number
  /** How often it was sent again after a 429 or 503 that names no time. */
  readonly throttled: number
  /** The run ended before it could be sent again: the server was busy, so the response says nothing about the request. */
  readonly isCutShort: boolean
}

/** `limit`: how many requests may be in flight now. */
export type Pacing = { readonly pace: Pace; readonly limit: () => number; readonly lasting: Lasting }

export type PatientSend = <T extends { readonly outcome: Outcome }>(
  send: () => Promise<T>,
  longestMs: number,
) => Promise<Sending<T>>

/**
 * Sends again as long as the server asks to wait, for no longer than `longestMs` each time, and as long as that has ever helped. A 429, or a 503 that
 * goes away, is throttling: everything is sent more slowly from then on, and also waits if the server does not say for how long.
 */
export const createPatientSend = ({ pace, limit, lasting }: Pacing, limits: WaitLimits): PatientSend => {
  const isAlone = (): boolean => limit() === 1
  // A server may answer 503 to what it cannot process: then neither waiting nor sending slowly helps.
  let isThrottling = true
  let unserved = 0
  /** The most waits after which what got a 503 was served; 0: that never happened. */
  let helped = 0
  const isBusy = (outcome: Outcome): boolean => isThrottled(outcome) || (isThrottling && is503(outcome))
  const isHopeless = (): boolean => unserved >= (isAlone() ? mostUnserved.alone : mostUnserved.besideOthers)
  const attemptsFor = (outcome: Outcome): number => {
    if (lasting.is(outcome)) return 0
    if (isHopeless()) return attempts.hopeless
    // A server that is known to throttle may do so for longer.
    if (isThrottled(outcome)) return attempts.throttling
    // Fewer are in flight each time, until it is alone.
    if (!isAlone()) return attempts.besideOthers
    // To wait for much longer than has ever helped hardly helps, and there may be many to wait for.
    return helped > 0 ? Math.min(attempts.throttling, helped + 2) : attempts.alone
  }
  const served = (busyAt: number, waited: number): void => {
    helped = Math.max(helped, waited)
    // As long as others are in flight, fewer of those may do; unless one that was alone has been too soon before.
    if (!isAlone() && pace.halvings() === 0) return
    if (pace.vainHalvings() < mostHalvings) pace.noteBusy(busyAt)
    else {
      isThrottling = false
      pace.restore()
    }
  }
  const notServed = (): void => {
    unserved += 1
    if (isHopeless() && isAlone() && pace.halvings() === 0) isThrottling = false
  }
  return async (send, longestMs) => {
    let waits = 0
    let last503 = Number.NaN
    let busy: Outcome | null = null
    for (let throttled = 0; ; ) {
      const sentAt = performance.now()
      const sent = await send()
      const { outcome } = sent
      const asked = retryAfter(outcome)
      const isAsked = asked !== null && asked <= longestMs && waits < retries && !isHopeless()
      const isToldBusy = asked === null && isBusy(outcome) && throttled < attemptsFor(outcome)
      if (isOver(limits)) return { sent, waits, throttled, isCutShort: isAsked || isToldBusy }
      if (isAsked) {
        waits += 1
        // Whoever waits for the next second, and then sends as many as before, is asked to wait again.
        if (isThrottled(outcome)) pace.slowDown(sentAt, true)
        await delay(asked, limits)
      } else if (isToldBusy) {
        if (isThrottled(outcome)) pace.slowDown(sentAt)
        else [last503, busy] = [sentAt, outcome]
        await delay(Math.min(longestWaitMs, firstWaitMs * 2 ** throttled), limits)
        throttled += 1
      } else {
        const isServed = !isThrottled(outcome) && !is503(outcome)
        if (isServed) {
          unserved = 0
          pace.noteServed()
        }
        if (busy !== null && isServed) lasting.noteServed(busy)
        else if (busy !== null && is503(outcome)) lasting.noteGivenUp(outcome)
        if (throttled + waits > 0 && !isServed) notServed()
        else if (!Number.isNaN(last503)) served(last503, throttled)
        return { sent, waits, throttled, isCutShort: false }
      }
    }
  }
}

const hasStatus = (outcome: Outcome, status: number): boolean =>
  outcome.kind === 'response' && outcome.response.status === status

export const is503 = (outcome: Outcome): boolean => hasStatus(outcome, 503)

/** Whether the server refuses to serve so many requests: what it answers says nothing about this one. */
export const isThrottled = (outcome: Outcome): boolean => hasStatus(outcome, 429)

/** Why requirements of a server that rejects all requests for their number are not tested; `outcome`: the last of these responses. */
export const throttledBy = (outcome: Outcome): UntestedReason => {
  const asked = retryAfter(outcome)
  const how = asked === null ? ', also those that come slowly' : ` and asks to wait for ${duration(asked)}`
  return {
    cause: 'access',
    reason: `the server throttles requests (429)${how}: send fewer with --rate, or test it without a limit`,
  }
}

/** Milliseconds that a busy server (429 or 503) asks to wait (RFC 9110 10.2.3), or after which it serves more requests; null if it says neither. */
const retryAfter = (outcome: Outcome): number | null => {
  if (outcome.kind === 'failure' || !(isThrottled(outcome) || is503(outcome))) return null
  const { headers } = outcome.response
  const now = Date.parse(header(headers, 'date') ?? '') / 1000
  const after = header(headers, 'retry-after')
  // A date is one of the server's clock, which it sends as well.
  const seconds =
    after === null
      ? resetAfter(headers, now)
      : /^\d+$/.test(after.trim())
        ? Number(after)
        : Date.parse(after) / 1000 - now
  return Number.isNaN(seconds) ? null : Math.max(shortestMs, seconds * 1000)
}
