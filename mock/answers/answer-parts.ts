import type { AnswerHeaders } from './headers.ts'
import type { AnswerRequest } from './request.ts'
import type { When } from './when.ts'

/** Any JSON. */
export type AnswerBody = string | number | boolean | object | null

export type AnswerFunction = (request: AnswerRequest) => unknown

/** What an answer of the user's own says of the response, and of the requests that get it. */
export type AnswerParts = {
  /** The status of every response, whatever the request; a declared one unless `undeclared` is set. */
  readonly status?: number
  /**
   * The body of every response to a valid request, or to any request if `status` is set as well; the contract has to allow
   * it, unless `undeclared` is set. From code also a function; what it returns is judged before it is sent.
   */
  readonly body?: AnswerBody | AnswerFunction
  /** Headers of the responses, in the place of those of the same names. */
  readonly headers?: AnswerHeaders
  /** The requests that are affected. Default: all of the operation. */
  readonly when?: When
  /** Only so many requests are affected; those to which a later scenario responds do not count. Default: all. */
  readonly times?: number
  /** Whether `status`, `body`, `headers`, the 429 of `limit` and the 409 of `duplicates` may break the contract. Default false. */
  readonly undeclared?: boolean
}
