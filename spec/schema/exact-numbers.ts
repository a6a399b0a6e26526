import { compare, type Decimal, decimal, isInteger, isMultiple } from '../json/decimal.ts'
import { define } from '../json/define.ts'
import {
  canonical,
  isArray,
  isKnownPlain,
  isObject,
  isRawNumber,
  type Json,
  rawNumber,
} from '../json/json.ts'

/** The texts of limits that binary floating point cannot hold, by schema and keyword. */
export type ExactLimits = ReadonlyMap<object, ReadonlyMap<string, string>>

const int32 = { low: decimal('-2147483648'), high: decimal('2147483647') }
const int64 = { low: decimal('-9223372036854775808'), high: decimal('9223372036854775807') }

/** The ranges of OpenAPI's integer formats, in exact decimals. */
export const integerRanges: Readonly<Record<string, { readonly low: Decimal; readonly high: Decimal }>> = {
  int32,
  int64,
}

type Raw = Map<string | number, string>
// The texts of numbers that a double cannot hold, by their container. `plain` fills it, and the number keywords below read
// it, so that Ajv judges every number as it is written.
const rawNumbers = new WeakMap<object, Raw>()

const exact = (value: number, context: Context): Decimal => {
  const { parentData, parentDataProperty } = context ?? {}
  const text =
    typeof parentData === 'object' && parentData !== null
      ? rawNumbers.get(parentData)?.get(parentDataProperty ?? '')
      : undefined
  return decimal(text ?? String(value))
}

type Context = { parentData?: unknown; parentDataProperty?: string | number } | undefined
/** A keyword that is judged by a function. */
type ExactKeyword = {
  readonly keyword: string
  readonly type?: 'number' | ('number' | 'string')[] | 'array'
  readonly schemaType?: 'number' | 'string' | 'boolean' | 'array'
  readonly compile: (
    constraint: never,
    parent: Readonly<Record<string, unknown>>,
  ) => (value: never, context?: Context) => boolean
}
type Formats = Readonly<Record<string, unknown>>

type Holds = (value: Decimal, limit: Decimal) => boolean
type FastHolds = (value: number, limit: number) => boolean

const bound = (keyword: string, holds: Holds, fast: FastHolds, limits: ExactLimits): ExactKeyword => ({
  keyword,
  type: 'number',
  schemaType: 'number',
  compile: (limit: number, parent: Readonly<Record<string, unknown>>) => {
    const limitText = limits.get(parent)?.get(keyword)
    const exactLimit = decimal(limitText ?? String(limit))
    const simple = limitText === undefined && Number.isSafeInteger(limit)
    return (value: number, context) =>
      simple && Number.isSafeInteger(value) && !isRaw(context)
        ? fast(value, limit)
        : holds(exact(value, context), exactLimit)
  },
})

const isRaw = (context: Context): boolean =>
  typeof context?.parentData === 'object' &&
  rawNumbers.get(context.parentData as object)?.has(context.parentDataProperty ?? '') === true

const numberKeywords = (limits: ExactLimits): readonly ExactKeyword[] => [
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

const formatKeyword = (formats: Formats): ExactKeyword => ({
  keyword: 'format',
  type: ['number', 'string'],
  schemaType: 'string',
  compile: (name: string, parent: Readonly<Record<string, unknown>>) => {
    const range = integerRanges[name]
    if (range !== undefined)
      return (value: unknown, context) => {
        if (typeof value !== 'number') return true
        if (name === 'int32' && !isRaw(context)) return value >= -2147483648 && value <= 2147483647
        if (Number.isSafeInteger(value) && !isRaw(context)) return true
        const number = exact(value, context)
        // A fraction already breaks `type: integer`: one fault, one violation.
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

/** The keywords that compare numbers, in versions that know the texts of the numbers. */
export const exactKeywords = (limits: ExactLimits, formats: Formats): readonly ExactKeyword[] => [
  ...numberKeywords(limits),
  formatKeyword(formats),
  {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    compile: (isUnique: boolean) => (items: readonly unknown[]) =>
      !isUnique ||
      new Set(items.map((item, index) => canonical(exactValue(item, items, index)))).size === items.length,
  },
  {
    keyword: 'const',
    compile: (constant: Json) => equals([constant]),
  },
  {
    keyword: 'enum',
    schemaType: 'array',
    compile: (members: readonly Json[]) => equals(members),
  },
]

const equals = (members: readonly Json[]) => {
  const allowed = new Set(members.map(canonical))
  // Beyond 2^53, the numbers of the document are rounded to doubles, so values are rounded as well.
  const rounded = members.some(isRounded)
  return (value: never, context?: Context): boolean =>
    allowed.has(
      canonical(rounded ? value : exactValue(value, context?.parentData, context?.parentDataProperty ?? '')),
    )
}

const isRounded = (value: Json): boolean =>
  typeof value === 'number'
    ? Math.abs(value) >= 2 ** 53
    : isArray(value)
      ? value.some(isRounded)
      : isObject(value) && Object.values(value).some(isRounded)

/** A value of Ajv, with its numbers as they were written. */
const exactValue = (value: unknown, holder: unknown, key: string | number): Json => {
  const text =
    typeof value === 'number' && typeof holder === 'object' && holder !== null
      ? rawNumbers.get(holder)?.get(key)
      : undefined
  if (text !== undefined) return rawNumber(text)
  if (Array.isArray(value)) return value.map((item, index) => exactValue(item, value, index))
  if (typeof value !== 'object' || value === null) return value as Json
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, exactValue(item, value, name)]),
  )
}

/** The value for Ajv: raw numbers become doubles of the same kind, their texts go into the side table. */
export const plain = (value: Json, holder: object, key: string | number): unknown => {
  if (isRawNumber(value)) {
    const table: Raw = rawNumbers.get(holder) ?? new Map()
    table.set(key, value.rawJSON)
    rawNumbers.set(holder, table)
    const near = Number(value.rawJSON)
    // Ajv tells integers by the double, so it gets an integer if and only if the text is one.
    if (isInteger(decimal(value.rawJSON)))
      return Number.isFinite(near) ? near : Math.sign(near) * Number.MAX_VALUE
    return Number.isInteger(near) || !Number.isFinite(near) ? 0.5 : near
  }
  if (isKnownPlain(value) || !mayHoldRaw(value)) return value
  if (isArray(value)) {
    const copy: unknown[] = []
    value.forEach((item, index) => {
      copy.push(plain(item, copy, index))
    })
    return copy
  }
  if (isObject(value)) {
    const copy: Record<string, unknown> = {}
    for (const name of Object.keys(value)) define(copy, name, plain(value[name] as Json, copy, name))
    return copy
  }
  return value
}

// Most values hold none: they are looked through without a copy.
const mayHoldRaw = (value: Json): boolean => {
  if (typeof value !== 'object' || value === null) return false
  if (isRawNumber(value)) return true
  if (isArray(value)) return value.some(mayHoldRaw)
  for (const name in value) if (mayHoldRaw(value[name] as Json)) return true
  return false
}
