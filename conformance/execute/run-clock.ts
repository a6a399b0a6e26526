/** The time of a run, on the clock of `performance.now`, in milliseconds. */
export type RunClock = {
  readonly began: number
  /** Null: the run has no time limit. */
  readonly deadline: number | null
}

export const startClock = ({ maxSeconds }: { readonly maxSeconds: number | null }): RunClock => {
  const began = performance.now()
  return { began, deadline: maxSeconds === null ? null : began + maxSeconds * 1000 }
}

export const isTimeUp = ({ deadline }: RunClock): boolean => deadline !== null && performance.now() > deadline

export const elapsedMs = ({ began }: RunClock): number => Math.round(performance.now() - began)
