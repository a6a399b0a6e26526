import type { Json } from '../../spec/index.ts'
import type { Constraint, ConstraintFactory } from '../constraints/constraint.ts'
import type { RandomSource } from '../domains/language.ts'
import type { SchemaDocument } from '../read/document.ts'

/** A plan to build values of one kind from a normal form. Depths count nested arrays and objects: a string has depth 0. */
export type ValuePlan = {
  /** One value at most `depth` deep; undefined if the attempts at random found none. */
  readonly draw: (source: RandomSource, depth: number) => Json | undefined
  /** Values at and next to every bound, the simplest first; for depth 0 only the simplest. Each is made when it is asked for. */
  readonly boundaries: (depth: number) => Iterable<Json>
  /** True if there is a value at most `depth` deep. */
  readonly fitsIn: (depth: number) => boolean
  /** All values there are, if they are few; else null. */
  readonly allValues: readonly Json[] | null
  /** True if a value may exist although none was found. */
  readonly isUncertain: () => boolean
}

/** All plans for a set of constraints. */
export type ValueNode = ValuePlan & {
  /** The least depth of a value; infinite if none was found. */
  readonly minDepth: number
  /** True if every way to satisfy the constraints was considered: then no plan means no value. */
  readonly exhaustive: boolean
}

/** One node for each set of constraints that comes up; the nodes refer to each other as schemas do. */
export type ValueGraph = {
  readonly constrain: ConstraintFactory
  readonly document: SchemaDocument
  readonly nodeFor: (constraints: readonly Constraint[]) => ValueNode
  readonly satisfies: (constraints: readonly Constraint[], value: Json) => boolean
}

/** For values that may exist but are never built, such as a string of a million characters. */
export const impractical: ValuePlan = {
  draw: () => undefined,
  boundaries: () => [],
  fitsIn: () => false,
  allValues: null,
  isUncertain: () => true,
}

/** The first of some values; undefined if there is none. */
export const firstIn = (values: Iterable<Json>): Json | undefined => Iterator.from(values).next().value
