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
import { expression } from './expression.ts'
import { stringFormats } from './formats.ts'
import { integerRange } from './integer-range.ts'
import { countOf, isSchemaObject, own, type SchemaObject, texts } from './keywords.ts'
import { decimalOf, isWhole } from './numbers.ts'

/** Hears which keyword a value breaks, and for keywords with several parts which part. */
export type Fail = (keyword: string, detail: string) => void

/** True when the value is of the JSON Schema type. */
const isOfType = (value: Json, type: unknown): boolean =>
  type === 'integer' ? isWhole(value) : typeOf(value) === type

export const lengthOf = (text: string): number => {
  let length = 0
  for (const _ of text) length += 1
  return length
}

/** Judges every keyword that looks at the value itself and not through another schema. */
export const assertions = (schema: SchemaObject, value: Json, formats: boolean, fail: Fail): void => {
  const type = own(schema, 'type')
  if (type !== undefined && !(Array.isArray(type) ? type : [type]).some(name => isOfType(value, name)))
    fail('type', typeOf(value))
  const members = own(schema, 'enum')
  if (Array.isArray(members) && !members.some(member => same(member as Json, value))) fail('enum', '')
  if (Object.hasOwn(schema, 'const') && !same(schema.const as Json, value)) fail('const', '')
  if (typeof value === 'string') stringAssertions(schema, value, formats, fail)
  else if (isArray(value)) arrayAssertions(schema, value, fail)
  else if (isObject(value)) objectAssertions(schema, value, fail)
  else if (value !== null && typeof value !== 'boolean') numberAssertions(schema, value, formats, fail)
}

const same = (left: Json, right: Json): boolean =>
  typeof right === 'string' ? left === right : canonical(left) === canonical(right)

const numberAssertions = (
  schema: SchemaObject,
  value: number | RawNumber,
  formats: boolean,
  fail: Fail,
): void => {
  let parsed: Decimal | undefined
  const exact = (): Decimal => {
    parsed ??= decimal(numberText(value))
    return parsed
  }
  const judge = (keyword: string, holds: (number: Decimal, limit: Decimal) => boolean): void => {
    const limit = decimalOf(own(schema, keyword))
    if (limit !== undefined && !holds(exact(), limit)) fail(keyword, '')
  }
  if (own(schema, 'minimum') !== undefined) judge('minimum', (number, limit) => compare(number, limit) >= 0)
  if (own(schema, 'maximum') !== undefined) judge('maximum', (number, limit) => compare(number, limit) <= 0)
  if (own(schema, 'exclusiveMinimum') !== undefined)
    judge('exclusiveMinimum', (number, limit) => compare(number, limit) > 0)
  if (own(schema, 'exclusiveMaximum') !== undefined)
    judge('exclusiveMaximum', (number, limit) => compare(number, limit) < 0)
  if (own(schema, 'multipleOf') !== undefined)
    judge('multipleOf', (number, step) => step.coefficient <= 0n || isMultiple(number, step))
  const range = formats ? integerRange(own(schema, 'format')) : undefined
  if (range !== undefined && isWhole(value))
    if (compare(exact(), range.low) < 0 || compare(exact(), range.high) > 0) fail('format', '')
}

const stringAssertions = (schema: SchemaObject, value: string, formats: boolean, fail: Fail): void => {
  const least = countOf(schema, 'minLength')
  const most = countOf(schema, 'maxLength')
  if (least !== undefined || most !== undefined) {
    const length = lengthOf(value)
    if (least !== undefined && length < least) fail('minLength', '')
    if (most !== undefined && length > most) fail('maxLength', '')
  }
  const pattern = own(schema, 'pattern')
  if (typeof pattern === 'string' && !expression(pattern).test(value)) fail('pattern', '')
  const format = formats ? own(schema, 'format') : undefined
  if (typeof format === 'string' && stringFormats.get(format)?.holds(value) === false) fail('format', '')
}

const arrayAssertions = (schema: SchemaObject, value: readonly Json[], fail: Fail): void => {
  if (value.length < (countOf(schema, 'minItems') ?? 0)) fail('minItems', '')
  if (value.length > (countOf(schema, 'maxItems') ?? Number.POSITIVE_INFINITY)) fail('maxItems', '')
  if (own(schema, 'uniqueItems') === true && new Set(value.map(canonical)).size < value.length)
    fail('uniqueItems', '')
}

const objectAssertions = (
  schema: SchemaObject,
  value: { readonly [name: string]: Json },
  fail: Fail,
): void => {
  for (const name of texts(own(schema, 'required'))) if (!Object.hasOwn(value, name)) fail('required', name)
  const dependent = own(schema, 'dependentRequired')
  if (isSchemaObject(dependent))
    for (const [name, needed] of Object.entries(dependent))
      if (Object.hasOwn(value, name))
        for (const other of texts(needed)) if (!Object.hasOwn(value, other)) fail('dependentRequired', other)
  const least = countOf(schema, 'minProperties')
  const most = countOf(schema, 'maxProperties')
  if (least === undefined && most === undefined) return
  const size = Object.keys(value).length
  if (least !== undefined && size < least) fail('minProperties', '')
  if (most !== undefined && size > most) fail('maxProperties', '')
}
