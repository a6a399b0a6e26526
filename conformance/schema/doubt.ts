import { isArray, isNumber, isObject, type Json } from '../../spec/index.ts'
import { expression } from './expression.ts'
import { namedSchemas, own, type Schema, walk } from './keywords.ts'

/**
 * Tells values on which careful validators differ: a number that a double does not hold, or that is the same double as
 * a great number of the schema; and a text that a pattern takes otherwise where `\w`, `\d`, `\s` and `$` are read as
 * other languages than ECMAScript do.
 */
export const createDoubt = (schema: Schema): ((value: Json) => boolean) => {
  const great = new Set<number>()
  const patterns = new Set<string>()
  walk(schema, part => {
    const pattern = own(part, 'pattern')
    if (typeof pattern === 'string') patterns.add(pattern)
    for (const [name] of namedSchemas(part, 'patternProperties')) patterns.add(name)
    for (const value of Object.values(part))
      if (isNumber(value as Json) && !Number.isSafeInteger(Number(value))) great.add(Number(value))
  })
  const isReadInTwoWays = (text: string): boolean => {
    if (/^[ -~]*$/.test(text)) return false
    return [...patterns].some(
      pattern => expression(pattern).test(text) !== expression(pattern).test(twin(text, pattern)),
    )
  }
  const isDoubtful = (value: Json): boolean => {
    if (typeof value === 'string') return isReadInTwoWays(value)
    if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER && great.has(value)
    if (isArray(value)) return value.some(isDoubtful)
    if (isObject(value))
      return Object.entries(value).some(([name, child]) => isReadInTwoWays(name) || isDoubtful(child))
    return isNumber(value)
  }
  return isDoubtful
}

/** The text as the pattern may see it elsewhere: `ĉ` is a letter to some, and not every end of a line is one to all. */
const twin = (text: string, pattern: string): string => {
  const ended = text
    .replace(/\n$/, '')
    .replaceAll(/[\u001c-\u001f\u0085\r\u2028\u2029]/g, ' ')
    .replaceAll('\ufeff', 'a')
  return /\\[bdw]/i.test(pattern) ? ended.replaceAll(/\p{L}|\p{M}/gu, 'a').replaceAll(/\p{N}/gu, '0') : ended
}
