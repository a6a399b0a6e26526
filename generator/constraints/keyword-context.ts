import type { DynamicScope, SchemaDocument } from '../read/document.ts'
import {
  isSchemaObject,
  namedSchemas,
  ownProperty,
  type Schema,
  type SchemaObject,
} from '../read/keywords.ts'
import type { Constraint, ConstraintFactory, Omission, PathSegment } from './constraint.ts'
import type { OtherNames } from './normal-form.ts'

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
