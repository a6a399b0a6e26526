/** After so many responses that did not come in the whole time, the server is known to hang. */
const hangsTolerated = 3

/** Then it gets this many times the slowest response so far, and at least this many milliseconds. */
const patience = { factor: 10, leastMs: 300 } as const

/** How long a response may take. */
export type TimeLimit = {
  /** Milliseconds for the next response. */
  readonly current: () => number
  /** Whether that is less than a response may take. */
  readonly isShort: () => boolean
  /** A response was complete after this many milliseconds. */
  readonly responded: (ms: number) => void
  /** A response was not complete in time. */
  readonly hung: () => void
  /** What was not complete in time so far waited with all others: that is no sign that the server hangs. */
  readonly paused: () => void
}

/** `most` milliseconds, until the server is known to hang: a run that waits for each of a hundred hangs would not end. */
export const createTimeLimit = (most: number): TimeLimit => {
  let hangs = 0
  let slowest = 0
  const current = (): number =>
    hangs < hangsTolerated ? most : Math.min(most, Math.max(patience.leastMs, slowest * patience.factor))
  return {
    current,
    isShort: () => current() < most,
    responded: ms => {
      slowest = Math.max(slowest, ms)
    },
    hung: () => {
      hangs += 1
    },
    paused: () => {
      hangs = 0
    },
  }
}
