import type { Pointer } from './pointer.ts'
import type { Place } from './problem.ts'
import type { Subject } from './subject.ts'

export type Level = 'MUST' | 'SHOULD' | 'OBSERVE'

export const families = ['accept', 'refuse', 'bearer', 'answer', 'load', 'open', 'wire'] as const
export type Family = (typeof families)[number]

/** Where a promise comes from: a place of the contract document, and a rule of the interface document or an RFC. */
export type Clause = { readonly pointer: Pointer; readonly place: Place; readonly rule: string | null }

/** One atomic promise of a contract. */
export type Obligation = {
  /** Stable and readable: `createPlant/request/body/id/required`. */
  readonly id: string
  readonly operation: string
  readonly family: Family
  readonly level: Level
  /** The promise as a sentence: «a body without `id` is refused with a declared failure». */
  readonly promise: string
  readonly clause: Clause
  /** What it is about, for the rooms that test it, keep it or break it. */
  readonly subject: Subject
  /** The open question that its cases answer, and the answers that it is held to; see `Pin`. */
  readonly pin?: Pin
}

/** The answers to an open question that are held from now on. */
export type Pin = {
  /** The whole id of an obligation of level OBSERVE. */
  readonly obligation: string
  /** Each as a run observed it, with `*` for any characters. */
  readonly answers: readonly string[]
}
