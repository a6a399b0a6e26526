import { canonical, type Decimal, type Json, typeOf } from '../../spec/index.ts'
import { isWhole } from '../domains/numbers.ts'
import type { DynamicScope, SchemaDocument } from '../read/document.ts'
import {
  isSchemaObject,
  namedSchemas,
  ownProperty,
  type Schema,
  type SchemaObject,
} from '../read/keywords.ts'
import type { Constraint, ConstraintFactory, Omission, PathSegment } from './constraint.ts'

/** The kinds of value, as bits. JSON Schema's `number` is the two kinds `integer` and `fraction`. */
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

export type Bound = { readonly value: Decimal; readonly exclusive: boolean }

export type NumberForm = {
  readonly low: Bound | null
  readonly high: Bound | null
  readonly multiples: readonly Decimal[]
  readonly notMultiples: readonly Decimal[]
}

/** Lengths are counted in characters. */
export type StringForm = {
  readonly min: number
  readonly max: number
  readonly patterns: readonly string[]
  readonly notPatterns: readonly string[]
  readonly formats: readonly string[]
  readonly notFormats: readonly string[]
}

/** What every item from an index on has to satisfy; `relaxed` holds instead for the one item that carries a violation. */
type ItemRule = { readonly from: number; readonly constraint: Constraint; readonly relaxed: Constraint }
type ContainsRule = { readonly constraint: Constraint; readonly min: number; readonly max: number }

export type ArrayForm = {
  readonly min: number
  readonly max: number
  readonly positions: ReadonlyMap<number, readonly Constraint[]>
  readonly rules: readonly ItemRule[]
  readonly contains: readonly ContainsRule[]
  readonly unique: boolean
  /** Whether two items have to be equal: the opposite of `unique`. */
  readonly repeated: boolean
  /** For each of these some item from the index on has to satisfy the constraint. */
  readonly some: readonly { readonly from: number; readonly constraint: Constraint }[]
}

/** All names but these, and but those that match these patterns. */
export type OtherNames = { readonly names: readonly string[]; readonly patterns: readonly string[] }
type NameRule = {
  readonly others: OtherNames
  readonly constraint: Constraint
  readonly relaxed: Constraint
}
type PatternRule = {
  readonly pattern: string
  readonly constraint: Constraint
  readonly relaxed: Constraint
}

/** A property that has to exist under some name: one of `others`, one matching `pattern`, or one that satisfies `name`. */
export type SomeProperty = {
  readonly others: OtherNames | null
  readonly pattern: string | null
  readonly name: Constraint | null
  /** What its value has to satisfy; null for anything. */
  readonly constraint: Constraint | null
}

export type ObjectForm = {
  readonly min: number
  readonly max: number
  readonly required: ReadonlySet<string>
  readonly forbidden: ReadonlySet<string>
  /** What the value of each declared property has to satisfy if the property exists. */
  readonly properties: ReadonlyMap<string, readonly Constraint[]>
  readonly patterns: readonly PatternRule[]
  readonly rules: readonly NameRule[]
  /** What every property name has to satisfy. */
  readonly names: readonly Constraint[]
  readonly some: readonly SomeProperty[]
}

/**
 * One way to satisfy a set of constraints: a conjunction of plain facts about each kind of value, with constraints left only
 * for children. Values are built from this alone.
 */
export type NormalForm = {
  /** The kinds that a value may have, as bits of `kinds`. */
  readonly kinds: number
  /** All values that `enum` and `const` leave; null for no such limit. */
  readonly allowed: readonly Json[] | null
  /** Values that are ruled out, as canonical JSON. */
  readonly excluded: ReadonlySet<string>
  readonly number: NumberForm
  readonly string: StringForm
  readonly array: ArrayForm
  readonly object: ObjectForm
  /** True if the form does not express everything: values built from it have to be checked. */
  readonly approximate: boolean
}

const unlimited = Number.MAX_SAFE_INTEGER

export const unconstrained: NormalForm = {
  kinds: anyKind,
  allowed: null,
  excluded: new Set(),
  number: { low: null, high: null, multiples: [], notMultiples: [] },
  string: { min: 0, max: unlimited, patterns: [], notPatterns: [], formats: [], notFormats: [] },
  array: {
    min: 0,
    max: unlimited,
    positions: new Map(),
    rules: [],
    contains: [],
    unique: false,
    repeated: false,
    some: [],
  },
  object: {
    min: 0,
    max: unlimited,
    required: new Set(),
    forbidden: new Set(),
    properties: new Map(),
    patterns: [],
    rules: [],
    names: [],
    some: [],
  },
  approximate: false,
}

/** Drops the kinds that have become impossible; null if none is left. */
export const dropImpossibleKinds = (form: NormalForm): NormalForm | null => {
  let left = form.kinds
  const { string, array, object } = form
  if (string.min > string.max) left &= ~kinds.string
  if (array.min > array.max || (array.unique && array.repeated)) left &= ~kinds.array
  if (object.min > object.max || object.required.size > object.max) left &= ~kinds.object
  for (const name of object.required) if (object.forbidden.has(name)) left &= ~kinds.object
  const allowed = form.allowed?.filter(
    value => (kindOf(value) & left) !== 0 && !form.excluded.has(canonical(value)),
  )
  if (allowed !== undefined) left &= allowed.reduce<number>((mask, value) => mask | kindOf(value), 0)
  if (left === 0) return null
  return { ...form, kinds: left, allowed: allowed ?? null }
}

/** What the meaning of a keyword depends on besides the schema that it is in. */
export type KeywordContext = {
  readonly document: SchemaDocument
  readonly constrain: ConstraintFactory
  readonly scope: DynamicScope
  /** Whether `format` is an assertion. */
  readonly formats: boolean
  readonly omission: Omission | null
  /** The schema as it stands in the document, which its references are relative to. */
  readonly origin: SchemaObject
}

/** The constraint that applies a schema to the same value. */
export const inPlace = (
  { constrain, omission, scope }: KeywordContext,
  schema: Schema,
  inner: DynamicScope = scope,
): Constraint =>
  omission === null ? constrain.satisfy(schema, inner) : constrain.satisfyWithout(schema, inner, omission)

/** The constraint that applies a schema to a child. An omission goes on only along its path. */
export const atChild = (
  { constrain, omission, scope }: KeywordContext,
  segment: PathSegment,
  schema: Schema,
): Constraint => {
  const [first, ...path] = omission?.path ?? []
  return omission !== null && first !== undefined && JSON.stringify(first) === JSON.stringify(segment)
    ? constrain.satisfyWithout(schema, scope, { ...omission, path })
    : constrain.satisfy(schema, scope)
}

/** The names that `additionalProperties` of a schema applies to. */
export const otherNames = (schema: SchemaObject): OtherNames => {
  const declared = ownProperty(schema, 'properties')
  return {
    names: isSchemaObject(declared) ? Object.keys(declared) : [],
    patterns: namedSchemas(schema, 'patternProperties').map(([pattern]) => pattern),
  }
}
