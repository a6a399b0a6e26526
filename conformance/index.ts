/** The verb *ask*: finds out whether a live server keeps its contract. */
import { fileURLToPath } from 'node:url'
import {
  type Accepted,
  type Contract,
  type Ledger,
  loadContract,
  type Pin,
  plantStoreDocument,
  type RunEvent,
  type SentExchange,
  type Unauthenticated,
  type Waiver,
} from '../spec/index.ts'
import { type Cell, cellsOf } from './cell.ts'
import { writeEvidence } from './evidence-text.ts'
import { secretsOf } from './extra-headers.ts'
import { choose } from './part.ts'
import type { Rehearsal } from './rehearsal.ts'
import type { RunOptions } from './run-options.ts'
import { type AccessOptions, accessOf } from './transport/index.ts'
import { run, runPart } from './verify.ts'

export type { Cell } from './cell.ts'
export type { Evidence } from './evidence.ts'
export { readEvidence } from './evidence-text.ts'
export { type Joined, joinParts, PartError } from './join.ts'
export { isTooFew } from './plan.ts'
export { createRehearsal, type Rehearsal } from './rehearsal.ts'
export { ReplayError, type Replayed, type ReplayOptions, replay } from './replay.ts'
export { type Sample, type SampleOptions, sampleSchema } from './schema/index.ts'
export type { AccessOptions } from './transport/index.ts'

export type VerifyOptions = AccessOptions & {
  /** Base URL of the server under test. */
  readonly target: string | URL
  /** A contract, or the path or URL of an OpenAPI document. Default: the plant store's own. */
  readonly contract?: Contract | string
  /** The right token. Without it wrong tokens are not tested, as any may be right. */
  readonly token?: string
  /** Same seed, same requests. Default: drawn, and told in the start event. */
  readonly seed?: number
  /** Requests planned. Default 1,000, or where `seconds` is given as many as there is time for. */
  readonly cases?: number
  /** Patterns of the obligations to test: an id, its beginning, or with `*`. Default: all. */
  readonly only?: readonly string[]
  /** Patterns of obligations to leave out. Default: none. */
  readonly skip?: readonly string[]
  /**
   * Broken promises that are accepted for a time. One that is kept again, and a waiver whose last day (by `at`) is over,
   * make the conclusion `broken`. Default: none.
   */
  readonly waivers?: readonly Waiver[]
  /**
   * Broken promises that were accepted when the server was adopted. One that breaks for another cause counts, and one
   * that is kept again makes the conclusion `broken`. Default: none.
   */
  readonly baseline?: readonly Accepted[]
  /** Lets what is mended, or gone from the contract, leave the baseline without a word. Default false. */
  readonly shrinkBaseline?: boolean
  /** Open questions that MUST be answered as they were. Default: none. */
  readonly pins?: readonly Pin[]
  /** Ends the run at the first broken promise that counts. Default false. */
  readonly bail?: boolean
  /** Ends the run after so many seconds. Default: none. */
  readonly seconds?: number
  /** Requests in flight. Default 16. */
  readonly concurrency?: number
  /** Seconds that the server may take to answer for the first time. Default: it has to be there. */
  readonly waitSeconds?: number
  /** How missing credentials are to be answered. Default `declared`. */
  readonly unauthenticated?: Unauthenticated
  /** Whether broken SHOULDs count. Default false. */
  readonly strict?: boolean
  /** Whether malformed HTTP is sent as well (the family `wire`). Default false. */
  readonly wire?: boolean
  /** Shared by runs of one contract, seed, budget and token, so that their questions are worked out once. Default: none. */
  readonly rehearsal?: Rehearsal
  /** Called with each event as it comes. */
  readonly onEvent?: (event: RunEvent) => void
  /**
   * Called with every exchange, also of those that the ledger leaves out: repeats, shrinking, soaking. Bodies are cut at
   * 64 KiB. Default: none is recorded.
   */
  readonly onExchange?: (exchange: SentExchange) => void
  /** Stops the run cleanly. */
  readonly signal?: AbortSignal
  /** When the run began, ISO 8601. Default: now. */
  readonly at?: string
  readonly product?: { readonly name: string; readonly version: string }
}

/**
 * Verifies a live server and gives the ledger of every promise. A broken promise is data in it; it throws only where
 * it could not judge (DocumentError: the document is not a usable contract; SelectionError: `only` or `skip` names no obligation;
 * WaiverError: a waiver is not whole or names no obligation; BaselineError, PinError: the same of the baseline and of pins;
 * TypeError: the target is no http URL).
 *
 * @example
 * const ledger = await verify({ target: 'http://127.0.0.1:4010', token: 'secret' })
 * if (ledger.end?.conclusion !== 'conformant') process.exitCode = 1
 */
export const verify = async (options: VerifyOptions): Promise<Ledger> => run(await runOptionsOf(options))

export type PartOptions = Omit<VerifyOptions, 'seconds' | 'seed'> & {
  /** The names of the cells to send. */
  readonly cells: readonly string[]
  /** The seed of all parts: it makes the one plan. */
  readonly seed: number
}

/**
 * Sends some cells of a plan as a whole run would, and gives what they showed as JSON, without secrets; `readEvidence`
 * and `joinParts` put all parts together. Throws as `verify` does.
 */
export const verifyPart = async ({ cells, ...options }: PartOptions): Promise<string> => {
  const asked = { ...(await runOptionsOf(options)), cells }
  return writeEvidence(await runPart(asked), secretsOf(asked.token, asked.access))
}

/** The cells of a plan, in the order of the contract. Throws SelectionError and PinError. */
export const planCells = (
  contract: Contract,
  options: Pick<VerifyOptions, 'unauthenticated' | 'wire' | 'pins' | 'only' | 'skip'> = {},
): readonly Cell[] => {
  const { only = [], skip = [], unauthenticated = 'declared', wire = false, pins = [] } = options
  const { obligations, asks } = choose(contract, { unauthenticated, wire, pins, only, skip })
  return cellsOf(obligations.filter(({ id }) => asks(id)))
}

const runOptionsOf = async (options: VerifyOptions): Promise<RunOptions> => {
  const { contract: given = fileURLToPath(plantStoreDocument) } = options
  const target = new URL(options.target)
  if (target.protocol !== 'http:' && target.protocol !== 'https:')
    throw new TypeError(`the target must be an http or https URL, not ${target.protocol}`)
  return {
    contract: typeof given === 'string' ? await loadContract({ from: given }) : given,
    only: options.only ?? [],
    skip: options.skip ?? [],
    waivers: options.waivers ?? [],
    baseline: options.baseline ?? [],
    shrinkBaseline: options.shrinkBaseline ?? false,
    pins: options.pins ?? [],
    bail: options.bail ?? false,
    target,
    token: options.token ?? null,
    seed: options.seed ?? Math.floor(Math.random() * 2 ** 31),
    cases: options.cases ?? (options.seconds === undefined ? 1000 : null),
    seconds: options.seconds ?? null,
    concurrency: options.concurrency ?? 16,
    access: accessOf(options),
    waitMs: options.waitSeconds === undefined ? null : options.waitSeconds * 1000,
    unauthenticated: options.unauthenticated ?? 'declared',
    strict: options.strict ?? false,
    wire: options.wire ?? false,
    // A plan holds obligations, and pins change them.
    rehearsal:
      options.seconds === undefined && options.pins === undefined ? (options.rehearsal ?? null) : null,
    cells: null,
    at: options.at ?? new Date().toISOString(),
    product: options.product ?? { name: 'plantstore-contract', version: 'unknown' },
    onEvent: options.onEvent ?? (() => {}),
    onExchange: options.onExchange ?? null,
    signal: options.signal ?? new AbortController().signal,
  }
}
