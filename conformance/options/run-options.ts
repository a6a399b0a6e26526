import {
  type BaselineEntry,
  type Contract,
  type Flow,
  type Json,
  type Operation,
  otherUser,
  type Pin,
  type ResponseTimeLimit,
  type RunEvent,
  type RunWatch,
  type Secret,
  type SecretOf,
  type SentExchange,
  type StatusPolicy,
  testedScheme,
  type Waiver,
} from '../../spec/index.ts'
import type { OperationExamples } from '../cases/operation-model.ts'
import type { PlanCache } from '../plan/plan-cache.ts'
import type { Access } from './access.ts'
import type { CurrentToken } from './token-source.ts'

/** What a run tests, and how it judges: plain JSON, and the same for all shards of a run. */
export type Rules = StatusPolicy & {
  readonly strict: boolean
  /** How the token is sent, as `--auth` says it; null: as the document declares. */
  readonly auth: string | null
  /** Whether malformed HTTP is sent as well. */
  readonly malformedHttp: boolean
  /** Whether the server keeps nothing of what it is sent, as most mocks do: what it should keep is then not asked for. */
  readonly stateless: boolean
  /** Whether the run knows a second user, so that what another creates can be tried with it. */
  readonly ownership: boolean
  /** Whether callbacks are listened for. */
  readonly callbacks: boolean
  /** Workflows of Arazzo documents. */
  readonly flows: readonly Flow[]
  /** Patterns of the obligations to test (empty: all) and to leave out; see `select`. */
  readonly only: readonly string[]
  readonly skip: readonly string[]
  /** Patterns of requests that are never sent, and of those that are although they may destroy what the run did not create; see `requestPattern`. */
  readonly never: readonly string[]
  readonly include: readonly string[]
  /** The names of the fixtures. */
  readonly named: readonly string[]
  readonly waivers: readonly Waiver[]
  readonly baseline: readonly BaselineEntry[]
  /** Whether entries of the baseline may be fixed, or unknown to the contract, without failing the run. */
  readonly shrinkBaseline: boolean
  readonly pins: readonly Pin[]
  /** How long responses may take; empty: as long as they like. */
  readonly maxResponseTime: readonly ResponseTimeLimit[]
  /** The share of what counts that a partial run has to test to be accepted. */
  readonly minTested: number
}

export const rulesOf = (rules: Rules): Rules => {
  const { unauthenticated, undeclaredFailures, strict, auth, malformedHttp, stateless, ownership, flows } =
    rules
  const { callbacks, only, skip, never, include, named } = rules
  const { waivers, baseline, shrinkBaseline, pins, maxResponseTime, minTested } = rules
  return {
    unauthenticated,
    undeclaredFailures,
    strict,
    auth,
    malformedHttp,
    stateless,
    ownership,
    callbacks,
    flows,
    only,
    skip,
    never,
    include,
    named,
    waivers,
    baseline,
    shrinkBaseline,
    pins,
    maxResponseTime,
    minTested,
  }
}

/** Where callbacks come to. */
export type ListenOptions = {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  /** By which URL the server under test reaches it; null: by its address. */
  readonly publicUrl: string | null
  /** How long to wait for a callback, in milliseconds. */
  readonly waitMs: number
}

/** The options of a run, complete: `verify` fills in what its caller leaves out, and every step gets this very record. */
export type RunOptions = Access &
  Rules & {
    readonly contract: Contract
    /** Base URL of the server under test. */
    readonly target: URL
    /** Sent as the right token; made up if none is known. */
    readonly token: CurrentToken
    readonly isTokenKnown: boolean
    /** The token of the other user; null: there is none. */
    readonly otherToken: CurrentToken | null
    /** The secrets of security schemes that have their own, by their `secretName`. */
    readonly secretsOfSchemes: ReadonlyMap<string, CurrentToken>
    /** What no record of the run may hold. New tokens are added as they come. */
    readonly secrets: readonly Secret[]
    readonly seed: number
    /** What the record says of the product under test, of who runs the tests, and for whom; null: nothing. */
    readonly testedProduct: Readonly<Record<string, string>> | null
    readonly runBy: string | null
    readonly nonce: string | null
    /** Null: as many as there is time for. */
    readonly cases: number | null
    /** The cases that the contract needs. */
    readonly needed: number
    readonly maxSeconds: number | null
    /** Milliseconds of it that are gone before the run. */
    readonly msBefore: number
    /** Requests of sustained load after the planned cases. */
    readonly sustained: number
    readonly concurrency: number
    /** How long to wait for the first response; null: the server has to be up. */
    readonly waitSeconds: number | null
    readonly bail: boolean
    /** Null: nobody listens for callbacks. */
    readonly listen: ListenOptions | null
    /** Values that exist, by `operation.parameter` or `*.parameter`. */
    readonly fixtures: Fixtures
    readonly createdNames: CreatedNames
    /** Inputs of workflows, by name or by `workflow.name`. */
    readonly flowInputs: Readonly<Record<string, Json>>
    /** Values that are sent as the examples of the document are, by operation. */
    readonly examples: Examples
    /** Whether what the run created stays on the server. */
    readonly keep: boolean
    /** What identifies the run of a CI system; null: there is none. */
    readonly ciRun: string | null
    readonly planCache: PlanCache | null
    /** The names of the slices of the plan to send; null: all. */
    readonly slices: readonly string[] | null
    /** When the run began, ISO 8601. */
    readonly at: string
    readonly product: { readonly name: string; readonly version: string }
    readonly onEvent: (event: RunEvent) => void
    /** Null: nothing is recorded for it. */
    readonly onExchange: ((exchange: SentExchange) => void) | null
    /** Null: nobody looks on. */
    readonly watch: RunWatch | null
    /** Ends the run; what it has seen until then is still reported. */
    readonly signal: AbortSignal
  }

/** The same before the contract is known in full: how many cases and requests of load, if nobody says, follows from it. */
export type GivenOptions = Omit<RunOptions, 'cases' | 'needed' | 'sustained'> & {
  readonly cases: number | null | undefined
  readonly sustained: number | undefined
}

/**
 * Requests in flight, at most. At a low rate there are fewer than allowed, so that a run that is stopped does not first have to wait for the
 * turns of many.
 */
export const requestsInFlight = ({ concurrency, rate }: RunOptions): number =>
  rate === null ? concurrency : Math.min(concurrency, Math.ceil(2 * rate))

/** Operations that are tried at the same time, at most: each gets to its end the later, the more there are. */
export const operationsAtATime = (options: RunOptions): number =>
  Math.min(16, Math.max(1, requestsInFlight(options)))

/** The secret that the credentials of an operation are tested with. */
export const tokenFor = (
  { token, secretsOfSchemes }: Pick<RunOptions, 'token' | 'secretsOfSchemes'>,
  operation: Operation,
): CurrentToken => secretsOfSchemes.get(testedScheme({ operation })?.secret ?? '') ?? token

/** Whether it is known which one is right. */
export const isSecretKnown = (
  { isTokenKnown, secretsOfSchemes }: Pick<RunOptions, 'isTokenKnown' | 'secretsOfSchemes'>,
  operation: Operation,
): boolean => isTokenKnown || secretsOfSchemes.has(testedScheme({ operation })?.secret ?? '')

/** What fills the placeholders of requests. */
export const secretOf =
  ({
    token,
    otherToken,
    secretsOfSchemes,
  }: Pick<RunOptions, 'token' | 'otherToken' | 'secretsOfSchemes'>): SecretOf =>
  name =>
    ((name === otherUser ? otherToken : secretsOfSchemes.get(name ?? '')) ?? token).value()

/** By operation, where the name of what it creates is: a JSON pointer into the response, or else into the request. */
export type CreatedNames = Readonly<Record<string, string>>

/** Values that exist, by `operation.parameter`, or by `*.parameter` for all operations that have one of this name. */
export type Fixtures = Readonly<Record<string, readonly Json[]>>

/** Values that requests were seen to have, by operation. */
export type Examples = Readonly<Record<string, OperationExamples>>
