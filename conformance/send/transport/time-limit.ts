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

/** What ends every wait: the end of the run, and the time on the clock of `performance.now`. */
export type WaitLimits = { readonly signal: AbortSignal; readonly deadline: number | null }

/** Waits, but no longer than the run lasts. */
export const delay = (ms: number, { signal, deadline }: WaitLimits): Promise<void> =>
  new Promise(resolve => {
    const left = deadline === null ? ms : Math.max(0, Math.min(ms, deadline - performance.now()))
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, left)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
  })

/** Whether the run has ended. */
export const isOver = ({ signal, deadline }: WaitLimits): boolean =>
  signal.aborted || (deadline !== null && performance.now() >= deadline)
