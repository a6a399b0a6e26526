import type { Expectation } from '../judge/expected-status.ts'
import type { Clause, Family, Level } from '../obligations/obligation.ts'
import type { ObligationId, ObligationPath } from '../obligations/obligation-id.ts'
import type { OpenQuestion } from '../obligations/subject.ts'
import type { RecordedClause } from '../traceability/trace.ts'
import type { Finding, RecordedOutcome, RecordedRequest, RecordedStep } from './finding.ts'
import type { Waiver } from './waiver.ts'

export type * from './finding.ts'
export type { RecordedBody, RecordedOutcome, RecordedRequest, RecordedStep } from './finding.ts'

export type RecordedObligation = {
  readonly id: ObligationId
  readonly operation: string
  /** What the id says below its operation, name by name; absent in ledgers of earlier versions. */
  readonly names?: ObligationPath
  /** The open question that it is, or that its cases answer as well; absent if there is none. */
  readonly question?: OpenQuestion
  readonly family: Family
  readonly level: Level
  readonly requirement: string
  readonly clause: Clause
  /** Set for an open question that this run held to these answers. */
  readonly pinned?: readonly string[]
}

export type RecordedOperation = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
}

/** The identities of what a run created, so that it can be found and removed. */
export type IdentityRange = {
  readonly operation: string
  readonly place: string
  readonly from: string
  readonly to: string
  /** Values beyond the range, and further ranges: `0`, `-1000009999…-1000000000`. */
  readonly also: readonly string[]
}

export type StartEvent = {
  readonly type: 'start'
  readonly product: { readonly name: string; readonly version: string }
  /** ISO 8601. */
  readonly at: string
  /** Base URL under test, without credentials. */
  readonly target: string
  readonly seed: number
  /** The product under test, as those say who ran the tests; absent if they said nothing. */
  readonly testedProduct?: Readonly<Record<string, string>>
  /** Who ran the tests, as they say; absent if they did not. */
  readonly runBy?: string
  /** Given by those who will read the record. Whether the seed follows from it: see `seedOfNonce`. */
  readonly nonce?: string
  readonly contract: {
    readonly title: string
    readonly version: string
    readonly openapi: string
    readonly digest: string
    readonly source: string
    /** The files of the overlays that were applied to the document, in their order; absent if there were none. */
    readonly overlays?: readonly string[]
    /** What the document describes and this run does not test, such as operations that are left out; absent if nothing. */
    readonly notTested?: readonly string[]
  }
  /** How the contract's open questions are judged: name → value. */
  readonly policies: Readonly<Record<string, string>>
  /** `cases`: null if only the time limits the run. `needed`: a run that its budget ends before so many cases is partial. */
  readonly budget: {
    readonly cases: number | null
    readonly needed: number
    readonly seconds: number | null
    readonly concurrency: number
  }
  /** Patterns of the selected obligations; an empty `only` selects all. */
  readonly selection: {
    readonly only: readonly string[]
    readonly skip: readonly string[]
    /** Patterns of requests that are never sent, and of those that are although they may destroy something; absent if there are none. */
    readonly never?: readonly string[]
    readonly include?: readonly string[]
  }
  readonly waivers: readonly Waiver[]
  /** The most test cases that the plan has; null if only the time limits it. Repeats and shrinking come on top. */
  readonly planned: number | null
  readonly identities: readonly IdentityRange[]
  readonly operations: readonly RecordedOperation[]
  readonly obligations: readonly RecordedObligation[]
  /** The clauses of the contract; absent in ledgers of earlier versions. */
  readonly clauses?: readonly RecordedClause[]
}

export type ExchangeEvent = {
  readonly type: 'exchange'
  /** The number of the test case in hexadecimal, the same for the same contract, seed and budget. */
  readonly id: string
  readonly obligation: ObligationId
  readonly expectation: Expectation
  readonly request: RecordedRequest
  readonly outcome: RecordedOutcome
  /** What went before it, in order; absent if nothing did. */
  readonly steps?: readonly RecordedStep[]
  /** How many cases of the plan had been sent by then; absent if these are all up to this one. */
  readonly sent?: number
  /** The obligations that failed in this exchange. */
  readonly failed: readonly ObligationId[]
}

/** Any request that was sent, planned or not, with its outcome and without secrets. */
export type SentExchange = {
  readonly request: RecordedRequest
  readonly outcome: RecordedOutcome
  /** When it was sent, in milliseconds since the start of the run. */
  readonly at: number
  /** What request and response break, if that is known at once. */
  readonly broken?: readonly string[]
}

/** Something that a reader of the run should know, such as a wait for Retry-After. */
export type NoteEvent = {
  readonly type: 'note'
  readonly level: 'info' | 'warning'
  readonly message: string
}

export type Verdict =
  /** `except`: more cases that failed, but for the cause of this finding, which is about another obligation. */
  | {
      readonly kind: 'passed'
      readonly cases: number
      readonly except?: { readonly cases: number; readonly finding: string }
    }
  | { readonly kind: 'failed'; readonly cases: number; readonly finding: string }
  /** Failed, and accepted by a waiver. */
  | {
      readonly kind: 'waived'
      readonly cases: number
      readonly finding: string
      readonly waiver: Waiver
    }
  /** Passed, although a waiver or (null) the baseline accepts its failure: that entry has to be removed. */
  | { readonly kind: 'fixed'; readonly cases: number; readonly waiver: Waiver | null }
  /** Failed, and in the baseline since that day. */
  | {
      readonly kind: 'baselined'
      readonly cases: number
      readonly finding: string
      readonly since: string
    }
  | { readonly kind: 'observed'; readonly cases: number; readonly observation: string }
  | { readonly kind: 'inconclusive'; readonly cases: number; readonly reason: string }
  | ({ readonly kind: 'untested' } & UntestedReason)

/**
 * Why an obligation was not tested. The run left it out: by its selection, for want of cases or of time, because it ended early
 * (`bail`; `interrupt`, also if the server went away), because its shard is missing, or because token or URL give no access to the
 * operation (`access`), or because nothing exists that it could ask for (`fixture`). Or no run could have tested it: the suite does not support it (`unsupported`), or the server sent no response
 * of that kind (`unprovoked`).
 */
export type UntestedCause =
  | 'selection'
  | 'budget'
  | 'time'
  | 'bail'
  | 'interrupt'
  | 'shard'
  | 'access'
  | 'fixture'
  | 'unsupported'
  | 'unprovoked'

export type UntestedReason = { readonly cause: UntestedCause; readonly reason: string }

export type VerdictEvent = {
  readonly type: 'verdict'
  readonly obligation: ObligationId
  readonly verdict: Verdict
}

/** How a run ended: `done`, or what stopped it. */
export type Stop = 'done' | 'time' | 'bail' | 'interrupt' | 'shard' | 'unreachable' | 'access' | 'fault'

/**
 * The result of a run as a whole. If nothing failed that counts: `partial`: a part was not selected or not reached; `accepted`: waivers
 * or a baseline accept the failures; `outdated`: one of their entries has expired, or its requirement passes again.
 */
export type Conclusion = 'conformant' | 'accepted' | 'outdated' | 'nonconformant' | 'partial' | 'inconclusive'

export type EndEvent = {
  readonly type: 'end'
  readonly stopped: Stop
  /** Details on how it ended; null if there are none. */
  readonly reason: string | null
  readonly conclusion: Conclusion
  /** Requests sent, with repeats and shrinking. */
  readonly requests: number
  readonly cases: number
  readonly ms: number
  /** SHA-256 over the planned requests in order: the same contract, seed and budget give the same. */
  readonly digest: string
  /** Pairs of conditions that valid requests had, such as a negative id beside a long name, and how many they can have. */
  readonly pairs: { readonly covered: number; readonly total: number }
  /** The certificates that the server showed, in the order of their first use, at most ten; absent without TLS. */
  readonly certificates?: readonly ServerCertificate[]
}

/** The events of a run, in order: one `start` first, one `end` last. All of them are plain JSON. */
export type RunEvent = StartEvent | ExchangeEvent | NoteEvent | Finding | VerdictEvent | EndEvent

/** The certificate of the server under test, as a connection of the run got it. Names are as the certificate has them, cut if long. */
export type ServerCertificate = {
  /** `CN=staging.example.test, O=ACME`; empty if it has none. */
  readonly subject: string
  /** Its alternative names: `DNS:staging.example.test`; empty if it has none. */
  readonly names: string
  readonly issuer: string
  /** ISO 8601. */
  readonly from: string
  readonly to: string
  /** SHA-256 of the certificate in DER, in hexadecimal. */
  readonly sha256: string
  /** Whether its chain and the server's name were verified; only with `insecure` it can be false. */
  readonly verified: boolean
}
