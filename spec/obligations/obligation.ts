import type { undeclaredFailurePolicies } from '../defaults.ts'
import type { Pointer } from '../json/pointer.ts'
import type { Place } from '../openapi/diagnostic.ts'
import type { ObligationId } from './obligation-id.ts'
import type { Subject } from './subject.ts'

export type Level = 'MUST' | 'SHOULD' | 'OBSERVE'

/** Whether an obligation of this level counts for the conclusion of a run. */
export const isCounted = (level: Level, strict: boolean): boolean =>
  level === 'MUST' || (strict && level === 'SHOULD')

export const families = [
  'accept',
  'reject',
  'auth',
  'response',
  'state',
  'ownership',
  'flow',
  'idempotency',
  'conditional',
  'callback',
  'stability',
  'unspecified',
  'protocol',
] as const
export type Family = (typeof families)[number]

/** Which status may answer missing or wrong credentials if the contract does not declare a 401. */
export type UnauthenticatedPolicy = 'declared' | '401' | 'either'

/** What a failure is that fits the request, if the operation declares none that does: a gap of the document, or a failed requirement. */
export type UndeclaredFailurePolicy = (typeof undeclaredFailurePolicies)[number]

/** How statuses are judged that the document does not declare. */
export type StatusPolicy = {
  readonly unauthenticated: UnauthenticatedPolicy
  readonly undeclaredFailures: UndeclaredFailurePolicy
}

/** Where a requirement comes from: a place in the contract document, and a rule of the interface document or an RFC. */
export type Clause = { readonly pointer: Pointer; readonly place: Place; readonly rule: string | null }

/** One atomic requirement of a contract. */
export type Obligation = {
  /** Stable and readable: `createPlant/request/body/id/required`. */
  readonly id: ObligationId
  readonly operation: string
  readonly family: Family
  readonly level: Level
  /** What its test cases send, as a noun phrase: «a body without `id`». Null if any request may show it. */
  readonly input: string | null
  /** The requirement as a sentence: «a body without `id` is rejected with a declared failure». */
  readonly requirement: string
  readonly clause: Clause
  /** What it is about, in the form that the other rooms test, keep or break it by. */
  readonly subject: Subject
  /** The open question that its test cases answer, and the answers that it is held to; see `Pin`. */
  readonly pin?: Pin
}

/** An obligation before it gets the name of its operation and its line in a file. */
export type ObligationSpec = Pick<Obligation, 'family' | 'level' | 'input' | 'requirement' | 'subject'> & {
  readonly pointer: Pointer
  /** The RFC section that it rests on besides the document. */
  readonly rfc?: string
}

/** The answers to an open question that a server is held to from now on. */
export type Pin = {
  /** The whole id of an obligation of level OBSERVE. */
  readonly obligation: ObligationId
  /** Each as a run observed it, with `*` for any characters. */
  readonly answers: readonly string[]
}
