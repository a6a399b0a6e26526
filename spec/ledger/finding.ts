import type { Failure, Headers, RawRequest, RawTrace } from '../http/exchange.ts'
import type { Json } from '../json/json.ts'
import type { Expectation } from '../judge/expected-status.ts'
import type { Level } from '../obligations/obligation.ts'
import type { ObligationId } from '../obligations/obligation-id.ts'
import type { ValueLocation } from '../obligations/value-location.ts'
import type { Excerpt } from '../openapi/excerpt.ts'

/**
 * What came of sending a failed request again: it failed every time (`steady`), or only sometimes (`flaky`), or that is not known
 * (`unrepeated`): the run had to end before it was sent again, or the response was to another question.
 */
export type Repeat = 'steady' | 'flaky' | 'unrepeated'

export type Finding = {
  readonly type: 'finding'
  /** The test case that shows it; `plantstore replay LEDGER ID` sends it again. */
  readonly id: string
  /** What went wrong, in one line: «accepted a request without credentials»; see `failureTitle`. */
  readonly title: string
  readonly obligation: ObligationId
  readonly level: Level
  /** Other obligations that fail for the same cause. */
  readonly also: readonly ObligationId[]
  readonly expected: string
  readonly actual: string
  /** What tells it from other failures of the same obligation by the same status, if anything: `absent`, `null`, `text/html`. */
  readonly kind?: string
  readonly repeat: Repeat
  /** How many test cases showed it. */
  readonly cases: number
  readonly expectation: Expectation
  /** The smallest failing request that was found. */
  readonly request: RecordedRequest
  readonly outcome: RecordedOutcome
  /** What went before the request, in order; absent if nothing did. */
  readonly steps?: readonly RecordedStep[]
  /** The index of the step that shows the failure; absent if the request does. */
  readonly step?: number
  readonly curl: string
  readonly hint: string
  /** The source lines around the clause; absent in ledgers of earlier versions. */
  readonly excerpt?: Excerpt
  /** Values without which the server rejects valid requests; absent unless the finding is about such a rule. */
  readonly requires?: readonly ValueLocation[]
  /** What it goes back to, as far as it shows; absent in ledgers of earlier versions. */
  readonly cause?: FindingCause
}

/** What is likely to be wrong behind findings of any operation. No verdict depends on it. */
export type FindingCause = {
  /** Equal for the findings of a run that go back to one cause. */
  readonly key: string
  /** What went wrong, for all of them: «accepted null in place of other types». */
  readonly title: string
  /** Where the finding shows it: «`owner.name`»; empty if it is about the request as a whole. */
  readonly place: string
  /** The title of a wider cause. If a run has many causes, reports join those that share it; absent if there is none. */
  readonly wider?: string
  /**
   * Of the first finding of a cause: at how many places no request of the same kind was accepted, and the first of them, such as
   * «createPlant: `tag`»; absent if there are none.
   */
  readonly exceptions?: { readonly count: number; readonly places: readonly string[] }
}

/** Recorded bytes: as text if they are UTF-8. A long body is cut; `bytes` is always the whole length. */
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
  /** Sent instead of everything else. */
  readonly raw?: RawRequest
}

export type RecordedOutcome =
  | {
      readonly kind: 'response'
      readonly status: number
      readonly headers: Headers
      readonly body: RecordedBody
      readonly ms: number
      readonly trace?: RawTrace
    }
  | {
      readonly kind: 'failure'
      readonly failure: Failure
      readonly status: number | null
      readonly detail: string
      readonly ms: number
      readonly blockedMs?: number
    }

/** A request that was sent before the one of an exchange or a finding, so that what that asks for exists. */
export type RecordedStep = {
  /** `create`, `read`, `list`, `subject` (what is tested) and others; see `StepRole`. */
  readonly role: string
  readonly operation: string
  readonly request: RecordedRequest
  readonly outcome: RecordedOutcome
  /** How paths name what it created or found. */
  readonly name?: Json
}
