import { isArray, isObject, type Json, parseJson, rawNumber, writeJson } from '../json/json.ts'

/**
 * Values of a JSON type, or fractions, or numerals in a string, to send in the place of `plain`; the simplest and the
 * nearest misses come first.
 */
export const valuesOfType = (type: string, plain: Json): readonly Json[] => {
  switch (type) {
    case 'null':
      return [null]
    case 'boolean':
      return [true, false]
    case 'string':
      return ['a', '', 'true', 'a1', '1a', ' ', '0x10', '1e', '[]', '{}', writeJson(plain)]
    case 'number':
      return numbers('1', '0', '-1', '1.5', '9007199254740993', '1e3', '12345678901234567890')
    case 'array':
      return [[], [plain], [plain, plain], [null]]
    case 'object':
      return [{}, { a: plain }, { value: plain }]
    case 'fraction':
      return numbers('1.5', '0.5', '-0.1', '1e-7', '9007199254740993.5', '12345.000001')
    case 'numeral':
      return ['1', '0', '-1', '4711', '1.0', '9223372036854775807', ' 1', '1e3']
    default:
      return []
  }
}

const numbers = (...texts: readonly string[]): readonly Json[] => texts.map(parseJson)

/** Numbers just beyond the range of an integer format, then far beyond; null for other formats. */
export const valuesBeyondFormat = (format: unknown, side: string): readonly Json[] | null => {
  const edge = format === 'int32' ? 2n ** 31n : format === 'int64' ? 2n ** 63n : null
  if (edge === null) return null
  const beyond =
    side === 'above'
      ? [edge, edge + 1n, edge * 2n - 1n, edge * 2n, 10n ** 19n, 10n ** 30n]
      : [edge + 1n, edge + 2n, edge * 2n, 10n ** 19n, 10n ** 30n].map(value => -value)
  return [
    ...beyond.map(value => rawNumber(String(value))),
    ...(side === 'above' ? ['1e19', '1e400'] : ['-1e19', '-1e400']).map(rawNumber),
  ]
}

/** Values in the place of another one that may break a keyword with this constraint; a judge has to say which do. */
export const invalidValues = (keyword: string, constraint: unknown, value: Json): readonly Json[] => {
  const limit = Number(constraint)
  switch (keyword) {
    case 'minimum':
    case 'exclusiveMinimum':
    case 'maximum':
    case 'exclusiveMaximum':
    case 'multipleOf':
      return [limit - 1, limit + 1, limit, limit / 2]
    case 'minLength':
      return ['x'.repeat(Math.max(0, limit - 1))]
    case 'maxLength':
      return ['x'.repeat(limit + 1), `${value}${'0'.repeat(limit)}`, '1'.repeat(limit + 1)]
    case 'minItems':
      return isArray(value) ? [value.slice(0, Math.max(0, limit - 1))] : []
    case 'maxItems':
      return isArray(value)
        ? value.slice(0, 1).map(item => Array.from({ length: limit + 1 }, () => item))
        : []
    case 'uniqueItems':
      return isArray(value) ? [[...value, ...value]] : []
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'propertyNames':
      return isObject(value) ? [{ ...value, undeclared: 'x' }] : []
    case 'format':
      return [...(valuesBeyondFormat(constraint, 'above') ?? []).slice(0, 1), ...[parseJson('1e30'), 'x', '']]
    default:
      return ['x', ...types.flatMap(type => valuesOfType(type, value)), 'x y z', ['x'], '0']
  }
}

const types = ['string', 'number', 'boolean', 'null', 'array', 'object', 'fraction']
