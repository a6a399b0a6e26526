import { canonical, compare, type Decimal, type Json } from '../../spec/index.ts'
import type { Constraint } from './constraint.ts'
import {
  type ArrayForm,
  type Bound,
  dropImpossibleKinds,
  kindOf,
  type NormalForm,
  type NumberForm,
  type ObjectForm,
  type StringForm,
} from './normal-form.ts'

/** The properties and items that a schema evaluates, for `unevaluated…`. */
export type EvaluatedParts = {
  readonly names: readonly string[]
  readonly patterns: readonly string[]
  readonly everyName: boolean
  /** How many items from the start. */
  readonly items: number
  readonly everyItem: boolean
  /** Items that satisfy one of these, wherever they are. */
  readonly contained: readonly Constraint[]
}

export const nothingEvaluated: EvaluatedParts = {
  names: [],
  patterns: [],
  everyName: false,
  items: 0,
  everyItem: false,
  contained: [],
}

/** One step on the way from constraints to a normal form. */
export type RewriteStep =
  | { readonly kind: 'narrow'; readonly narrow: (form: NormalForm) => NormalForm }
  /** `counts`: what this constraint evaluates counts for the `unevaluated…` around it. */
  | { readonly kind: 'constraint'; readonly constraint: Constraint; readonly counts: boolean }
  | { readonly kind: 'evaluated'; readonly parts: Partial<EvaluatedParts> }
  /** Taken last: `all` that the schema has not evaluated satisfies the constraint, or else at least one such part does. */
  | {
      readonly kind: 'unevaluated'
      readonly of: 'names' | 'items'
      readonly constraint: Constraint
      readonly all: boolean
    }

/** Steps that are taken together. */
export type Branch = readonly RewriteStep[]
/** Branches of which one is taken; a choice without branches is a contradiction. */
export type Choice = readonly Branch[]

export const impossible: readonly Choice[] = [[]]

export const narrow = (change: (form: NormalForm) => NormalForm): RewriteStep => ({
  kind: 'narrow',
  narrow: change,
})
export const mustHold = (constraint: Constraint, counts = true): RewriteStep => ({
  kind: 'constraint',
  constraint,
  counts,
})
export const evaluates = (parts: Partial<EvaluatedParts>): RewriteStep => ({ kind: 'evaluated', parts })

/** The normal form cannot express everything here, so that values have to be checked. */
export const approximately: RewriteStep = narrow(form => ({ ...form, approximate: true }))

export const onlyKinds = (mask: number): RewriteStep =>
  narrow(form => ({ ...form, kinds: form.kinds & mask }))

export const onlyValues = (values: readonly Json[]): RewriteStep =>
  narrow(form => {
    const texts = new Set(values.map(canonical))
    const allowed = form.allowed?.filter(value => texts.has(canonical(value))) ?? values
    return {
      ...form,
      allowed,
      kinds: form.kinds & allowed.reduce<number>((mask, value) => mask | kindOf(value), 0),
    }
  })

export const notValues = (values: readonly Json[]): RewriteStep =>
  narrow(form => ({ ...form, excluded: new Set([...form.excluded, ...values.map(canonical)]) }))

export const onNumber = (change: (number: NumberForm) => Partial<NumberForm>): RewriteStep =>
  narrow(form => ({ ...form, number: { ...form.number, ...change(form.number) } }))
export const onString = (change: (string: StringForm) => Partial<StringForm>): RewriteStep =>
  narrow(form => ({ ...form, string: { ...form.string, ...change(form.string) } }))
export const onArray = (change: (array: ArrayForm) => Partial<ArrayForm>): RewriteStep =>
  narrow(form => ({ ...form, array: { ...form.array, ...change(form.array) } }))
export const onObject = (change: (object: ObjectForm) => Partial<ObjectForm>): RewriteStep =>
  narrow(form => ({ ...form, object: { ...form.object, ...change(form.object) } }))

/** The kinds of value with a length. */
export type SizedKind = 'string' | 'array' | 'object'

/** At least so many characters, items or properties. */
export const atLeast = (kind: SizedKind, count: number): RewriteStep =>
  narrow(form => ({ ...form, [kind]: { ...form[kind], min: Math.max(form[kind].min, count) } }))
/** At most so many characters, items or properties. */
export const atMost = (kind: SizedKind, count: number): RewriteStep =>
  narrow(form => ({ ...form, [kind]: { ...form[kind], max: Math.min(form[kind].max, count) } }))

export const lowerBound = (value: Decimal, exclusive: boolean): RewriteStep =>
  onNumber(({ low }) => ({ low: tighter(low, { value, exclusive }, 1) }))
export const upperBound = (value: Decimal, exclusive: boolean): RewriteStep =>
  onNumber(({ high }) => ({ high: tighter(high, { value, exclusive }, -1) }))

const tighter = (old: Bound | null, bound: Bound, direction: 1 | -1): Bound => {
  if (old === null) return bound
  const order = compare(bound.value, old.value) * direction
  return order > 0 || (order === 0 && bound.exclusive) ? bound : old
}

export const requireProperties = (names: readonly string[]): RewriteStep =>
  onObject(({ required }) => ({ required: new Set([...required, ...names]) }))
export const requireProperty = (name: string): RewriteStep => requireProperties([name])
export const forbidProperty = (name: string): RewriteStep =>
  onObject(({ forbidden }) => ({ forbidden: new Set([...forbidden, name]) }))
// Together: one copy of the form for each of a hundred properties takes a second.
export const constrainProperties = (
  constraints: readonly (readonly [name: string, constraint: Constraint])[],
): RewriteStep =>
  onObject(({ properties }) => {
    const all = new Map(properties)
    for (const [name, constraint] of constraints) all.set(name, [...(all.get(name) ?? []), constraint])
    return { properties: all }
  })
export const constrainProperty = (name: string, constraint: Constraint): RewriteStep =>
  constrainProperties([[name, constraint]])
export const constrainItem = (index: number, constraint: Constraint): RewriteStep =>
  onArray(({ positions }) => ({
    positions: new Map([...positions, [index, [...(positions.get(index) ?? []), constraint]]]),
  }))
/** The form after those of the steps that narrow it; null if nothing is left. */
export const applyNarrowing = (form: NormalForm, steps: Branch): NormalForm | null => {
  let now: NormalForm = form
  for (const step of steps) if (step.kind === 'narrow') now = step.narrow(now)
  return dropImpossibleKinds(now)
}
