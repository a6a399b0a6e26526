import type { Cause, CredentialKind, Expectation, Json, Layout, Obligation, Request } from '../spec/index.ts'

/** How a body becomes bytes. */
export type Encoding =
  | { readonly kind: 'json' }
  | { readonly kind: 'layout'; readonly layout: Layout }
  | { readonly kind: 'malformed'; readonly name: string; readonly pick: number }
  | { readonly kind: 'padded'; readonly bytes: number }
  /** JSON text that is not the plain form of its value, such as one with a name given twice. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bom' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'empty' }

/** A request before it is written: what shrinking and repeating work on. */
export type Draft = {
  readonly method: string
  /** The path template, or a path. */
  readonly path: string
  /** Parameter values by name. */
  readonly parameters: Readonly<Record<string, Json>>
  readonly body: Json | undefined
  readonly encoding: Encoding
  readonly contentType: string | null
  readonly chunked: boolean
  /** Other credentials than the right ones. */
  readonly credentials: { readonly kind: CredentialKind; readonly pick: number } | null
  /** Whether the body's identity may be replaced by a fresh one when the case is sent again. */
  readonly renewable: boolean
  /** Framed otherwise than clients do it, in one of the ways of this kind (or, on the lane `after-wire`, sent after that). */
  readonly wire: { readonly name: string; readonly pick: number } | null
}

/** How a case reaches the server: on any connection, or on one of its own right after an accepted or a refused request, or a malformed one, or after itself. */
export type Lane = 'any' | 'after-accepted' | 'after-refused' | 'after-wire' | 'twice'

/** A request that tests an obligation, and what the contract has to say of it. */
export type Case = {
  readonly number: number
  readonly obligation: Obligation
  readonly expected: Expectation
  /** Why it is refused; null where it is not expected to be. */
  readonly cause: Cause | null
  readonly draft: Draft
  readonly request: Request
  readonly lane: Lane
}

/** Cases that were not planned have numbers from this one on: no plan has so many. */
export const beyondPlan = 30_000_000

/** The name of a case in reports and for `replay`. */
export const caseId = (number: number): string => number.toString(16).padStart(3, '0')
