import { compare, decimal, isInteger } from '../json/decimal.ts'
import type { DocumentNode } from '../json/follow-refs.ts'
import { isNumber, type Json, numberText } from '../json/json.ts'
import { valueAt } from '../json/pointer.ts'
import { charactersIn } from '../text/characters.ts'
import { annotationKeywords } from './annotations.ts'
import type { KeywordUse, SchemaPlace } from './locations.ts'

/**
 * Whether strings and numbers are valid at a place, if its schemas say no more than the simplest keywords; null for all other
 * values, and for all other schemas. They need a validator, and compiling one takes longer than judging a few values.
 */
export const plainValidity = (
  document: DocumentNode,
  { keywords, types, schemas }: SchemaPlace,
): ((value: Json) => boolean | null) => {
  // `false` has no keywords, and allows nothing.
  const isFalse = schemas.some(schema => typeof valueAt(document, schema) === 'boolean')
  if (types === null || isFalse || !keywords.every(isSimple)) return () => null
  const isReal = types.includes('number')
  const isNumeric = isReal || types.includes('integer')
  const lengths = keywords.filter(({ keyword }) => keyword.endsWith('Length'))
  const bounds = keywords
    .filter(({ keyword }) => keyword.endsWith('imum'))
    .map(({ keyword, value }) => ({ side: keyword === 'minimum' ? 1 : -1, limit: decimal(String(value)) }))
  return value => {
    if (typeof value === 'string') {
      const length = lengths.length === 0 ? 0 : charactersIn(value)
      return types.includes('string') && lengths.every(use => isWithin(use, length))
    }
    if (!isNumber(value)) return null
    if (!isNumeric) return false
    const number = decimal(numberText(value))
    return (
      (isReal || isInteger(number)) && bounds.every(({ side, limit }) => compare(number, limit) * side >= 0)
    )
  }
}

/** Keywords that say nothing of strings and numbers. */
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

const limits = new Set(['minLength', 'maxLength', 'minimum', 'maximum'])

const isSimple = ({ keyword, value }: KeywordUse): boolean =>
  silent.has(keyword) || keyword.startsWith('x-') || (limits.has(keyword) && Number.isSafeInteger(value))

const isWithin = ({ keyword, value }: KeywordUse, length: number): boolean =>
  keyword === 'minLength' ? length >= Number(value) : length <= Number(value)
