import type {
  Accepted,
  Contract,
  Pin,
  RunEvent,
  SentExchange,
  Unauthenticated,
  Waiver,
} from '../spec/index.ts'
import type { Rehearsal } from './rehearsal.ts'
import type { Access } from './transport/index.ts'

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
  readonly access: Access
  /** How long the server may take to answer for the first time. */
  readonly waitMs: number | null
  readonly unauthenticated: Unauthenticated
  readonly strict: boolean
  /** Patterns of the obligations to test (none: all) and to leave out; see `select`. */
  readonly only: readonly string[]
  readonly skip: readonly string[]
  /** Broken promises that are accepted for a time. */
  readonly waivers: readonly Waiver[]
  /** Broken promises that were accepted on adoption, and whether what is mended just leaves them. */
  readonly baseline: readonly Accepted[]
  readonly shrinkBaseline: boolean
  /** Open questions that are held to their answers. */
  readonly pins: readonly Pin[]
  /** Whether the run ends at the first broken promise that counts. */
  readonly bail: boolean
  /** Whether malformed HTTP is sent as well. */
  readonly wire: boolean
  readonly rehearsal: Rehearsal | null
  /** The names of the cells to send; null: all. */
  readonly cells: readonly string[] | null
  /** The run's beginning, ISO 8601. */
  readonly at: string
  readonly product: { readonly name: string; readonly version: string }
  readonly onEvent: (event: RunEvent) => void
  /** Told all that is sent; null: nothing is recorded for it. */
  readonly onExchange: ((exchange: SentExchange) => void) | null
  /** Stops the run; what was seen till then is still told. */
  readonly signal: AbortSignal
}

/**
 * Requests in flight: at a low rate fewer than asked for, so that a run which is stopped does not first have to wait
 * for the turns of many.
 */
export const inFlight = ({ concurrency, access }: RunOptions): number =>
  access.rate === null ? concurrency : Math.min(concurrency, Math.ceil(2 * access.rate))

/** What makes a run mean less than it seems to, or speak of more than the server. */
export const accessNotes = ({ access, target }: RunOptions): readonly string[] => [
  ...(access.insecure && target.protocol === 'https:'
    ? ['--insecure: the server’s certificate was not checked, so it may be anybody’s']
    : []),
  ...(access.proxy === null
    ? []
    : [
        `all went through the proxy ${access.proxy.origin}: what is told of the server may be the proxy’s doing`,
      ]),
]
