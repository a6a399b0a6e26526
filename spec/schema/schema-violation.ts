import { rawNumber } from '../json/json.ts'
import { type Pointer, step } from '../json/pointer.ts'
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

/** A constraint of a schema as a predicate: «be an integer», «have at most 5 items». */
export const constraintText = (keyword: string, constraint: unknown): string => {
  const limit = shortConstraint(constraint)
  const text = texts[keyword]
  if (text !== undefined) return text(limit, constraint)
  return typeof constraint === 'object' || typeof constraint === 'boolean'
    ? `satisfy \`${keyword}\``
    : `satisfy \`${keyword}\` ${limit}`
}

const texts: Readonly<Record<string, (limit: string, constraint: unknown) => string>> = {
  type: (_limit, types) =>
    `be ${[types]
      .flat()
      .map(type => article(String(type)))
      .join(' or ')}`,
  format: (_limit, format) => `be ${article(String(format))}`,
  enum: (_limit, members) =>
    `be one of ${cutConstraint((members as readonly unknown[]).map(member => JSON.stringify(member)).join(', '))}`,
  const: limit => `be ${limit}`,
  minimum: limit => `be at least ${limit}`,
  maximum: limit => `be at most ${limit}`,
  exclusiveMinimum: limit => `be above ${limit}`,
  exclusiveMaximum: limit => `be below ${limit}`,
  multipleOf: limit => `be a multiple of ${limit}`,
  minLength: limit => `have at least ${counted(limit, 'character')}`,
  maxLength: limit => `have at most ${counted(limit, 'character')}`,
  pattern: (_limit, pattern) => `match \`${cutConstraint(String(pattern))}\``,
  minItems: limit => `have at least ${counted(limit, 'item')}`,
  maxItems: limit => `have at most ${counted(limit, 'item')}`,
  items: () => 'have no items beyond `prefixItems`',
  uniqueItems: () => 'have no equal items',
  minProperties: limit => `have at least ${counted(limit, 'property', 'properties')}`,
  maxProperties: limit => `have at most ${counted(limit, 'property', 'properties')}`,
  anyOf: () => 'fit an alternative of `anyOf`',
  oneOf: () => 'fit exactly one alternative of `oneOf`',
  not: () => 'not fit the schema of `not`',
  additionalProperties: (_limit, schema) => propertiesText('additionalProperties', schema),
  unevaluatedProperties: (_limit, schema) => propertiesText('unevaluatedProperties', schema),
}

/** What a value does that fits two alternatives of `oneOf`. */
export const twoText = (fits: readonly string[]): string =>
  `fits two alternatives of \`oneOf\`: ${fits.join(' and ')}`

const propertiesText = (keyword: string, schema: unknown): string =>
  schema === false ? 'have no undeclared properties' : `satisfy \`${keyword}\``

/** «1 item», «2 items» */
export const counted = (limit: string, one: string, many = `${one}s`): string =>
  `${limit} ${limit === '1' ? one : many}`

/** «an object», «a uuid»; null has no article. */
export const article = (noun: string): string =>
  noun === 'null' ? noun : /^(?:[aeio]|u(?!uid|ri|s[ae]|ni[ot]))/i.test(noun) ? `an ${noun}` : `a ${noun}`

/** A constraint as JSON, cut to a readable length. */
export const shortConstraint = (constraint: unknown): string =>
  cutConstraint(JSON.stringify(constraint) ?? '')

export const cutConstraint = (text: string): string => (text.length > 80 ? `${text.slice(0, 79)}…` : text)
