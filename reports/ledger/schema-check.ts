import {
  compilePlain,
  compileSchema,
  type Json,
  type Schema,
  type SchemaViolation,
  type Validate,
} from '../../spec/index.ts'

/** Null if a value that `JSON.parse` has read conforms; else the first problem in one line, with its place. */
export type SchemaCheck = (value: unknown) => string | null

/** Compiles a schema when it is first used. */
export const createSchemaCheck = (schema: Schema): SchemaCheck => {
  // The fast validator gives no reasons; the slow one is compiled when the first reason is needed.
  let isValid: ((value: unknown) => boolean) | null = null
  let explain: Validate | null = null
  return value => {
    isValid ??= compilePlain(schema, { formats: false, ownProperties: false })
    if (isValid(value)) return null
    explain ??= compileSchema(schema)
    const violations = explain(value as Json)
    const first = violations.find(({ keyword }) => keyword !== 'if') ?? violations[0]
    return first === undefined ? 'it does not conform to the schema' : problemText(first)
  }
}

const problemText = ({ at, keyword, constraint, message }: SchemaViolation): string => {
  const place = at === '' ? 'it' : at
  if (keyword === 'required') return `${place} is missing`
  if (keyword === 'enum') return `${place} must be one of ${(constraint as readonly unknown[]).join(', ')}`
  if (keyword === 'type') return `${place} must be ${article([constraint].flat().join(' or '))}`
  return `${place} ${message}`
}

const article = (type: string): string => `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
