import type { Outcome } from '../../../spec/index.ts'

/** How many requests are in flight at the same time: few at first, and more as long as the server answers as fast as before. */
export type Window = {
  /** Settles when a request may be sent. Each has to be told by `leave` when its response is there (null: it says nothing about the server's load), and what it asked for, as some things take longer than others. */
  readonly enter: () => Promise<void>
  readonly leave: (outcome: Outcome | null, of?: string) => void
  readonly limit: () => number
}

const first = 4

/** A server some response of which came within these milliseconds is near, and has no more requests in flight than this: more would wait in it. */
const near = { ms: 50, most: 64 } as const

/** A response takes so much longer only if requests wait for each other: factor, and milliseconds that are noise. */
const slower = { factor: 2, ms: 5 } as const

/** So many kinds of requests are told apart. */
const mostKinds = 2000

/** What is answered so often as if the server were overloaded, although it is asked alone, is no sign of load. */
const mostAlone = 3

/** Responses without a sign of overload before the limit grows again: more of them after each response that was one. */
const quiet = { first: 25, factor: 2, most: 400 } as const

/**
 * The limit doubles with each round of responses up to `most` (for a server that is near: up to 64) while most of them take about as long as the fastest of their kind. It is halved if the
 * server is overloaded (429, 502, 503, a lost connection, a locked database), and goes down by a quarter if responses become slow; after
 * that it grows by one a round, and later each time that it was too much.
 */
export const createWindow = (most: number): Window => {
  let limit = Math.min(first, most)
  let running = 0
  const fastest = new Map<string, number>()
  let fastestOfAll = Number.POSITIVE_INFINITY
  let hasLowered = false
  let slow = 0
  let count = 0
  let needed = 0
  const alone = new Map<string, number>()
  /** Responses to what was sent before the limit was lowered say nothing about the new one. */
  let ignored = 0
  const waiting: (() => void)[] = []

  const admit = (): void => {
    while (running < limit && waiting.length > 0) {
      running += 1
      waiting.shift()?.()
    }
  }
  const lower = (to: number): void => {
    limit = Math.max(1, Math.floor(to))
    hasLowered = true
    ignored = running
    slow = 0
    count = 0
  }
  const isSlow = (ms: number, of: string): boolean => {
    const kind = fastest.has(of) || fastest.size < mostKinds ? of : ''
    const least = Math.min(ms, fastest.get(kind) ?? Number.POSITIVE_INFINITY)
    fastest.set(kind, least)
    fastestOfAll = Math.min(fastestOfAll, least)
    return ms > least * slower.factor + slower.ms
  }
  const learn = (outcome: Outcome | null, of: string): void => {
    if (ignored > 0) ignored -= 1
    else if (outcome === null) return
    else if (isOverloaded(outcome) && (alone.get(of) ?? 0) < mostAlone) {
      if (limit === 1) alone.set(of, (alone.get(of) ?? 0) + 1)
      // A connection may be lost for what was sent on it.
      if (outcome.kind === 'response')
        needed = needed === 0 ? quiet.first : Math.min(quiet.most, needed * quiet.factor)
      lower(limit / 2)
    } else {
      count += 1
      if (isSlow(outcome.ms, of)) slow += 1
      if (count < Math.max(limit, needed)) return
      const isHealthy = slow * 2 <= count
      slow = 0
      count = 0
      const highest = fastestOfAll < near.ms ? Math.min(most, near.most) : most
      if (isHealthy) limit = Math.min(highest, hasLowered ? limit + 1 : limit * 2)
      else if (limit > first) lower(limit * 0.75)
    }
  }
  return {
    enter: async () => {
      if (running < limit) running += 1
      else await new Promise<void>(resolve => waiting.push(resolve))
    },
    leave: (outcome, of = '') => {
      running -= 1
      learn(outcome, of)
      admit()
    },
    limit: () => limit,
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
