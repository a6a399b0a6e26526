import {
  type BaselineEntry,
  type Contract,
  type Flow,
  foldLedger,
  type Json,
  type Ledger,
  type Pin,
  type ResponseTimeLimit,
  type RunEvent,
  type RunWatch,
  type SentExchange,
  type UnauthenticatedPolicy,
  type UndeclaredFailurePolicy,
  type Waiver,
} from '../spec/index.ts'
import type { Evidence } from './execute/evidence.ts'
import { execute } from './execute/execute.ts'
import { inPlanOrder } from './judge/run-stats.ts'
import type { AccessOptions } from './options/access.ts'
import {
  type CreatedNames,
  type Examples,
  type Fixtures,
  type GivenOptions,
  type ListenOptions,
  rulesOf,
} from './options/run-options.ts'
import type { TokenSource } from './options/token-source.ts'
import type { PlanCache } from './plan/plan-cache.ts'
import { additionsOf, withAdditions, withoutSecrets } from './send/redaction.ts'
import { concludeRun } from './verdict/conclude-run.ts'

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
  /**
   * The right token of another user, such as of a second user: as `token`. What the run creates is tried with it, and is to be kept from it.
   * Default: none, and nobody tries.
   */
  readonly otherToken?: string | TokenSource | undefined
  /**
   * How the token is sent: `bearer`, `basic` (the token is `user:password`), `header:X-Api-Key`, `query:token`, `cookie:sid`, or a header
   * with `{}` for the token, such as `Authorization: token {}`. Default: as the document declares, and where it asks for no credentials at
   * all, as a bearer token.
   */
  readonly auth?: string | undefined
  /**
   * Secrets by the name of their security scheme, for a document with several: each as `token`. Of the alternatives of an operation, one is
   * tested for which all are given. Schemes without a secret of their own get the token. Default: none.
   */
  readonly secrets?: Readonly<Record<string, string | TokenSource>> | undefined
  /** Workflows of Arazzo documents, which are run as well; see `readFlows`. Default: none. */
  readonly flows?: readonly Flow[] | undefined
  /** Inputs of the workflows, by name or by `workflow.name`. Default: those of the documents. */
  readonly flowInputs?: Readonly<Record<string, Json>> | undefined
  /**
   * Where the callbacks and webhooks of the document are to come to, and are judged: `publicUrl` is by which URL the server under test reaches it, `waitMs`
   * how long to wait for each (default 5,000). Default: nobody listens.
   */
  readonly listen?: Partial<ListenOptions> | undefined
  /** The same seed sends the same requests. Default: random, and recorded in the start event. */
  readonly seed?: number | undefined
  /** Recorded as it is: the product under test, such as `{ name: 'Plant Store', version: '1.4.2' }`. Default: nothing. */
  readonly testedProduct?: Readonly<Record<string, string>> | undefined
  /** Recorded as it is: who runs the tests. Default: nothing. */
  readonly runBy?: string | undefined
  /** A text by those who will read the record. Without `seed`, the seed follows from it (`seedOfNonce`). Default: none. */
  readonly nonce?: string | undefined
  /**
   * Planned cases. Default: what the contract needs, at least 1,500; if that is more than 35,000, a part of it; with `maxSeconds` as many as
   * there is time for.
   */
  readonly cases?: number | undefined
  /** Patterns of the obligations to test: an id, the beginning of one, or with `*`. Default: all. */
  readonly only?: readonly string[] | undefined
  /** Patterns of the obligations to leave out. Default: none. */
  readonly skip?: readonly string[] | undefined
  /**
   * Requests that are never sent, whatever asks for them: `DELETE /admin/*`, `/admin/*` or the id of an operation, each with `*` for any
   * characters. Default: none.
   */
  readonly never?: readonly string[] | undefined
  /**
   * Requests that are sent although they may destroy what the run did not create, such as a DELETE of what no operation creates, or
   * `POST /shutdown`; and those that `only` leaves out, if others need them; in the same form, `*` for all. Default: none, and what is left
   * out is untested.
   */
  readonly include?: readonly string[] | undefined
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
  /** Milliseconds of `maxSeconds` that are gone before the run, such as for loading the document. Default 0. */
  readonly msBefore?: number | undefined
  /**
   * Requests of sustained load after the planned cases. They are rejected for their credentials, and show what gives out over many
   * requests. Default: 1.5 for each case, at most 3,000.
   */
  readonly sustained?: number | undefined
  /**
   * Requests in flight, at most. A run begins with four, and sends more as long as the server answers as fast as before: up to 16, or
   * 128 if no response comes within 50 ms, as most of them are on their way then. Default 128.
   */
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
  /** Whether the server keeps nothing, as most mocks do: the family `state` is then left out. Default false. */
  readonly stateless?: boolean | undefined
  /** Values that exist, by `operation.parameter` or `*.parameter`: for what no operation creates. Default: none. */
  readonly fixtures?: Fixtures | undefined
  /** Values that are sent as the examples of the document are, by operation. Default: none. */
  readonly examples?: Examples | undefined
  /**
   * By operation, where the name of what it creates is: a JSON pointer into the response, or else into the request. Default: in what is usually
   * called so, or what the path is found to take.
   */
  readonly createdNames?: CreatedNames | undefined
  /** Whether what the run created stays on the server, also where it could be removed. Default false. */
  readonly keep?: boolean | undefined
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
  /** Hears what the run is doing, for whoever shows its progress. */
  readonly watch?: RunWatch | undefined
  /** Ends the run; what it has seen until then is in the ledger. */
  readonly signal?: AbortSignal | undefined
  /** When the run began, ISO 8601. Default: now. */
  readonly at?: string | undefined
  /** What identifies the run of a CI system that this run belongs to: only shards of one are merged. Default: none. */
  readonly ciRun?: string | undefined
  /** Recorded in the start event. */
  readonly product?: { readonly name: string; readonly version: string } | undefined
}

/** Verifies a server: sends all requests of the run, concludes, and emits events all the while. */
export const run = async (options: GivenOptions): Promise<Ledger> => {
  const { events, emit, told } = createEvents(options)
  const { scope, results } = await execute(options, emit)
  const inOrder = { ...results, stats: inPlanOrder(results.stats) }
  // Of a large contract there are hundreds of thousands of verdicts: as events they are not kept.
  function* all(): Generator<RunEvent> {
    yield* events
    for (const event of concludeRun(scope, inOrder, options)) yield told(event)
  }
  return foldLedger(all())
}

/** Sends some slices of the plan and concludes nothing: `mergeShards` does, from all shards. */
export const runShard = async (options: GivenOptions): Promise<Evidence> => {
  const { events, emit } = createEvents(options)
  const { results } = await execute(options, emit)
  const { start, notes, exchanges } = foldLedger(events)
  return { start, rules: rulesOf(options), notes, exchanges, results }
}

/** Hands on the events of a run, without secrets; those that are emitted are kept as well. */
const createEvents = (options: GivenOptions) => {
  const additions = additionsOf(options)
  const events: RunEvent[] = []
  const told = (raw: RunEvent): RunEvent => {
    const event = withAdditions(withoutSecrets(raw, options.secrets), additions)
    options.onEvent(event)
    return event
  }
  const emit = (raw: RunEvent): void => {
    events.push(told(raw))
  }
  return { events, emit, told }
}
