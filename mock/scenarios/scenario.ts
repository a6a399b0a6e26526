import type { UnauthenticatedPolicy } from '../../spec/index.ts'
import type { AnswerParts } from '../answers/answer-parts.ts'
import type { Fault } from '../engine/mock-response.ts'

/** What an operation does instead of its usual behaviour. All parts can be combined; absent parts change nothing. */
export type Scenario = AnswerParts & {
  /**
   * The number and the text in the body of the failure that this scenario causes: of `status`, or of the rejections by
   * `limit` and `duplicates`. With none of these, every request gets the declared failure.
   */
  readonly code?: number
  readonly message?: string
  /** Changes the body that a valid request usually gets, by a JSON merge patch (RFC 7396). What is stored stays as it is. */
  readonly patch?: object
  /** The name of an example of the document. */
  readonly example?: string
  /** Milliseconds before the response, or a range of them; the seed of the mock and the request choose from a range. */
  readonly delay?: number | readonly [from: number, to: number]
  /** How delivery of the response fails; `malformed`: its body is not JSON. */
  readonly fault?: Exclude<Fault, 'wrong-length'> | 'malformed'
  /** How many items a stream has, the milliseconds between two of them, and whether it stays open after the last one. */
  readonly stream?: { readonly events?: number; readonly interval?: number; readonly open?: boolean }
  /** Only every n-th request is affected. Default 1. */
  readonly every?: number
  /** More requests than this in so many seconds are rejected, with Retry-After. */
  readonly limit?: { readonly requests: number; readonly seconds: number }
  /** Whether a second resource with the same identity is rejected. Default `accept`. */
  readonly duplicates?: 'accept' | 'reject'
  /** The response to missing or wrong credentials. */
  readonly unauthenticated?: UnauthenticatedPolicy
  /** How many seconds the tokens that the operation gives are right. */
  readonly expires?: number
  /** The scopes of the tokens that the operation gives, with spaces between them. */
  readonly scopes?: string
  /** The id of one obligation to break. */
  readonly breaks?: string
}

/** Scenarios by the id of their operation; `*`: for all operations. Of several, the later ones win. */
export type ScenariosByOperation = Readonly<Record<string, Scenario | readonly Scenario[]>>

/** Named sets of scenarios; the scenarios of a set are switched on together. */
export type ScenarioSets = Readonly<Record<string, ScenariosByOperation>>

/** Stands for all operations. */
export const everyOperation = '*'
