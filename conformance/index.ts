/** The contract-test suite: finds out whether a live server meets its contract. */
export { ReplayError, ShardError, TokenError } from './errors.ts'

import { fileURLToPath } from 'node:url'
import {
  type BaselineEntry,
  type Contract,
  type Ledger,
  loadContract,
  type Pin,
  plantStoreDocument,
  type ResponseTimeLimit,
  type RunEvent,
  type Secret,
  type SentExchange,
  seedOfNonce,
  type UnauthenticatedPolicy,
  type UndeclaredFailurePolicy,
  type Waiver,
} from '../spec/index.ts'
import { verifyDefaults } from './defaults.ts'
import { type AccessOptions, accessOf } from './options/access.ts'
import type { GivenOptions, Rules } from './options/run-options.ts'
import { createScope, selectedIn } from './options/scope.ts'
import type { TokenSource } from './options/token-source.ts'
import type { PlanCache } from './plan/plan-cache.ts'
import { type PlanSlice, slicesOf } from './plan/plan-slice.ts'
import { secretsOf } from './send/redaction.ts'
import { tokenOfRun } from './send/token-of-run.ts'
import { writeEvidence } from './shards/evidence-json.ts'
import { run, runShard } from './verify.ts'

export { verifyDefaults } from './defaults.ts'
export type { Evidence } from './execute/evidence.ts'
export { type Sample, type SampleOptions, sampleSchema } from './generator/index.ts'
export type { AccessOptions } from './options/access.ts'
export { askSource, type IssuedToken, keptBetweenRuns, type TokenSource } from './options/token-source.ts'
export { createPlanCache, type PlanCache } from './plan/plan-cache.ts'
export type { PlanSlice } from './plan/plan-slice.ts'
export { rejudge } from './rejudge.ts'
export { type Replayed, type ReplayOptions, replay } from './replay.ts'
export { readEvidence } from './shards/evidence-json.ts'
export { type MergedRun, mergeShards } from './shards/merge.ts'

export type VerifyOptions = AccessOptions & {
  /** Base URL of the server under test. */
  readonly target: string | URL
  /** A contract, or the path or URL of an OpenAPI document. Default: the plant store's. */
  readonly contract?: Contract | string | undefined
  /**
   * The right token, or a source that gives it and renews it when it expires. Without it wrong tokens are not tested, as any token
   * may be right.
   */
  readonly token?: string | TokenSource | undefined
  /** The same seed sends the same requests. Default: random, and recorded in the start event. */
  readonly seed?: number | undefined
  /** Recorded as it is: the product under test, such as `{ name: 'Plant Store', version: '1.4.2' }`. Default: nothing. */
  readonly testedProduct?: Readonly<Record<string, string>> | undefined
  /** Recorded as it is: who runs the tests. Default: nothing. */
  readonly runBy?: string | undefined
  /** A text by those who will read the record. Without `seed`, the seed follows from it (`seedOfNonce`). Default: none. */
  readonly nonce?: string | undefined
  /**
   * Planned cases. Default: what the contract needs, at least 1,500 and at most 3,000 or three for each operation; with `maxSeconds` as
   * many as there is time for.
   */
  readonly cases?: number | undefined
  /** Patterns of the obligations to test: an id, the beginning of one, or with `*`. Default: all. */
  readonly only?: readonly string[] | undefined
  /** Patterns of the obligations to leave out. Default: none. */
  readonly skip?: readonly string[] | undefined
  /**
   * Failures that are accepted until a day. A waiver whose last day is before `at`, and one whose obligations pass again, make the
   * run `outdated`. Default: none.
   */
  readonly waivers?: readonly Waiver[] | undefined
  /**
   * Failures that were known when the suite was adopted. A failure for another cause counts, and an entry that passes again makes
   * the run `outdated`. Default: none.
   */
  readonly baseline?: readonly BaselineEntry[] | undefined
  /** Whether entries of the baseline may pass, or be unknown to the contract, without consequence. Default false. */
  readonly shrinkBaseline?: boolean | undefined
  /** Open questions that MUST be answered as they were before. Default: none. */
  readonly pins?: readonly Pin[] | undefined
  /** How long responses to valid requests may take: a requirement of level MUST for each. Default: as long as they like. */
  readonly maxResponseTime?: readonly ResponseTimeLimit[] | undefined
  /**
   * The share of what counts (from 0 to 1) that a partial run has to test for reports to show a warning and not an error. Default 1: a
   * partial run is an error.
   */
  readonly minTested?: number | undefined
  /** Ends the run at the first failure that counts. Default false. */
  readonly bail?: boolean | undefined
  /** Ends the run after this many seconds. Default: no limit. */
  readonly maxSeconds?: number | undefined
  /**
   * Requests of sustained load after the planned cases. They are rejected for their credentials, and show what gives out over many
   * requests. Default: 1.5 for each case, at most 3,000.
   */
  readonly sustained?: number | undefined
  /** Requests in flight. Default 16. */
  readonly concurrency?: number | undefined
  /** Seconds to wait for the first response of the server. Default: it has to be up. */
  readonly waitSeconds?: number | undefined
  /** How the server has to reject missing credentials. Default `declared`. */
  readonly unauthenticated?: UnauthenticatedPolicy | undefined
  /**
   * What a failure is that fits the request, if the operation declares none that does: a `gap` of the document, which is observed, or a
   * failed requirement (`fail`). Default `gap`.
   */
  readonly undeclaredFailures?: UndeclaredFailurePolicy | undefined
  /** Whether SHOULD counts as MUST does. Default false. */
  readonly strict?: boolean | undefined
  /** Whether malformed HTTP is sent as well (the family `protocol`). Default false. */
  readonly malformedHttp?: boolean | undefined
  /**
   * Shared by runs that differ in their target only, so that they plan only once. A run with `maxSeconds` or `pins` does not use it.
   * Default: none.
   */
  readonly planCache?: PlanCache | undefined
  /** Called with each event of the run. */
  readonly onEvent?: ((event: RunEvent) => void) | undefined
  /**
   * Called with every exchange, also with those that the ledger leaves out: confirmations, minimising, sustained load. Bodies are
   * cut at 64 KiB.
   */
  readonly onExchange?: ((exchange: SentExchange) => void) | undefined
  /** Ends the run; what it has seen until then is in the ledger. */
  readonly signal?: AbortSignal | undefined
  /** When the run began, ISO 8601. Default: now. */
  readonly at?: string | undefined
  /** What identifies the run of a CI system that this run belongs to: only shards of one are merged. Default: none. */
  readonly ciRun?: string | undefined
  /** Recorded in the start event. */
  readonly product?: { readonly name: string; readonly version: string } | undefined
}

/**
 * Verifies a live server. Gives the ledger of the run: a verdict for every obligation, and a finding for every cause of failure.
 *
 * A failure is data. It throws only if it cannot judge: DocumentError (the document is not a usable contract), SelectionError (`only`
 * or `skip` matches no obligation), WaiverError, BaselineError, PinError (one of them is incomplete or matches no obligation),
 * TypeError (the target is not an http or https URL), TokenError and what a token source throws before the first request. An
 * unreachable server does not throw: the run is `inconclusive`.
 *
 * @example
 * const ledger = await verify({ target: 'http://127.0.0.1:4010', token: 'secret' })
 * if (ledger.end?.conclusion !== 'conformant') process.exitCode = 1
 */
export const verify = async (options: VerifyOptions): Promise<Ledger> => run(await completed(options))

export type ShardOptions = Omit<VerifyOptions, 'maxSeconds' | 'seed'> & {
  /** The names of the slices of the plan to send; see `planSlices`. */
  readonly slices: readonly string[]
  /** The same for all shards: they send parts of one plan. */
  readonly seed: number
}

/**
 * Sends some slices of a plan, as a whole run would. Gives the shard result as JSON, without secrets: `readEvidence` reads it, and
 * `mergeShards` concludes from all shards. Throws as `verify` does.
 */
export const verifyShard = async ({ slices, ...options }: ShardOptions): Promise<string> => {
  const complete = { ...(await completed(options)), slices }
  return writeEvidence(await runShard(complete), complete.secrets)
}

/** The slices of a plan, in the order of the contract. Throws SelectionError and PinError. */
export const planSlices = (
  contract: Contract,
  options: Pick<
    VerifyOptions,
    'unauthenticated' | 'malformedHttp' | 'pins' | 'maxResponseTime' | 'only' | 'skip'
  > = {},
): readonly PlanSlice[] => {
  const rules = { ...rulesIn(options), waivers: [], baseline: [] }
  return slicesOf(selectedIn(createScope(contract, rules, '')))
}

/** What no record of a run with these options may hold: the token, the values of extra headers, the password of the proxy. */
export const secretsIn = (
  options: AccessOptions & { readonly token?: string | undefined },
): readonly Secret[] => secretsOf(options.token ?? null, accessOf(options))

const rulesIn = (options: Omit<VerifyOptions, 'target'>): Rules => ({
  unauthenticated: options.unauthenticated ?? 'declared',
  undeclaredFailures: options.undeclaredFailures ?? 'gap',
  strict: options.strict ?? false,
  malformedHttp: options.malformedHttp ?? false,
  only: options.only ?? [],
  skip: options.skip ?? [],
  waivers: options.waivers ?? [],
  baseline: options.baseline ?? [],
  shrinkBaseline: options.shrinkBaseline ?? false,
  minTested: options.minTested ?? 1,
  pins: options.pins ?? [],
  maxResponseTime: options.maxResponseTime ?? [],
})

/** Fills in all defaults: nothing inside has any. */
const completed = async (options: VerifyOptions): Promise<GivenOptions> => {
  const target = httpUrl(options.target)
  const access = accessOf(options)
  const { contract = fileURLToPath(plantStoreDocument), maxSeconds = null } = options
  // Without any budget the contract gives one: see `withBudget`.
  const cases = options.cases ?? (maxSeconds === null ? undefined : null)
  const at = options.at ?? new Date().toISOString()
  const secrets: Secret[] = [...secretsOf(null, access)]
  const token = await tokenOfRun(options.token, at, secrets)
  return {
    ...access,
    ...rulesIn(options),
    contract: typeof contract === 'string' ? await loadContract({ from: contract }) : contract,
    target,
    token,
    isTokenKnown: options.token !== undefined,
    secrets,
    seed: options.seed ?? seedFor(options.nonce),
    testedProduct: options.testedProduct ?? null,
    runBy: options.runBy ?? null,
    nonce: options.nonce ?? null,
    cases,
    maxSeconds,
    sustained: options.sustained,
    concurrency: options.concurrency ?? verifyDefaults.concurrency,
    waitSeconds: options.waitSeconds ?? null,
    ciRun: options.ciRun ?? null,
    bail: options.bail ?? false,
    // A plan holds obligations, which pins change, and its length must not depend on a clock.
    planCache: maxSeconds === null && options.pins === undefined ? (options.planCache ?? null) : null,
    slices: null,
    at,
    product: options.product ?? { name: 'plantstore-contract', version: 'unknown' },
    onEvent: options.onEvent ?? (() => {}),
    onExchange: options.onExchange ?? null,
    signal: options.signal ?? new AbortController().signal,
  }
}

const seedFor = (nonce: string | undefined): number =>
  nonce === undefined ? Math.floor(Math.random() * 2 ** 31) : seedOfNonce(nonce)

const httpUrl = (target: string | URL): URL => {
  const url = new URL(target)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError(`the target must be an http or https URL, not ${url.protocol}`)
  return url
}
