import type { DocumentNode } from '../../spec/index.ts'
import { methodFor } from './likely/faker-methods.ts'
import { rangeOf } from './likely/likely-number.ts'

/** Formats for which Prism's own values look like noise. */
const formats: Readonly<Record<string, object>> = {
  email: { 'x-faker': 'internet.exampleEmail' },
  uri: { 'x-faker': 'internet.url' },
  url: { 'x-faker': 'internet.url' },
  'uri-reference': { 'x-faker': 'internet.url' },
  hostname: { 'x-faker': 'internet.domainName' },
  date: { pattern: '^20(1[5-9]|2[0-5])-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$' },
  'date-time': {
    pattern:
      '^20(1[5-9]|2[0-5])-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$',
  },
}

/** A schema from which Prism makes values that look real. It allows no value that the given schema does not. */
export const withFakerHints = (schema: DocumentNode, name: string): DocumentNode => {
  const types: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type]
  const has = (...keywords: readonly string[]): boolean =>
    keywords.some(keyword => Object.hasOwn(schema, keyword))
  if (has('enum', 'const', 'x-faker', '$ref', 'allOf', 'anyOf', 'oneOf')) return schema
  // For a value that may be null, the other type says more.
  const type = types.find(each => each !== 'null')
  if (type === 'string' && !has('pattern')) return hintedString(schema, name)
  if (type === 'integer' || type === 'number') return hintedNumber(schema, type, name)
  return schema
}

const hintedString = (schema: DocumentNode, name: string): DocumentNode => {
  const { format, minLength = 0, maxLength = 200 } = schema
  const isShort = Number(minLength) > 3 || Number(maxLength) < 60
  if (typeof format === 'string') {
    const known = formats[format]
    if (known === undefined || isShort) return schema
    const { format: _, ...rest } = schema
    return { ...rest, type: 'string', ...known }
  }
  if (isShort) return { ...schema, type: 'string' }
  const method = methodFor(name)
  return {
    ...schema,
    type: 'string',
    'x-faker': method === 'string.alphanumeric' ? { [method]: [10] } : method,
  }
}

const hintedNumber = (schema: DocumentNode, type: 'integer' | 'number', name: string): DocumentNode => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema as {
    readonly [keyword: string]: number | undefined
  }
  const range = rangeOf(name)
  if (isUnlimited(schema))
    return type === 'integer'
      ? { ...schema, type, minimum: range.min, maximum: range.max }
      : { ...schema, type, 'x-faker': { 'number.float': [{ ...range, fractionDigits: 2 }] } }
  // Prism does not draw multiples of a fraction from its seed.
  if (multipleOf === undefined || Number.isInteger(multipleOf)) return schema
  const lowest = exclusiveMinimum === undefined ? minimum : exclusiveMinimum + multipleOf
  const highest = exclusiveMaximum === undefined ? maximum : exclusiveMaximum - multipleOf
  const min = lowest ?? Math.min(0, highest ?? 0)
  const max = highest ?? min + 1000 * multipleOf
  return { ...schema, type, 'x-faker': { 'number.float': [{ min, max, multipleOf }] } }
}

/** Whether a schema of a number sets no limit, so that any number is valid. */
const isUnlimited = (schema: DocumentNode): boolean =>
  ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'enum', 'const'].every(
    keyword => !Object.hasOwn(schema, keyword),
  )
