/** The time of a run, on the clock of `performance.now`, in milliseconds. */
export type RunClock = {
  readonly began: number
  /** When the plan ends, so that what failed can be sent again and what was created removed in time. Null: there is no limit. */
  readonly deadline: () => number | null
  /** From when on nothing is sent but what removes things; and from when on nothing at all. Null: there is no limit. */
  readonly end: () => number | null
  readonly last: number | null
  /** Keeps as many milliseconds for removing what was created as this gives. */
  readonly keepFor: (cleanUpMs: () => number) => void
}

/** The shares of the time of a run after which the plan ends, nothing else is sent, and the reports have to be written. */
const shares = { plan: 0.78, confirmation: 0.93, cleanUp: 0.98 } as const

/** Of the time of a run, removing things gets no more than this, however many there are. */
const mostForCleanUp = 0.4

export const startClock = ({ maxSeconds }: { readonly maxSeconds: number | null }): RunClock => {
  const began = performance.now()
  let cleanUpMs = (): number => 0
  const at = (share: number): number | null => {
    if (maxSeconds === null) return null
    const ms = maxSeconds * 1000
    return began + share * ms - Math.min(mostForCleanUp * ms, cleanUpMs())
  }
  return {
    began,
    deadline: () => at(shares.plan),
    end: () => at(shares.confirmation),
    last: maxSeconds === null ? null : began + shares.cleanUp * maxSeconds * 1000,
    keepFor: ms => {
      cleanUpMs = ms
    },
  }
}

export const isTimeUp = ({ deadline }: RunClock): boolean => isPast(deadline())

export const isPast = (time: number | null): boolean => time !== null && performance.now() > time

export const elapsedMs = ({ began }: RunClock): number => Math.round(performance.now() - began)
