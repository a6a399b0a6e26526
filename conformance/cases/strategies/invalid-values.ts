import {
  isOfBody,
  type Json,
  placeOf,
  plainValue,
  type Subject,
  valuesBeyondFormat,
  valuesOfType,
} from '../../../spec/index.ts'
import type { OperationModel } from '../operation-model.ts'

/**
 * Values that break a keyword and nothing else, the simplest and the nearest misses first; null if they have to be
 * generated.
 */
export const wrongValues = (
  model: OperationModel,
  { location, keyword, detail }: Extract<Subject, { kind: 'keyword' }>,
): readonly (Json | undefined)[] | null => {
  const root = isOfBody(location)
    ? model.body?.root
    : model.parameters.find(({ parameter }) => parameter.name === location.name)?.root
  const place = root == null ? null : placeOf(root, location.place.replaceAll('*', '0'))
  if (place === null) return null
  switch (keyword) {
    case 'type':
      // An empty text means no value at all in a query and in a form.
      return valuesOfType(detail, plainValue(place)).filter(value => location.in === 'body' || value !== '')
    case 'format':
      return valuesBeyondFormat(place.keywords.find(use => use.keyword === 'format')?.value, detail)
    default:
      return null
  }
}
