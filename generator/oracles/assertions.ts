import {
  canonical,
  compare,
  type Decimal,
  decimal,
  isArray,
  isMultiple,
  isObject,
  type Json,
  numberText,
  type RawNumber,
  typeOf,
} from '../../spec/index.ts'
import { stringFormats } from '../domains/formats.ts'
import { integerRange } from '../domains/integer-range.ts'
import { decimalOf, isWhole } from '../domains/numbers.ts'
import { countOf, isSchemaObject, ownProperty, type SchemaObject, stringsIn } from '../read/keywords.ts'
import { regExpOf } from '../read/regexp.ts'

/** Called with each keyword that a value violates, and with the part of it if the keyword has several. */
export type OnViolation = (keyword: string, detail: string) => void

/** True if the value has the JSON Schema type. */
const isOfType = (value: Json, type: unknown): boolean =>
  type === 'integer' ? isWhole(value) : typeOf(value) === type

/** The length of a text in characters, as JSON Schema counts them, not in UTF-16 units. */
export const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length += 1
  return length
}

/** Checks the keywords that assert something of the value itself, without applying other schemas. */
export const assertions = (schema: SchemaObject, value: Json, formats: boolean, fail: OnViolation): void => {
  const type = ownProperty(schema, 'type')
  if (type !== undefined && !(Array.isArray(type) ? type : [type]).some(name => isOfType(value, name)))
    fail('type', typeOf(value))
  const members = ownProperty(schema, 'enum')
  if (Array.isArray(members) && !members.some(member => isSame(member as Json, value))) fail('enum', '')
  if (Object.hasOwn(schema, 'const') && !isSame(schema.const as Json, value)) fail('const', '')
  if (typeof value === 'string') stringAssertions(schema, value, formats, fail)
  else if (isArray(value)) arrayAssertions(schema, value, fail)
  else if (isObject(value)) objectAssertions(schema, value, fail)
  else if (value !== null && typeof value !== 'boolean') numberAssertions(schema, value, formats, fail)
}

const isSame = (left: Json, right: Json): boolean =>
  typeof right === 'string' ? left === right : canonical(left) === canonical(right)

const numberAssertions = (
  schema: SchemaObject,
  value: number | RawNumber,
  formats: boolean,
  fail: OnViolation,
): void => {
  let parsed: Decimal | undefined
  const exact = (): Decimal => {
    parsed ??= decimal(numberText(value))
    return parsed
  }
  const check = (keyword: string, holds: (number: Decimal, limit: Decimal) => boolean): void => {
    const limit = decimalOf(ownProperty(schema, keyword))
    if (limit !== undefined && !holds(exact(), limit)) fail(keyword, '')
  }
  if (ownProperty(schema, 'minimum') !== undefined)
    check('minimum', (number, limit) => compare(number, limit) >= 0)
  if (ownProperty(schema, 'maximum') !== undefined)
    check('maximum', (number, limit) => compare(number, limit) <= 0)
  if (ownProperty(schema, 'exclusiveMinimum') !== undefined)
    check('exclusiveMinimum', (number, limit) => compare(number, limit) > 0)
  if (ownProperty(schema, 'exclusiveMaximum') !== undefined)
    check('exclusiveMaximum', (number, limit) => compare(number, limit) < 0)
  if (ownProperty(schema, 'multipleOf') !== undefined)
    check('multipleOf', (number, step) => step.coefficient <= 0n || isMultiple(number, step))
  const range = formats ? integerRange(ownProperty(schema, 'format')) : undefined
  if (range !== undefined && isWhole(value))
    if (compare(exact(), range.low) < 0 || compare(exact(), range.high) > 0) fail('format', '')
}

const stringAssertions = (schema: SchemaObject, value: string, formats: boolean, fail: OnViolation): void => {
  const least = countOf(schema, 'minLength')
  const most = countOf(schema, 'maxLength')
  if (least !== undefined || most !== undefined) {
    const length = lengthOf(value)
    if (least !== undefined && length < least) fail('minLength', '')
    if (most !== undefined && length > most) fail('maxLength', '')
  }
  const pattern = ownProperty(schema, 'pattern')
  if (typeof pattern === 'string' && !regExpOf(pattern).test(value)) fail('pattern', '')
  const format = formats ? ownProperty(schema, 'format') : undefined
  if (typeof format === 'string' && stringFormats.get(format)?.matches(value) === false) fail('format', '')
}

const arrayAssertions = (schema: SchemaObject, value: readonly Json[], fail: OnViolation): void => {
  if (value.length < (countOf(schema, 'minItems') ?? 0)) fail('minItems', '')
  if (value.length > (countOf(schema, 'maxItems') ?? Number.POSITIVE_INFINITY)) fail('maxItems', '')
  if (ownProperty(schema, 'uniqueItems') === true && new Set(value.map(canonical)).size < value.length)
    fail('uniqueItems', '')
}

const objectAssertions = (
  schema: SchemaObject,
  value: { readonly [name: string]: Json },
  fail: OnViolation,
): void => {
  for (const name of stringsIn(ownProperty(schema, 'required')))
    if (!Object.hasOwn(value, name)) fail('required', name)
  const dependent = ownProperty(schema, 'dependentRequired')
  if (isSchemaObject(dependent))
    for (const [name, needed] of Object.entries(dependent))
      if (Object.hasOwn(value, name))
        for (const other of stringsIn(needed))
          if (!Object.hasOwn(value, other)) fail('dependentRequired', other)
  const least = countOf(schema, 'minProperties')
  const most = countOf(schema, 'maxProperties')
  if (least === undefined && most === undefined) return
  const size = Object.keys(value).length
  if (least !== undefined && size < least) fail('minProperties', '')
  if (most !== undefined && size > most) fail('maxProperties', '')
}
