import type { Failure, Headers, Raw, Trace } from './exchange.ts'
import type { Clause, Family, Level } from './obligation.ts'
import type { Waiver } from './waiver.ts'

/** Bytes as they are recorded: text where they are UTF-8. A long body is cut; `bytes` is always the whole length. */
export type RecordedBody = {
  readonly encoding: 'utf8' | 'base64'
  readonly data: string
  readonly bytes: number
}

export type RecordedRequest = {
  readonly method: string
  readonly target: string
  readonly headers: Headers
  readonly body: RecordedBody | null
  readonly chunked: boolean
  /** Sent instead of all else. */
  readonly raw?: Raw
}

export type RecordedOutcome =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Headers
      readonly body: RecordedBody
      readonly ms: number
      readonly trace?: Trace
    }
  | {
      readonly kind: 'failure'
      readonly failure: Failure
      readonly status: number | null
      readonly detail: string
      readonly ms: number
    }

/** What the operation had to do with a request: `either` where the contract does not say. */
export type Expectation = 'accepted' | 'refused' | 'either'

export type RecordedObligation = {
  readonly id: string
  readonly operation: string
  readonly family: Family
  readonly level: Level
  readonly promise: string
  readonly clause: Clause
  /** An open question that this run held to these answers. */
  readonly pinned?: readonly string[]
}

export type RecordedOperation = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
}

/** The ids (or other keys) that a run gave to what it created, for finding and removing it again. */
export type IdentityRange = {
  readonly operation: string
  readonly place: string
  readonly from: string
  readonly to: string
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
  readonly contract: {
    readonly title: string
    readonly version: string
    readonly openapi: string
    readonly digest: string
    readonly source: string
  }
  /** How the contract's open questions are judged: name → value. */
  readonly policies: Readonly<Record<string, string>>
  /** `cases`: null where the time alone ends the run. */
  readonly budget: {
    readonly cases: number | null
    readonly seconds: number | null
    readonly concurrency: number
  }
  /** What was asked for of the obligations, as patterns; nothing in `only`: all. */
  readonly selection: { readonly only: readonly string[]; readonly skip: readonly string[] }
  readonly waivers: readonly Waiver[]
  /** The most cases that the plan has; null where the time alone ends it. A run may send more (repeats, shrinking). */
  readonly planned: number | null
  readonly identities: readonly IdentityRange[]
  readonly operations: readonly RecordedOperation[]
  readonly obligations: readonly RecordedObligation[]
}

export type ExchangeEvent = {
  readonly type: 'exchange'
  /** The case's number in hexadecimal, the same for the same contract, seed and budget. */
  readonly id: string
  readonly obligation: string
  readonly expected: Expectation
  readonly request: RecordedRequest
  readonly outcome: RecordedOutcome
  /** Obligations that this exchange shows broken. */
  readonly broken: readonly string[]
}

/** A request as it was sent, planned or not, and what came of it; without secrets. */
export type SentExchange = {
  readonly request: RecordedRequest
  readonly outcome: RecordedOutcome
  /** When it was sent, in milliseconds since the run began. */
  readonly at: number
}

/** Something that a reader of the run should know: an id range moved, requests waited for Retry-After. */
export type NoteEvent = {
  readonly type: 'note'
  readonly level: 'info' | 'warning'
  readonly message: string
}

export type Finding = {
  readonly type: 'finding'
  /** The case that shows it; `plantstore replay LEDGER ID` sends it again. */
  readonly id: string
  readonly obligation: string
  readonly level: Level
  /** Other obligations that break for the same cause. */
  readonly also: readonly string[]
  readonly wanted: string
  readonly got: string
  /** `steady`: it came every time that it was sent again. */
  readonly repeat: 'steady' | 'flaky'
  /** How many cases showed it. */
  readonly cases: number
  readonly expected: Expectation
  /** The smallest case found. */
  readonly request: RecordedRequest
  readonly outcome: RecordedOutcome
  readonly curl: string
  readonly hint: string
}

export type Verdict =
  | { readonly kind: 'kept'; readonly cases: number }
  | { readonly kind: 'broken'; readonly cases: number; readonly finding: string }
  /** Broken, and accepted by a waiver; or kept again, so that the waiver has to go. */
  | {
      readonly kind: 'waived'
      readonly cases: number
      readonly finding: string
      readonly waiver: Waiver
    }
  /** `waiver`: null where it is the baseline that it has to leave. */
  | { readonly kind: 'mended'; readonly cases: number; readonly waiver: Waiver | null }
  /** Broken, and in the baseline since that day. */
  | {
      readonly kind: 'accepted'
      readonly cases: number
      readonly finding: string
      readonly since: string
    }
  | { readonly kind: 'observed'; readonly cases: number; readonly what: string }
  | { readonly kind: 'inconclusive'; readonly cases: number; readonly because: string }
  | { readonly kind: 'untested'; readonly because: string }

export type VerdictEvent = {
  readonly type: 'verdict'
  readonly obligation: string
  readonly verdict: Verdict
}

/** How a run ended: `done`, or what stopped it. */
export type Stop = 'done' | 'time' | 'bail' | 'interrupt' | 'unreachable' | 'fault'

/** What a run says of the server as a whole. */
export type Conclusion = 'conformant' | 'broken' | 'inconclusive'

export type EndEvent = {
  readonly type: 'end'
  readonly stopped: Stop
  /** Why, where it is not plain; null else. */
  readonly why: string | null
  readonly conclusion: Conclusion
  /** Requests sent, with repeats and shrinking. */
  readonly requests: number
  readonly cases: number
  readonly ms: number
  /** SHA-256 over the planned requests in order: the same contract, seed and budget give the same. */
  readonly digest: string
}

/** Everything a run says, in order: one `start`, one `end`. Plain JSON from birth. */
export type RunEvent = StartEvent | ExchangeEvent | NoteEvent | Finding | VerdictEvent | EndEvent
