/** Invalid values of an identity that are made from a fresh one, so that no server can have seen them before. */
import {
  isArray,
  isNumber,
  isObject,
  type Json,
  numberText,
  parseJson,
  rawNumber,
  writeJson,
} from '../../spec/index.ts'

/** `violation`: a JSON type, `fraction`, `numeral`, or `format above` and `format below`. `text`: a fresh identity. */
export const derivedValues = (violation: string, text: string): readonly Json[] => {
  const isInteger = /^\d+$/.test(text)
  const fresh = isInteger ? rawNumber(text) : text
  switch (violation) {
    case 'numeral':
      return [text, `${text}.0`, ` ${text}`]
    case 'string':
      return isInteger ? [text, `a${text}`] : []
    case 'number':
      return isInteger ? [fresh] : []
    case 'array':
      return [[fresh], [fresh, fresh]]
    case 'object':
      return [{ value: fresh }, { a: fresh }]
    case 'fraction':
      return isInteger ? [`${text}.5`, `${text}.000001`, `-${text}.25`].map(parseJson) : []
    // As many digits as are beyond int64, and so beyond int32.
    case 'format above':
      return isInteger ? [rawNumber(text.padEnd(22, '0')), rawNumber(`${text.padEnd(21, '0')}e3`)] : []
    case 'format below':
      return isInteger ? [rawNumber(`-${text.padEnd(22, '0')}`)] : []
    default:
      return []
  }
}

export const isDerived = (value: Json, text: string): boolean => writeJson(value).includes(text)

/** The value with another identity in it. */
export const withText = (value: Json, from: string, to: string): Json => {
  if (typeof value === 'string') return value.replaceAll(from, to)
  if (isNumber(value)) return rawNumber(numberText(value).replace(from, to))
  if (isArray(value)) return value.map(item => withText(item, from, to))
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withText(item, from, to)]))
  return value
}
