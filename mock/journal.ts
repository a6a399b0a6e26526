import type { Breach, Headers } from '../spec/index.ts'
import type { Composed } from './compose.ts'
import type { Engine, MockRequest } from './engine.ts'
import type { Metrics } from './metrics.ts'

/** A request that was answered. Bodies are cut to `mostKept` bytes; their sizes are those that they had. */
export type Entry = {
  /** From 1 on, in the order of the answers; no number is given twice, also after `clear`. */
  readonly number: number
  /** When it was answered, in milliseconds since 1970, and how long the answer took to make, in milliseconds. */
  readonly at: number
  readonly ms: number
  readonly method: string
  readonly target: string
  readonly headers: Headers
  readonly body: Uint8Array | null
  readonly bodySize: number
  readonly status: number
  readonly answerHeaders: Headers
  readonly answerBody: Uint8Array
  readonly answerSize: number
  /** The id of the declared operation; null: it is none. */
  readonly operation: string | null
  /** What the request broke of the contract; empty: it was valid, or no request of a declared operation. */
  readonly breaches: readonly Breach[]
  /** What was done to the answer on purpose; null: nothing. */
  readonly scenario: string | null
}

/** The last requests of the mock, for its console, its log and its metrics. */
export type Journal = {
  readonly record: (request: MockRequest, answer: Composed, ms: number) => void
  /** Oldest first. */
  readonly entries: () => readonly Entry[]
  readonly clear: () => void
  /** Calls `heard` with every entry from now on, until the function that it gives is called. */
  readonly listen: (heard: (entry: Entry) => void) => () => void
}

export type Clock = { readonly now: () => number; readonly ticks: () => number }

const mostEntries = 500
const mostKept = 64 * 1024

export const createJournal = (clock: Clock): Journal => {
  const listeners = new Set<(entry: Entry) => void>()
  const ring: Entry[] = []
  let count = 0
  let cleared = 0
  return {
    record: (request, answer, ms) => {
      count += 1
      const entry: Entry = {
        number: count,
        at: clock.now(),
        ms,
        method: request.method,
        target: request.target,
        headers: request.headers,
        body: request.body === null ? null : cut(request.body),
        bodySize: request.body?.length ?? 0,
        status: answer.status,
        answerHeaders: answer.headers,
        answerBody: cut(answer.body),
        answerSize: answer.body.length,
        operation: answer.judged?.operation.id ?? null,
        breaches: answer.judged?.breaches ?? [],
        scenario: answer.scenario ?? null,
      }
      ring[(count - cleared - 1) % mostEntries] = entry
      for (const heard of listeners) heard(entry)
    },
    entries: () => {
      const first = (count - cleared) % mostEntries
      return ring.length < mostEntries ? [...ring] : [...ring.slice(first), ...ring.slice(0, first)]
    },
    clear: () => {
      ring.length = 0
      cleared = count
    },
    listen: heard => {
      listeners.add(heard)
      return () => void listeners.delete(heard)
    },
  }
}

// A part of a large body would hold all of it in memory.
const cut = (bytes: Uint8Array): Uint8Array => (bytes.length > mostKept ? bytes.slice(0, mostKept) : bytes)

/** Records and counts every request and its answer. */
export const withJournal =
  (engine: Engine, journal: Journal, metrics: Metrics, clock: Clock): Engine =>
  request => {
    const began = clock.ticks()
    metrics.began(request)
    const answered = (answer: Composed): Composed => {
      const ms = clock.ticks() - began
      metrics.answered(request, answer, ms)
      journal.record(request, answer, ms)
      return answer
    }
    const failed = (error: unknown): never => {
      metrics.failed()
      throw error
    }
    try {
      const answer = engine(request)
      // What is there at once is not waited for.
      return answer instanceof Promise ? answer.then(answered, failed) : answered(answer)
    } catch (error) {
      return failed(error)
    }
  }
