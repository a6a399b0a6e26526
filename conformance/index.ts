/** The contract-test suite: finds out whether a live server meets its contract. */
export { readFlows } from '../spec/index.ts'
export { ListenerError, ReplayError, ShardError, TokenError } from './errors.ts'

import { fileURLToPath } from 'node:url'
import {
  type Contract,
  type Ledger,
  loadContract,
  plantStoreDocument,
  type Secret,
  seedOfNonce,
} from '../spec/index.ts'
import { verifyDefaults } from './defaults.ts'
import { type AccessOptions, accessOf } from './options/access.ts'
import { type Destructive, withheldOperations } from './options/gate.ts'
import type { GivenOptions, Rules } from './options/run-options.ts'
import { createScope } from './options/scope.ts'
import { type PlanSlice, slicesOf } from './plan/plan-slice.ts'
import { secretsOf } from './send/redaction.ts'
import {
  checkExtraHeaders,
  formOfRun,
  otherTokenOfRun,
  secretsOfRun,
  sentAs,
  sentContract,
  tokenOfRun,
} from './send/token-of-run.ts'
import { writeEvidence } from './shards/evidence-json.ts'
import { run, runShard, type VerifyOptions } from './verify.ts'

export type { OutgoingRequest, RequestHook } from '../spec/index.ts'
export { verifyDefaults } from './defaults.ts'
export { type EvolveOptions, evolve, isCounted } from './evolve/consumers/consumers.ts'
export type {
  Difference,
  DifferenceLevel,
  Evolution,
  UndecidedPart,
} from './evolve/difference.ts'
export type { Evidence } from './execute/evidence.ts'
export type { AccessOptions } from './options/access.ts'
export type { CreatedNames, Examples, Fixtures } from './options/run-options.ts'
export { askSource, type IssuedToken, keptBetweenRuns, type TokenSource } from './options/token-source.ts'
export { createPlanCache, type PlanCache } from './plan/plan-cache.ts'
export type { PlanSlice } from './plan/plan-slice.ts'
export { rejudge } from './rejudge.ts'
export { type Replayed, type ReplayOptions, replay } from './replay.ts'
export { readEvidence } from './shards/evidence-json.ts'
export { type MergedRun, mergeShards } from './shards/merge.ts'
export type { VerifyOptions } from './verify.ts'

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
    | 'unauthenticated'
    | 'token'
    | 'otherToken'
    | 'auth'
    | 'secrets'
    | 'malformedHttp'
    | 'stateless'
    | 'listen'
    | 'pins'
    | 'maxResponseTime'
    | 'only'
    | 'skip'
    | 'never'
    | 'include'
    | 'fixtures'
  > = {},
): readonly PlanSlice[] => {
  const rules = { ...rulesIn(options), waivers: [], baseline: [] }
  const sent = sentContract(contract, options)
  return slicesOf(createScope(sent, rules, '').selected)
}

/**
 * The operations that a run with these options leaves out because they may destroy what it did not create, and why. Throws
 * SelectionError.
 */
export const destructiveOperations = (
  options: Pick<VerifyOptions, 'never' | 'include' | 'fixtures' | 'stateless' | 'only' | 'skip'> & {
    readonly contract: Contract
  },
): readonly Destructive[] => {
  const { contract, only = [], skip = [] } = options
  const rules = rulesIn(options)
  // The obligations of a large contract are many: they are looked at only if some of them are selected.
  const withheld =
    only.length + skip.length === 0
      ? withheldOperations(contract, rules)
      : createScope(contract, { ...rules, waivers: [], baseline: [], pins: [] }, '').withheld
  return [...withheld.values()].flatMap(({ destructive }) => destructive ?? [])
}

/** How a run with these options sends the token, if that is not as the document declares: one sentence; null if it is. Throws TokenError. */
export const howTokenIsSent = (
  contract: Contract,
  options: Pick<VerifyOptions, 'auth' | 'token'>,
): string | null => {
  const form = options.token === undefined ? null : formOfRun(contract, options)
  return form === null ? null : sentAs(contract, form)
}

/** What no record of a run with these options may hold: the token, the values of extra headers, the password of the proxy. */
export const secretsIn = (
  options: AccessOptions & { readonly token?: string | undefined },
): readonly Secret[] => secretsOf(options.token ?? null, accessOf(options))

const rulesIn = (options: Omit<VerifyOptions, 'target'>): Rules => ({
  unauthenticated: options.unauthenticated ?? 'declared',
  undeclaredFailures: options.undeclaredFailures ?? 'gap',
  strict: options.strict ?? false,
  auth: options.auth ?? null,
  malformedHttp: options.malformedHttp ?? false,
  stateless: options.stateless ?? false,
  ownership: options.otherToken !== undefined,
  callbacks: options.listen !== undefined,
  flows: options.flows ?? [],
  only: options.only ?? [],
  skip: options.skip ?? [],
  never: options.never ?? [],
  include: options.include ?? [],
  named: Object.keys(options.fixtures ?? {}),
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
  const declared = typeof contract === 'string' ? await loadContract({ from: contract }) : contract
  const auth = formOfRun(declared, options)
  const sent = sentContract(declared, options)
  checkExtraHeaders(access.headers, sent)
  const use = { at, secrets, contract: sent, form: auth }
  const token = await tokenOfRun(options.token, use)
  const isTokenKnown = options.token !== undefined
  return {
    ...access,
    ...rulesIn(options),
    auth,
    contract: sent,
    target,
    token,
    isTokenKnown,
    otherToken: await otherTokenOfRun(options.otherToken, isTokenKnown ? token : null, use),
    secretsOfSchemes: await secretsOfRun(options.secrets, use),
    secrets,
    seed: options.seed ?? seedFor(options.nonce),
    testedProduct: options.testedProduct ?? null,
    runBy: options.runBy ?? null,
    nonce: options.nonce ?? null,
    cases,
    maxSeconds,
    msBefore: options.msBefore ?? 0,
    sustained: options.sustained,
    concurrency: options.concurrency ?? verifyDefaults.concurrency,
    waitSeconds: options.waitSeconds ?? null,
    ciRun: options.ciRun ?? null,
    bail: options.bail ?? false,
    listen: options.listen === undefined ? null : { ...verifyDefaults.listen, ...options.listen },
    fixtures: options.fixtures ?? {},
    createdNames: options.createdNames ?? {},
    flowInputs: options.flowInputs ?? {},
    examples: options.examples ?? {},
    keep: options.keep ?? false,
    // A plan holds obligations, which pins change, and its length must not depend on a clock.
    planCache: maxSeconds === null && options.pins === undefined ? (options.planCache ?? null) : null,
    slices: null,
    at,
    product: options.product ?? { name: 'plantstore-contract', version: 'unknown' },
    onEvent: options.onEvent ?? (() => {}),
    onExchange: options.onExchange ?? null,
    watch: options.watch ?? null,
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
