/** What a run is doing: it tries a valid request of each operation, sends its cases, keeps up the load, sends again what failed, cleans up. */
export type RunPhase = 'trial' | 'cases' | 'load' | 'repetition' | 'clean-up'

/** Hears at once what a run is doing, for whoever shows that; nothing of it is recorded. */
export type RunWatch = {
  readonly phase: (phase: RunPhase) => void
  /** A request is sent. What it gives back is called when the request has come to its end. */
  readonly sending: (request: { readonly method: string; readonly target: string }) => () => void
}
