import { rawNumber } from '../json/json.ts'
import { type Pointer, step } from '../json/pointer.ts'
import { constraintText } from './constraint-text.ts'
import type { ExactLimits } from './exact-numbers.ts'

/** A keyword of a schema that a value breaks. */
export type SchemaViolation = {
  /** The place in the value; for `required` and `dependentRequired` the missing one, for `additionalProperties` the extra one. */
  readonly at: Pointer
  readonly keyword: string
  /** The value of the keyword in the schema, with a number that a double cannot hold as it is written. */
  readonly constraint: unknown
  readonly message: string
  /** `two` if the value fits more than one alternative of `oneOf`; empty otherwise. */
  readonly detail: string
  /** The alternatives of `oneOf` that the value fits, if these are two: pointers, `#/components/schemas/Cat`. */
  readonly fits?: readonly string[]
}

const ofParent = new Set(['required', 'dependentRequired', 'additionalProperties', 'unevaluatedProperties'])

/** The place of the value whose schema has the keyword: of a property that is missing or too much, the object. */
export const brokenAt = ({ at, keyword }: Pick<SchemaViolation, 'at' | 'keyword'>): Pointer =>
  ofParent.has(keyword) ? at.slice(0, at.lastIndexOf('/')) : at

/** An error as Ajv reports it. */
export type AjvError = {
  readonly instancePath: string
  readonly keyword: string
  readonly params: object
  readonly schema?: unknown
  readonly parentSchema?: object
  readonly message?: string
}

/** `limits`: the texts of numbers in the schema that a double cannot hold. */
export const violation = (
  { instancePath, keyword, params, schema, parentSchema = {}, message = '' }: AjvError,
  limits: ExactLimits,
): SchemaViolation => {
  const missing = (params as { missingProperty?: string }).missingProperty
  const extra =
    (params as { additionalProperty?: string; unevaluatedProperty?: string }).additionalProperty ??
    (params as { unevaluatedProperty?: string }).unevaluatedProperty
  const name = missing ?? extra
  const { constraint = schema } = params as { readonly constraint?: unknown }
  const text = limits.get(parentSchema)?.get(keyword)
  const written = text === undefined ? constraint : rawNumber(text)
  const passing = (params as { passingSchemas?: readonly number[] | null }).passingSchemas
  return {
    at: name === undefined ? instancePath : step(instancePath, name),
    keyword,
    constraint: written,
    message: name === undefined ? `must ${constraintText(keyword, written)}` : message,
    detail: keyword === 'oneOf' && passing != null ? 'two' : '',
  }
}
