import type { Outcome } from '../../../spec/index.ts'

/** How many requests are in flight at the same time: few at first, and more as long as the server answers as fast as before. */
export type Window = {
  /** Settles when a request may be sent. Each has to be told by `leave` when its response is there; null: it says nothing about the server's load. */
  readonly enter: () => Promise<void>
  readonly leave: (outcome: Outcome | null) => void
  readonly limit: () => number
}

const first = 4

/** A response takes so much longer only if requests wait for each other: factor, and milliseconds that are noise. */
const slower = { factor: 2, ms: 5 } as const

/**
 * The limit doubles with each round of responses up to `most` while their median stays near that of the fastest round. It is halved if the
 * server is overloaded (429, 502, 503, a lost connection, a locked database), and goes down by a quarter if responses become slow; after
 * that it grows by one a round.
 */
export const createWindow = (most: number): Window => {
  let limit = Math.min(first, most)
  let running = 0
  let fastest = Number.POSITIVE_INFINITY
  let hasLowered = false
  let times: number[] = []
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
    times = []
  }
  const learn = (outcome: Outcome | null): void => {
    if (ignored > 0) ignored -= 1
    else if (outcome === null) return
    else if (isOverloaded(outcome)) lower(limit / 2)
    else {
      times.push(outcome.ms)
      if (times.length < limit) return
      const median = times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? 0
      times = []
      fastest = Math.min(fastest, median)
      if (median <= fastest * slower.factor + slower.ms)
        limit = Math.min(most, hasLowered ? limit + 1 : limit * 2)
      else if (limit > first) lower(limit * 0.75)
    }
  }
  return {
    enter: async () => {
      if (running < limit) running += 1
      else await new Promise<void>(resolve => waiting.push(resolve))
    },
    leave: outcome => {
      running -= 1
      learn(outcome)
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
