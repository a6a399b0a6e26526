import { isArray, isNumber, isObject, type Json } from '../../spec/index.ts'
import { namedSchemas, own, type Schema, walk } from './keywords.ts'

/**
 * Tells values on which careful validators differ: a number that a double does not hold, or that is the same double as
 * a great number of the schema; and where the schema has patterns, characters beyond printable ASCII (`\w`, `\s`, `$`
 * and case are read in two ways).
 */
export const createDoubt = (schema: Schema): ((value: Json) => boolean) => {
  const great = new Set<number>()
  let patterned = false
  walk(schema, part => {
    patterned ||= own(part, 'pattern') !== undefined || namedSchemas(part, 'patternProperties').length > 0
    for (const value of Object.values(part))
      if (isNumber(value as Json) && !Number.isSafeInteger(Number(value))) great.add(Number(value))
  })
  const doubtful = (value: Json): boolean => {
    if (typeof value === 'string') return patterned && !/^[ -~]*$/.test(value)
    if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER && great.has(value)
    if (isArray(value)) return value.some(doubtful)
    if (isObject(value))
      return Object.entries(value).some(([name, child]) => doubtful(name) || doubtful(child))
    return isNumber(value)
  }
  return doubtful
}
