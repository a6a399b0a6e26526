import { compilePattern, type Pattern, type SchemaPlace } from '../../../spec/index.ts'
import { perObject } from '../../per-object.ts'

/** What the keywords of a schema allow of a single value. */
export type Constraints = {
  readonly keywords: Readonly<Record<string, unknown>>
  /** Whether two subschemas have the same keyword with different values, so that no keyword alone says what is valid. */
  readonly isUnclear: boolean
  readonly pattern: Pattern | null
}

// Lists have hundreds of values of the same few places.
export const constraintsOf = perObject((place: SchemaPlace): Constraints => read(place))

const harmless = new Set(['description', 'title', 'default', 'example', 'examples', 'deprecated', 'type'])
const alternatives = ['oneOf', 'anyOf', 'not', 'if', 'then', 'else']

const read = ({ keywords: uses }: SchemaPlace): Constraints => {
  const names = uses.map(({ keyword }) => keyword).filter(keyword => !harmless.has(keyword))
  const keywords = Object.fromEntries(uses.map(({ keyword, value }) => [keyword, value]))
  return {
    keywords,
    isUnclear: new Set(names).size < names.length || alternatives.some(name => name in keywords),
    pattern: typeof keywords.pattern === 'string' ? patternOf(keywords.pattern) : null,
  }
}

const patternOf = (pattern: string): Pattern => {
  try {
    return compilePattern(pattern)
  } catch {
    return { test: () => false }
  }
}

/** Whether a text has an allowed length and matches the pattern. */
export const fitsText = (
  { keywords: { minLength, maxLength }, pattern }: Constraints,
  text: string,
): boolean => {
  if (pattern !== null && !pattern.test(text)) return false
  if (minLength === undefined && maxLength === undefined) return true
  const length = [...text].length
  return length >= Number(minLength ?? 0) && length <= Number(maxLength ?? Number.POSITIVE_INFINITY)
}
