import { canonical, compare, type Decimal, type Json } from '../../spec/index.ts'
import type { Demand } from './demand.ts'
import {
  type ArrayFacts,
  type Bound,
  type Facts,
  kindOf,
  type NumberFacts,
  type ObjectFacts,
  type StringFacts,
  settle,
} from './facts.ts'

/** What a schema has looked at in a value, for `unevaluated…`. */
export type Looked = {
  readonly names: readonly string[]
  readonly patterns: readonly string[]
  readonly everyName: boolean
  readonly items: number
  readonly everyItem: boolean
  readonly contained: readonly Demand[]
}

export const nothingLooked: Looked = {
  names: [],
  patterns: [],
  everyName: false,
  items: 0,
  everyItem: false,
  contained: [],
}

/** One thing to do on the way from demands to facts. */
export type Move =
  | { readonly kind: 'narrow'; readonly narrow: (facts: Facts) => Facts }
  /** `seen`: what the demand looks at counts for the `unevaluated…` around it. */
  | { readonly kind: 'demand'; readonly demand: Demand; readonly seen: boolean }
  | { readonly kind: 'looked'; readonly looked: Partial<Looked> }
  /** Once the rest of the schema is settled: what it did not look at meets the demand, or something there does. */
  | {
      readonly kind: 'close'
      readonly what: 'names' | 'items'
      readonly demand: Demand
      readonly all: boolean
    }

/** Moves that are made together. */
export type Clause = readonly Move[]
/** Ways of which one is taken: none is a contradiction. */
export type Choice = readonly Clause[]

export const impossible: readonly Choice[] = [[]]

export const narrow = (change: (facts: Facts) => Facts): Move => ({ kind: 'narrow', narrow: change })
export const demanded = (demand: Demand, seen = true): Move => ({ kind: 'demand', demand, seen })
export const looked = (what: Partial<Looked>): Move => ({ kind: 'looked', looked: what })

export const onlyKinds = (mask: number): Move => narrow(facts => ({ ...facts, kinds: facts.kinds & mask }))

export const onlyMembers = (members: readonly Json[]): Move =>
  narrow(facts => {
    const texts = new Set(members.map(canonical))
    const left = facts.members?.filter(member => texts.has(canonical(member))) ?? members
    return {
      ...facts,
      members: left,
      kinds: facts.kinds & left.reduce<number>((mask, member) => mask | kindOf(member), 0),
    }
  })

export const notMembers = (members: readonly Json[]): Move =>
  narrow(facts => ({ ...facts, excluded: new Set([...facts.excluded, ...members.map(canonical)]) }))

export const onNumber = (change: (number: NumberFacts) => Partial<NumberFacts>): Move =>
  narrow(facts => ({ ...facts, number: { ...facts.number, ...change(facts.number) } }))
export const onString = (change: (string: StringFacts) => Partial<StringFacts>): Move =>
  narrow(facts => ({ ...facts, string: { ...facts.string, ...change(facts.string) } }))
export const onArray = (change: (array: ArrayFacts) => Partial<ArrayFacts>): Move =>
  narrow(facts => ({ ...facts, array: { ...facts.array, ...change(facts.array) } }))
export const onObject = (change: (object: ObjectFacts) => Partial<ObjectFacts>): Move =>
  narrow(facts => ({ ...facts, object: { ...facts.object, ...change(facts.object) } }))

export const lowest = (value: Decimal, open: boolean): Move =>
  onNumber(({ low }) => ({ low: tighter(low, { value, open }, 1) }))
export const highest = (value: Decimal, open: boolean): Move =>
  onNumber(({ high }) => ({ high: tighter(high, { value, open }, -1) }))

const tighter = (old: Bound | null, bound: Bound, direction: 1 | -1): Bound => {
  if (old === null) return bound
  const order = compare(bound.value, old.value) * direction
  return order > 0 || (order === 0 && bound.open) ? bound : old
}

export const requireName = (name: string): Move =>
  onObject(({ required }) => ({ required: new Set([...required, name]) }))
export const forbidName = (name: string): Move =>
  onObject(({ absent }) => ({ absent: new Set([...absent, name]) }))
export const knownName = (name: string, demand: Demand): Move =>
  onObject(({ known }) => ({ known: new Map([...known, [name, [...(known.get(name) ?? []), demand]]]) }))
export const itemAt = (index: number, demand: Demand): Move =>
  onArray(({ at }) => ({ at: new Map([...at, [index, [...(at.get(index) ?? []), demand]]]) }))
export const atLeastItems = (count: number): Move => onArray(({ min }) => ({ min: Math.max(min, count) }))

/** The facts after the moves that narrow them; null when nothing can be left. */
export const narrowed = (facts: Facts, moves: Clause): Facts | null => {
  let now: Facts = facts
  for (const move of moves) if (move.kind === 'narrow') now = move.narrow(now)
  return settle(now)
}
