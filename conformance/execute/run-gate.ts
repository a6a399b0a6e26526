import type { HttpRequest } from '../../spec/index.ts'
import type { Gate } from '../options/gate.ts'
import { isPast, type RunClock } from './run-clock.ts'

/** What every request of a run has to pass: what is left out is not sent, and nothing is after the end of the run. */
export type RunGate = {
  /** Why a request is not to be sent; null if it may be. */
  readonly refusal: (request: HttpRequest) => string | null
  /** Whether nothing more is to be sent, whatever it is. */
  readonly isClosed: () => boolean
  /** From now on only what removes things is sent, and it has time of its own. */
  readonly openForCleanUp: () => void
}

/** Milliseconds that a run may go on with confirming failures after it was told to end. */
const afterTheEnd = 3000

export const createRunGate = (gate: Gate, clock: RunClock, signal: AbortSignal): RunGate => {
  let abortedAt: number | null = null
  let isCleaning = false
  const noteAbort = (): void => {
    abortedAt ??= performance.now()
  }
  if (signal.aborted) noteAbort()
  else signal.addEventListener('abort', noteAbort, { once: true })
  const isClosed = (): boolean =>
    isCleaning
      ? isPast(clock.last())
      : isPast(clock.end()) || (abortedAt !== null && isPast(abortedAt + afterTheEnd))
  return {
    refusal: request => (isClosed() ? 'the run had to end' : gate(request)),
    isClosed,
    openForCleanUp: () => {
      isCleaning = true
    },
  }
}
