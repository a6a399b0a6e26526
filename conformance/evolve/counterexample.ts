import type { ObligationId, Pointer, RequestAspect, Subject, ValueLocation } from '../../spec/index.ts'

/** What one document allows and the other rules out, in one operation, with an example that both judges have seen. */
export type Counterexample = {
  readonly part: 'request' | 'response'
  /** Of a response: what is answered. */
  readonly status: number | null
  /** The id of the requirement that is violated, in the document that rules it out. */
  readonly requirement: ObligationId
  readonly subject: Subject | RequestAspect
  /** Where the value is that is ruled out; null if it is no value. */
  readonly at: ValueLocation | null
  /** What the judge says: «`name` must have at least 1 character». */
  readonly reason: string
  /** The smallest example: of a body its value, else the line of the request or response. */
  readonly witness: string
  /** The schema of the value in the document that allows it; null if it is no value. */
  readonly schema: Pointer | null
  /** The pair of schemas by which it was found; null if none has changed. */
  readonly origin: string | null
  /** Everything that the other judge says of the example, the requirement first. */
  readonly violated: readonly string[]
}

/** What could not be decided, and why. */
export type Undecided = { readonly subject: string; readonly reason: string }

/** What a search notes while it makes its examples. */
export type Notes = { readonly undecided: Undecided[]; readonly shared: string[] }

export type Search = {
  readonly counterexample: readonly Counterexample[]
  readonly undecided: readonly Undecided[]
  /** The pairs of schemas whose values another operation has shown. */
  readonly shared: readonly string[]
}
