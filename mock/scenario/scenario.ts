import type { Unauthenticated } from '../../spec/index.ts'
import type { Fate } from '../compose.ts'

/** What an operation does other than answer as it should. All parts may stand together; what is absent is as always. */
export type Scenario = {
  /** The status of every answer, whatever was asked; a declared one, unless `undeclared` says otherwise. */
  readonly status?: number
  /**
   * The number in the body of the failure that this scenario gives, and its text: of `status`, or of what `limit` and
   * `duplicates` refuse. With none of these: of the declared failure, whatever was asked.
   */
  readonly code?: number
  readonly message?: string
  /** The name of an example of the document. */
  readonly example?: string
  /** Milliseconds before the answer, or a range of them, drawn from the seed of the mock and the request. */
  readonly delay?: number | readonly [from: number, to: number]
  /** What happens to the answer on its way; `malformed`: its body is no JSON. */
  readonly fault?: Fate | 'malformed'
  /** Only every n-th request meets this scenario. Default 1. */
  readonly every?: number
  /** More requests than this in so many seconds are refused, with Retry-After. */
  readonly limit?: { readonly requests: number; readonly seconds: number }
  /** Whether a second thing with the same identity is refused. Default `accept`. */
  readonly duplicates?: 'accept' | 'refuse'
  /** How missing or wrong credentials are answered. */
  readonly unauthenticated?: Unauthenticated
  /** The id of one obligation to break. */
  readonly breaks?: string
  /** Whether `status`, and the 429 of `limit`, may be ones that the contract does not declare. Default false. */
  readonly undeclared?: boolean
}

/** Scenarios by the id of their operation; `*`: of all operations. */
export type ScenariosByOperation = Readonly<Record<string, Scenario>>

/** Named sets of scenarios, each switched on at once. */
export type ScenarioSets = Readonly<Record<string, ScenariosByOperation>>

/** Stands for all operations. */
export const everyOperation = '*'
