import type { Contract, RunEvent, Unauthenticated } from '../spec/index.ts'

/** Everything that a run needs; see `verify` for the form with defaults. */
export type RunOptions = {
  readonly contract: Contract
  readonly target: URL
  /** Null: none is known to be right, so one is made up and wrong ones are not tested. */
  readonly token: string | null
  readonly seed: number
  /** Null: as many as the time allows. */
  readonly cases: number | null
  readonly seconds: number | null
  readonly concurrency: number
  readonly timeoutMs: number
  readonly unauthenticated: Unauthenticated
  readonly strict: boolean
  /** Patterns of the obligations to test (none: all) and to leave out; see `select`. */
  readonly only: readonly string[]
  readonly skip: readonly string[]
  /** Whether the run ends at the first broken promise that counts. */
  readonly bail: boolean
  readonly insecure: boolean
  /** The run's beginning, ISO 8601. */
  readonly at: string
  readonly product: { readonly name: string; readonly version: string }
  readonly onEvent: (event: RunEvent) => void
  /** Stops the run; what was seen till then is still told. */
  readonly signal: AbortSignal
}
