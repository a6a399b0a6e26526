import { compare, decimal, isInteger } from '../json/decimal.ts'
import type { DocumentNode } from '../json/follow-refs.ts'
import { isNumber, type Json, numberText } from '../json/json.ts'
import { valueAt } from '../json/pointer.ts'
import { compilePattern } from '../patterns/pattern.ts'
import { charactersIn } from '../text/characters.ts'
import { annotationKeywords } from './annotations.ts'
import { integerRanges } from './exact-numbers.ts'
import { textFormat } from './formats.ts'
import type { KeywordUse, SchemaPlace } from './locations.ts'
import { openNull } from './open-null.ts'

/**
 * Whether texts, numbers, booleans and null are valid at a place, if its schemas say no more than the simplest keywords; null for all other
 * values, and for all other schemas. They need a validator, and compiling one takes longer than judging a few values.
 */
export const plainValidity = (
  document: DocumentNode,
  { keywords, types, schemas }: SchemaPlace,
): ((value: Json) => boolean | null) => {
  // `false` has no keywords, and allows nothing.
  const isFalse = schemas.some(schema => typeof valueAt(document, schema) === 'boolean')
  if (types === null || isFalse || !keywords.every(isSimple)) return () => null
  const members = keywords.flatMap(({ keyword, value }) =>
    keyword === 'enum' ? [value as readonly Json[]] : [],
  )
  const isMember = (value: Json): boolean => members.every(list => list.includes(value))
  const isOpen = keywords.some(({ keyword }) => keyword === openNull)
  let asText: ((value: string) => boolean) | null = null
  let asNumber: ((value: Json) => boolean) | null = null
  return value => {
    if (typeof value === 'string') {
      asText ??= textValidity(keywords)
      return types.includes('string') && isMember(value) && asText(value)
    }
    if (typeof value === 'boolean') return types.includes('boolean') && isMember(value)
    if (value === null) return isOpen ? null : types.includes('null') && isMember(value)
    // A listed number may be written in another way.
    if (!isNumber(value) || members.length > 0) return null
    asNumber ??= numberValidity(keywords, types)
    return asNumber(value)
  }
}

const textValidity = (keywords: readonly KeywordUse[]): ((text: string) => boolean) => {
  const lengths = keywords.filter(({ keyword }) => keyword.endsWith('Length'))
  const tests = keywords.flatMap(({ keyword, value }): readonly ((text: string) => boolean)[] => {
    if (keyword === 'format') return [textFormat(String(value))]
    if (keyword !== 'pattern') return []
    const pattern = compilePattern(String(value))
    return [text => pattern.test(text)]
  })
  return text => {
    const length = lengths.length === 0 ? 0 : charactersIn(text)
    return lengths.every(use => isWithin(use, length)) && tests.every(test => test(text))
  }
}

const numberValidity = (
  keywords: readonly KeywordUse[],
  types: readonly string[],
): ((value: Json) => boolean) => {
  const isReal = types.includes('number')
  if (!isReal && !types.includes('integer')) return () => false
  const bounds = keywords
    .filter(({ keyword }) => keyword.endsWith('imum'))
    .map(({ keyword, value }) => ({
      side: keyword.endsWith('inimum') ? 1 : -1,
      least: keyword.startsWith('exclusive') ? 1 : 0,
      limit: decimal(String(value)),
    }))
  return value => {
    const number = decimal(numberText(value as number))
    return (
      (isReal || isInteger(number)) &&
      bounds.every(({ side, least, limit }) => Math.sign(compare(number, limit)) * side >= least)
    )
  }
}

/** Keywords that say nothing of texts, numbers, booleans and null. */
const silent = new Set([
  ...annotationKeywords,
  'readOnly',
  'writeOnly',
  'xml',
  'type',
  'properties',
  'required',
  'additionalProperties',
  'minProperties',
  'maxProperties',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
])

const limits = new Set([
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
])

const isSimple = ({ keyword, value }: KeywordUse): boolean =>
  silent.has(keyword) ||
  keyword.startsWith('x-') ||
  (limits.has(keyword) && Number.isSafeInteger(value)) ||
  (keyword === 'pattern' && typeof value === 'string') ||
  // Formats of integers say something of numbers.
  (keyword === 'format' && typeof value === 'string' && !Object.hasOwn(integerRanges, value)) ||
  (keyword === 'enum' && Array.isArray(value))

const isWithin = ({ keyword, value }: KeywordUse, length: number): boolean =>
  keyword === 'minLength' ? length >= Number(value) : length <= Number(value)
