import type { Failure, Headers, RawRequest, RawTrace } from '../http/exchange.ts'
import type { Json } from '../json/json.ts'

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
