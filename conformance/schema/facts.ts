import type { Decimal } from '../../spec/index.ts'
import { canonical, type Json, typeOf } from '../../spec/index.ts'
import type { Demand } from './demand.ts'
import { isWhole } from './numbers.ts'

/** The kinds of value, as bits: `number` is the two kinds `integer` and `fraction`. */
export const kinds = {
  null: 1,
  boolean: 2,
  integer: 4,
  fraction: 8,
  string: 16,
  array: 32,
  object: 64,
} as const
type Kind = keyof typeof kinds
export const anyNumber = kinds.integer | kinds.fraction
export const anyKind = 127

export const kindsOfType = (type: unknown): number =>
  type === 'number' ? anyNumber : (kinds[type as Kind] ?? 0) & (type === 'fraction' ? 0 : anyKind)

export const kindOf = (value: Json): number => {
  const type = typeOf(value)
  return type === 'number' ? (isWhole(value) ? kinds.integer : kinds.fraction) : kinds[type]
}

export type Bound = { readonly value: Decimal; readonly open: boolean }

export type NumberFacts = {
  readonly low: Bound | null
  readonly high: Bound | null
  readonly multiples: readonly Decimal[]
  readonly notMultiples: readonly Decimal[]
}

export type StringFacts = {
  readonly min: number
  readonly max: number
  readonly patterns: readonly string[]
  readonly notPatterns: readonly string[]
  readonly formats: readonly string[]
  readonly notFormats: readonly string[]
}

/** What every item from an index on has to do; `odd` is what the one item that is to be broken does instead. */
type ItemRule = { readonly from: number; readonly demand: Demand; readonly odd: Demand }
type ContainsRule = { readonly demand: Demand; readonly min: number; readonly max: number }

export type ArrayFacts = {
  readonly min: number
  readonly max: number
  readonly at: ReadonlyMap<number, readonly Demand[]>
  readonly rules: readonly ItemRule[]
  readonly contains: readonly ContainsRule[]
  readonly unique: boolean
  readonly repeated: boolean
  /** Items that have to be somewhere from an index on. */
  readonly some: readonly { readonly from: number; readonly demand: Demand }[]
}

/** Names other than these and not matched by these. */
export type Others = { readonly names: readonly string[]; readonly patterns: readonly string[] }
type NameRule = { readonly others: Others; readonly demand: Demand; readonly odd: Demand }
type PatternRule = { readonly pattern: string; readonly demand: Demand; readonly odd: Demand }

/** A property that has to be there under some name: one of `others`, or matching `pattern`, or as `name` says. */
export type SomeProperty = {
  readonly others: Others | null
  readonly pattern: string | null
  readonly name: Demand | null
  readonly demand: Demand | null
}

export type ObjectFacts = {
  readonly min: number
  readonly max: number
  readonly required: ReadonlySet<string>
  readonly absent: ReadonlySet<string>
  readonly known: ReadonlyMap<string, readonly Demand[]>
  readonly patterns: readonly PatternRule[]
  readonly rules: readonly NameRule[]
  readonly names: readonly Demand[]
  readonly some: readonly SomeProperty[]
}

/** All that one way of meeting a set of demands asks of a value; values are made from this alone. */
export type Facts = {
  readonly kinds: number
  readonly members: readonly Json[] | null
  readonly excluded: ReadonlySet<string>
  readonly number: NumberFacts
  readonly string: StringFacts
  readonly array: ArrayFacts
  readonly object: ObjectFacts
  /** True where the facts do not say everything: what is made from them has to be judged. */
  readonly loose: boolean
}

const endless = Number.MAX_SAFE_INTEGER

export const noFacts: Facts = {
  kinds: anyKind,
  members: null,
  excluded: new Set(),
  number: { low: null, high: null, multiples: [], notMultiples: [] },
  string: { min: 0, max: endless, patterns: [], notPatterns: [], formats: [], notFormats: [] },
  array: {
    min: 0,
    max: endless,
    at: new Map(),
    rules: [],
    contains: [],
    unique: false,
    repeated: false,
    some: [],
  },
  object: {
    min: 0,
    max: endless,
    required: new Set(),
    absent: new Set(),
    known: new Map(),
    patterns: [],
    rules: [],
    names: [],
    some: [],
  },
  loose: false,
}

/** Drops the kinds that have become impossible; null when none is left. */
export const settle = (facts: Facts): Facts | null => {
  let left = facts.kinds
  const { string, array, object } = facts
  if (string.min > string.max) left &= ~kinds.string
  if (array.min > array.max || (array.unique && array.repeated)) left &= ~kinds.array
  if (object.min > object.max || object.required.size > object.max) left &= ~kinds.object
  for (const name of object.required) if (object.absent.has(name)) left &= ~kinds.object
  const members = facts.members?.filter(
    member => (kindOf(member) & left) !== 0 && !facts.excluded.has(canonical(member)),
  )
  if (members !== undefined) left &= members.reduce<number>((mask, member) => mask | kindOf(member), 0)
  if (left === 0) return null
  return { ...facts, kinds: left, members: members ?? null }
}
