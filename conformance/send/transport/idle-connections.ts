/** A connection that was idle for less is not one that the server gave up, unless it ends connections on purpose. */
const shortIdleMs = 50
/** This often it may be chance all the same. */
const chances = 3
/** The end of a connection that comes with a response arrives within this time of it. */
const restMs = 10

/**
 * What it means that a used connection ends without a byte of a response. A server may close an idle connection at any time (RFC
 * 9112 9.5), also while the next request is on its way: from here that looks like a dropped request. If it happens again and again
 * after hardly any time, connections rest before they are used again: then ends that come with a response are noticed in time, and
 * those that still come show dropped requests.
 */
export type IdlePolicy = {
  /** Whether to overlook the end of a connection that was idle for this long. */
  readonly excuses: (idleMs: number) => boolean
  /** Settles when a connection whose last response came at this time (of `performance.now`) may be used again; null: at once. */
  readonly rested: (since: number) => Promise<void> | null
}

export const createIdlePolicy = (): IdlePolicy => {
  let left = chances
  return {
    excuses: idleMs => {
      if (idleMs >= shortIdleMs) return true
      left -= 1
      // A request without rest was sent before connections had to rest.
      return left >= 0 || idleMs < restMs
    },
    rested: since => {
      const wait = left > 0 ? 0 : since + restMs + 1 - performance.now()
      return wait <= 0 ? null : new Promise(resolve => setTimeout(resolve, wait))
    },
  }
}
