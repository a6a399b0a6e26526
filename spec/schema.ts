import {
  Ajv2020,
  type AnySchemaObject,
  type ErrorObject,
  type FuncKeywordDefinition,
  type ValidateFunction,
} from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'
import { compare, type Decimal, decimal, isInteger, isMultiple } from './decimal.ts'
import { isArray, isObject, isRawNumber, type Json } from './json.ts'
import { type Pointer, step } from './pointer.ts'

export type Schema = boolean | { readonly [keyword: string]: unknown }

/** One keyword of a schema that a value breaks. */
export type Violation = {
  /** The place in the value; for `required` and its kin the place that is missing. */
  readonly at: Pointer
  readonly keyword: string
  /** What the keyword asks for, as the schema gives it. */
  readonly asked: unknown
  readonly message: string
}

export type Validate = (value: Json) => readonly Violation[]

/** Limits that binary floating point cannot hold, by the pointer of the keyword: their text in the document. */
export type ExactLimits = ReadonlyMap<object, ReadonlyMap<string, string>>

const int32 = { low: decimal('-2147483648'), high: decimal('2147483647') }
const int64 = { low: decimal('-9223372036854775808'), high: decimal('9223372036854775807') }

/** The ranges of OpenAPI's integer formats, in exact decimals. */
export const integerRanges: Readonly<Record<string, { readonly low: Decimal; readonly high: Decimal }>> = {
  int32,
  int64,
}

type Raw = Map<string | number, string>
// The texts of numbers that a double cannot hold, by the container that holds them. Filled by `plain`, read by the
// number keywords below, so that Ajv judges every number as it was written.
const rawNumbers = new WeakMap<object, Raw>()

const exact = (
  value: number,
  context: { parentData?: unknown; parentDataProperty?: string | number } | undefined,
): Decimal => {
  const { parentData, parentDataProperty } = context ?? {}
  const text =
    typeof parentData === 'object' && parentData !== null
      ? rawNumbers.get(parentData)?.get(parentDataProperty ?? '')
      : undefined
  return decimal(text ?? String(value))
}

type Holds = (value: Decimal, limit: Decimal) => boolean
type FastHolds = (value: number, limit: number) => boolean

const bound = (
  keyword: string,
  holds: Holds,
  fast: FastHolds,
  limits: ExactLimits,
): FuncKeywordDefinition => ({
  keyword,
  type: 'number',
  schemaType: 'number',
  compile: (limit: number, parent: AnySchemaObject) => {
    const limitText = limits.get(parent)?.get(keyword)
    const wanted = decimal(limitText ?? String(limit))
    const simple = limitText === undefined && Number.isSafeInteger(limit)
    return (value: number, context) =>
      simple && Number.isSafeInteger(value) && !isRaw(context)
        ? fast(value, limit)
        : holds(exact(value, context), wanted)
  },
})

const isRaw = (
  context: { parentData?: unknown; parentDataProperty?: string | number } | undefined,
): boolean =>
  typeof context?.parentData === 'object' &&
  rawNumbers.get(context.parentData as object)?.has(context.parentDataProperty ?? '') === true

const numberKeywords = (limits: ExactLimits): readonly FuncKeywordDefinition[] => [
  bound(
    'minimum',
    (v, l) => compare(v, l) >= 0,
    (v, l) => v >= l,
    limits,
  ),
  bound(
    'maximum',
    (v, l) => compare(v, l) <= 0,
    (v, l) => v <= l,
    limits,
  ),
  bound(
    'exclusiveMinimum',
    (v, l) => compare(v, l) > 0,
    (v, l) => v > l,
    limits,
  ),
  bound(
    'exclusiveMaximum',
    (v, l) => compare(v, l) < 0,
    (v, l) => v < l,
    limits,
  ),
  bound('multipleOf', isMultiple, (v, l) => v % l === 0, limits),
]

const formatKeyword = (formats: Ajv2020['formats']): FuncKeywordDefinition => ({
  keyword: 'format',
  type: ['number', 'string'],
  schemaType: 'string',
  compile: (name: string, parent: AnySchemaObject) => {
    const range = integerRanges[name]
    if (range !== undefined)
      return (value: unknown, context) => {
        if (typeof value !== 'number') return true
        if (name === 'int32' && !isRaw(context)) return value >= -2147483648 && value <= 2147483647
        if (Number.isSafeInteger(value) && !isRaw(context)) return true
        const number = exact(value, context)
        // A fraction breaks `type: integer` already: one fault, one violation.
        if (!isInteger(number)) return parent.type === 'integer'
        return compare(number, range.low) >= 0 && compare(number, range.high) <= 0
      }
    const format = formats[name]
    if (format === undefined || format === true) return () => true
    const { type = 'string', validate } =
      format instanceof RegExp || typeof format === 'function' || typeof format === 'string'
        ? { validate: format }
        : (format as { type?: string; validate: unknown })
    const test =
      validate instanceof RegExp
        ? (value: string) => validate.test(value)
        : typeof validate === 'function'
          ? (value: string) => Boolean(validate(value))
          : () => true
    return (value: unknown) => typeof value !== type || test(value as string)
  },
})

/** Compiles schemas of one document; `#/…` references are looked up in it. */
export type SchemaSet = {
  readonly validator: (pointer: Pointer) => Validate
  /** What is wrong with a schema by the meta-schema of JSON Schema 2020-12. */
  readonly check: (schema: unknown) => readonly Violation[]
}

const base = 'contract:/document'

export const createSchemaSet = (document: object, limits: ExactLimits = new Map()): SchemaSet => {
  const ajv = createAjv(limits)
  ajv.addSchema(document as AnySchemaObject, base, undefined, false)
  const compiled = new Map<Pointer, Validate>()
  return {
    validator: pointer => {
      const known = compiled.get(pointer)
      if (known !== undefined) return known
      const validate = wrap(ajv.compile({ $ref: `${base}#${encodeURI(pointer)}` }))
      compiled.set(pointer, validate)
      return validate
    },
    check: schema => {
      const valid = ajv.validateSchema(schema as AnySchemaObject)
      return valid === true ? [] : (ajv.errors ?? []).map(violation)
    },
  }
}

/** Compiles a schema that stands alone. Throws where Ajv cannot compile it. */
export const compileSchema = (schema: Schema): Validate =>
  wrap(createAjv(new Map()).compile(schema as AnySchemaObject))

const createAjv = (limits: ExactLimits): Ajv2020 => {
  // Descriptions of a contract use words that Ajv's strict mode does not know (`xml`, `example`, `x-…`).
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    ownProperties: true,
    verbose: true,
    logger: false,
  })
  ;(formatsPlugin as unknown as (ajv: Ajv2020) => void)(ajv)
  for (const definition of [...numberKeywords(limits), formatKeyword(ajv.formats)]) {
    ajv.removeKeyword(definition.keyword as string)
    ajv.addKeyword({
      ...definition,
      error: { message: ({ keyword, schema }) => `must keep ${keyword} ${schema}` },
    })
  }
  return ajv
}

const wrap =
  (validate: ValidateFunction): Validate =>
  value => {
    const holder = { '': value }
    const data = plain(value, holder, '')
    const context = {
      instancePath: '',
      parentData: holder,
      parentDataProperty: '',
      rootData: data as never,
      dynamicAnchors: {},
    }
    return validate(data, context) ? [] : (validate.errors ?? []).map(violation)
  }

/** The value as Ajv reads it: raw numbers become doubles of the same kind, their texts go to the side table. */
const plain = (value: Json, holder: object, key: string | number): unknown => {
  if (isRawNumber(value)) {
    const table: Raw = rawNumbers.get(holder) ?? new Map()
    table.set(key, value.rawJSON)
    rawNumbers.set(holder, table)
    const near = Number(value.rawJSON)
    // Ajv decides integer or not by the double: give it one that is of the kind that the text is.
    if (isInteger(decimal(value.rawJSON)))
      return Number.isFinite(near) ? near : Math.sign(near) * Number.MAX_VALUE
    return Number.isInteger(near) || !Number.isFinite(near) ? 0.5 : near
  }
  if (!mayHoldRaw(value)) return value
  if (isArray(value)) {
    const copy: unknown[] = []
    value.forEach((item, index) => {
      copy.push(plain(item, copy, index))
    })
    return copy
  }
  if (isObject(value)) {
    const copy: Record<string, unknown> = Object.create(null)
    for (const name of Object.keys(value)) copy[name] = plain(value[name] as Json, copy, name)
    return copy
  }
  return value
}

const mayHoldRaw = (value: Json): boolean =>
  isRawNumber(value) ||
  (isArray(value) ? value.some(mayHoldRaw) : isObject(value) && Object.values(value).some(mayHoldRaw))

const violation = ({ instancePath, keyword, params, schema, message = '' }: ErrorObject): Violation => {
  const missing = (params as { missingProperty?: string }).missingProperty
  const extra =
    (params as { additionalProperty?: string; unevaluatedProperty?: string }).additionalProperty ??
    (params as { unevaluatedProperty?: string }).unevaluatedProperty
  const name = missing ?? extra
  return { at: name === undefined ? instancePath : step(instancePath, name), keyword, asked: schema, message }
}
