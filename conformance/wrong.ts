import {
  isOfBody,
  type Json,
  parseJson,
  placeOf,
  plainValue,
  rawNumber,
  type SchemaPlace,
  type Subject,
  writeJson,
} from '../spec/index.ts'
import type { Model } from './model.ts'

/**
 * Values that break a keyword and nothing else, the simplest and the nearest misses first; null where they have to be
 * generated. An `undefined` among them stands for leaving the place out.
 */
export const wrongValues = (
  model: Model,
  { where, keyword, detail }: Extract<Subject, { kind: 'keyword' }>,
): readonly (Json | undefined)[] | null => {
  const root = isOfBody(where)
    ? model.body?.root
    : model.parameters.find(({ parameter }) => parameter.name === where.name)?.root
  const place = root == null ? null : placeOf(root, where.place.replaceAll('*', '0'))
  if (place === null) return null
  switch (keyword) {
    case 'type':
      // An empty text stands for nothing at all in a query, and in a form.
      return wrongTypes(place, detail).filter(value => where.in === 'body' || value !== '')
    case 'required':
      return null
    case 'format':
      return rangeValues(place, detail)
    default:
      return null
  }
}

const texts = (...values: readonly string[]): readonly Json[] => values.map(parseJson)

const wrongTypes = (place: SchemaPlace, type: string): readonly Json[] => {
  const plain = plainValue(place)
  switch (type) {
    case 'null':
      return [null]
    case 'boolean':
      return [true, false]
    case 'string':
      return ['a', '', 'true', 'a1', '1a', ' ', '0x10', '1e', '[]', '{}', writeJson(plain)]
    case 'number':
      return texts('1', '0', '-1', '1.5', '9007199254740993', '1e3', '12345678901234567890')
    case 'array':
      return [[], [plain], [plain, plain], [null]]
    case 'object':
      return [{}, { a: plain }, { value: plain }]
    case 'fraction':
      return texts(
        '1.5',
        '0.5',
        '-0.1',
        '1e-7',
        '9007199254740993.5',
        '1.00000000000000000001',
        '12345.000001',
      )
    case 'numeral':
      return ['1', '0', '-1', '4711', '1.0', '9223372036854775807', ' 1', '1e3']
    default:
      return []
  }
}

/** Numbers just past the edge of an integer format, and far past it. */
const rangeValues = (place: SchemaPlace, detail: string): readonly Json[] | null => {
  const format = place.keywords.find(({ keyword }) => keyword === 'format')?.value
  const edge = format === 'int32' ? 2n ** 31n : format === 'int64' ? 2n ** 63n : null
  if (edge === null) return null
  const past =
    detail === 'above'
      ? [edge, edge + 1n, edge * 2n - 1n, edge * 2n, 10n ** 19n, 10n ** 30n]
      : [edge + 1n, edge + 2n, edge * 2n, 10n ** 19n, 10n ** 30n].map(value => -value)
  return [
    ...past.map(value => rawNumber(String(value))),
    ...(detail === 'above' ? ['1e19', '1e400'] : ['-1e19', '-1e400']).map(rawNumber),
  ]
}
