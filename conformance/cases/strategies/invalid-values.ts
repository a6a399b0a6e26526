import {
  decimal,
  isInteger,
  isNumber,
  type Json,
  numberText,
  placeOf,
  plainValue,
  type SchemaPlace,
  type Subject,
  type ValueLocation,
  valuesBeyondFormat,
  valuesOfType,
} from '../../../spec/index.ts'
import { derivedValues } from '../identities.ts'
import type { OperationModel } from '../operation-model.ts'
import { rootOf } from './edit-spec.ts'

/**
 * Values that break a keyword and nothing else, the simplest and the nearest misses first; null if they have to be
 * generated.
 */
export const wrongValues = (
  model: OperationModel,
  { location, keyword, detail }: Extract<Subject, { kind: 'keyword' }>,
): readonly (Json | undefined)[] | null => {
  const place = placeAt(model, location)
  if (place === null) return null
  switch (keyword) {
    case 'type':
      // An empty text means no value at all in a query and in a form.
      return valuesOfType(detail, plainValue(place)).filter(
        value => (location.in === 'body' || value !== '') && !isWholeAsDouble(place, value),
      )
    case 'format':
      return valuesBeyondFormat(place.keywords.find(use => use.keyword === 'format')?.value, detail)
    default:
      return null
  }
}

/** Fresh values of an identity in place of those of a table. */
export const derivedWrongValues = (
  model: OperationModel,
  { location, keyword, detail }: Extract<Subject, { kind: 'keyword' }>,
  text: string,
): readonly Json[] => {
  const place = placeAt(model, location)
  return derivedValues(keyword === 'type' ? detail : `${keyword} ${detail}`, text).filter(
    value => place === null || !isWholeAsDouble(place, value),
  )
}

const placeAt = (model: OperationModel, location: ValueLocation): SchemaPlace | null => {
  const root = rootOf(model, location)
  return root === null ? null : placeOf(root, location.place)
}

/**
 * Whether a fraction is a whole number to servers that read numbers as doubles. JSON allows that (RFC 8259, 6), unless the contract asks for
 * integers that doubles do not hold.
 */
const isWholeAsDouble = ({ keywords, types }: SchemaPlace, value: Json): boolean =>
  types?.includes('integer') === true &&
  isNumber(value) &&
  !isInteger(decimal(numberText(value))) &&
  Number.isInteger(Number(numberText(value))) &&
  !keywords.some(use => use.keyword === 'format' && use.value === 'int64')
