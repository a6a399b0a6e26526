import { isArray, isNumber, isObject, type Json } from '../../spec/index.ts'
import { namedSchemas, ownProperty, type Schema, walk } from '../read/keywords.ts'
import { regExpOf } from '../read/regexp.ts'

/**
 * Recognises values on which careful validators disagree: numbers that no double holds, or that share a double with a large
 * number in the schema; and strings that match a pattern differently if `\w`, `\d`, `\s` and `$` are read as languages other
 * than ECMAScript read them.
 */
export const createDisputedCheck = (schema: Schema): ((value: Json) => boolean) => {
  const largeNumbers = new Set<number>()
  const patterns = new Set<string>()
  walk(schema, part => {
    const pattern = ownProperty(part, 'pattern')
    if (typeof pattern === 'string') patterns.add(pattern)
    for (const [name] of namedSchemas(part, 'patternProperties')) patterns.add(name)
    for (const value of Object.values(part))
      if (isNumber(value as Json) && !Number.isSafeInteger(Number(value))) largeNumbers.add(Number(value))
  })
  const isAmbiguous = (text: string): boolean => {
    if (/^[ -~]*$/.test(text)) return false
    return [...patterns].some(
      pattern => regExpOf(pattern).test(text) !== regExpOf(pattern).test(asReadElsewhere(text, pattern)),
    )
  }
  const isDisputed = (value: Json): boolean => {
    if (typeof value === 'string') return isAmbiguous(value)
    if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER && largeNumbers.has(value)
    if (isArray(value)) return value.some(isDisputed)
    if (isObject(value))
      return Object.entries(value).some(([name, child]) => isAmbiguous(name) || isDisputed(child))
    return isNumber(value)
  }
  return isDisputed
}

/** The text as a pattern sees it in other languages: `ĉ` may be a word character, U+0085 white space or the end of a line. */
const asReadElsewhere = (text: string, pattern: string): string => {
  const unified = text
    .replace(/\n$/, '')
    .replaceAll(/[\u001c-\u001f\u0085\r\u2028\u2029]/g, ' ')
    .replaceAll('\ufeff', 'a')
  return /\\[bdw]/i.test(pattern)
    ? unified.replaceAll(/\p{L}|\p{M}/gu, 'a').replaceAll(/\p{N}/gu, '0')
    : unified
}
