/** No server gives up connections that were idle for less, but to end them on purpose. */
const shortIdleMs = 50
/** That often it may be chance all the same. */
const chances = 3
/** The end of a connection that comes with an answer is here within that time of it. */
const restMs = 10

/**
 * What the end of a used connection, without a byte of an answer, says: a server may close an idle connection at any
 * time (RFC 9112 9.5), also while the next request is on its way, and from here that looks like a request that was
 * dropped. Where it comes again and again after no time at all, connections rest before they are used again: then the
 * ends that come with an answer are seen in time, and those that still come drop requests.
 */
export type Stale = {
  /** Whether the end of a connection that had been idle for so long is to be overlooked. */
  readonly excuse: (idleMs: number) => boolean
  /** Settles when a connection whose last answer came then (by performance.now()) may be used again. */
  readonly rested: (since: number) => Promise<void> | null
}

export const createStale = (): Stale => {
  let left = chances
  return {
    excuse: idleMs => {
      if (idleMs >= shortIdleMs) return true
      left -= 1
      // One that had not rested was sent before connections did.
      return left >= 0 || idleMs < restMs
    },
    rested: since => {
      const wait = left > 0 ? 0 : since + restMs + 1 - performance.now()
      return wait <= 0 ? null : new Promise(resolve => setTimeout(resolve, wait))
    },
  }
}
