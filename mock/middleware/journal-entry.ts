import type { Headers, RequestViolation, Subject } from '../../spec/index.ts'
import type { Forwarded } from '../engine/context.ts'

/** A violation by a request, or by the response to a request of the mock's own. */
export type ShownViolation = Omit<RequestViolation, 'subject'> & {
  readonly subject: RequestViolation['subject'] | Subject
}

/** A request and the response to it. Bodies are cut at 64 KiB; their sizes are those before the cut. */
export type Entry = {
  /** From 1 on, in the order of the responses; no number is used twice, not even after `clear`. */
  readonly number: number
  /** When the response was made, in milliseconds since 1970, and how long that took, in milliseconds. */
  readonly at: number
  readonly ms: number
  readonly method: string
  readonly target: string
  readonly headers: Headers
  readonly body: Uint8Array | null
  readonly bodySize: number
  readonly status: number
  readonly responseHeaders: Headers
  readonly responseBody: Uint8Array
  readonly responseSize: number
  /** The id of the declared operation; null: the request is for none. */
  readonly operation: string | null
  /** What the request breaks of the contract; empty if it is valid, or for no declared operation. */
  readonly violations: readonly ShownViolation[]
  /** What was done to the response on purpose; null: nothing. */
  readonly scenario: string | null
  /** How an answer of the user's own would have broken the contract, which a failure was sent instead of; null: it did not. */
  readonly answerProblem: string | null
  /** What came of it at the server behind a proxy; null: it was not forwarded. */
  readonly forwarded: Forwarded | null
}
