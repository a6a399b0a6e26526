import type { RunClock } from '../session/run-clock.ts'

/** Until when operations are tried, on the clock of `performance.now`; null: there is no limit. */
export type TrialTime = {
  /** Every operation gets its plain request before anything else, so that these go on for as long as cases are sent. */
  readonly plain: () => number | null
  /** What looks for a request that is accepted has to leave time to those that come later. */
  readonly search: () => number | null
  /** From now on so many operations are tried, and so many later: they share what is left of the time for trials. */
  readonly share: (operations: number, later: number) => void
}

export const createTrialTime = ({ preflight, deadline }: RunClock): TrialTime => {
  let from = performance.now()
  let part = 1
  return {
    plain: deadline,
    search: () => {
      const end = preflight()
      return end === null ? null : from + part * (end - from)
    },
    share: (operations, later) => {
      from = performance.now()
      part = operations / Math.max(1, operations + later)
    },
  }
}
