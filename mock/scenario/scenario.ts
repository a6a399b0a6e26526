import type { Unauthenticated } from '../../spec/index.ts'
import type { Fate } from '../compose.ts'

/** What an operation does other than answer as it should. All parts may stand together; what is absent is as always. */
export type Scenario = {
  /** The status of every answer, whatever was asked; a declared one, unless the answer is meant to be wrong. */
  readonly status?: number
  /** The number in the body of a failure (`codes`), and its text. */
  readonly code?: number
  readonly message?: string
  /** The name of an example of the document. */
  readonly example?: string
  /** Milliseconds before the answer, or a range of them, drawn from the seed of the mock. */
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
}
