import type { Accepted, ExchangeEvent, Finding, NoteEvent, Pin, StartEvent, Stop } from '../spec/index.ts'
import type { Confirmations } from './confirm.ts'
import type { Extras } from './extra-headers.ts'
import type { Incident, Seen } from './observe.ts'
import type { CellDigest } from './stream.ts'

/** All that came of asking, before anything is concluded from it. */
export type Found = {
  /** The cells that were sent, in the order of the contract. */
  readonly cells: readonly CellDigest[]
  /** Obligations of these cells without a case, and why. */
  readonly untested: ReadonlyMap<string, string>
  readonly stopped: Stop
  readonly why: string | null
  /** Cases that were judged; requests sent, with repeats and shrinking; milliseconds. */
  readonly done: number
  readonly requests: number
  readonly ms: number
  readonly seen: Seen
  /** What is told of operations that accepted no valid request. */
  readonly closed: ReadonlyMap<string, Finding>
  /** Of operations, the valid request that they did not accept any more at the end. */
  readonly drifted: ReadonlyMap<string, Pick<Incident, 'asked' | 'outcome'>>
  readonly confirmations: Confirmations
  readonly extras: Extras
}

/** What a run is held to beside its contract and waivers. Its start tells no more of it than how much there is. */
export type Gates = {
  readonly baseline: readonly Accepted[]
  readonly shrinkBaseline: boolean
  readonly pins: readonly Pin[]
}

/** A part of a run: what it told, and what it found. */
export type Evidence = {
  readonly start: StartEvent
  readonly gates: Gates
  readonly notes: readonly NoteEvent[]
  readonly exchanges: readonly ExchangeEvent[]
  readonly found: Found
}
