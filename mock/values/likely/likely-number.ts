import { compilePattern, type Pattern, type SchemaPlace } from '../../../spec/index.ts'
import { perObject } from '../../memo.ts'

/** The likely range of a number of this name; the first matching row counts. */
const ranges: readonly (readonly [name: RegExp, from: number, to: number])[] = [
  [/year/i, 1990, 2025],
  [/^age$|_age$|Age$/, 18, 90],
  [/^lat/i, -90, 90],
  [/^(lng|lon)/i, -180, 180],
  [/percent|ratio|progress/i, 0, 100],
  [/^((current|page)_?)?page(_?(number|no|index))?$/i, 1, 1],
  [/rating|stars/i, 1, 5],
  [/score|rank/i, 1, 100],
  [/expires_?in/i, 3600, 3600],
  [/hour/i, 0, 23],
  [/month/i, 1, 12],
  [/^days?$|weekday/i, 1, 7],
  [/^port$/i, 1024, 65_535],
  [/quantity|^qty$|stock|seats|guests|rooms/i, 1, 20],
  [/count|total|amount|price|cost|fee|tax|balance|size|number_of/i, 1, 500],
  [/width|height|length|depth|distance/i, 1, 2000],
  [/weight|duration|seconds|minutes/i, 1, 120],
  [/(^|_)(id|number|no|code)$|(Id|Number|No|Code)$/, 1, 1_000_000],
]

type Range = { readonly min: number; readonly max: number }

/** The range for numbers without any limit. */
export const rangeOf = (name: string): Range => {
  const [, min, max] = ranges.find(([names]) => names.test(name)) ?? [null, 1, 1000]
  return { min, max }
}

/** A number that is likely for a property of this name and within its limits; equal chances give equal numbers. */
export const likelyNumber = (
  name: string,
  { keywords }: Constraints,
  isInteger: boolean,
  chance: number,
): number => {
  const limit = (keyword: string): number | undefined =>
    typeof keywords[keyword] === 'number' ? (keywords[keyword] as number) : undefined
  const step = limit('multipleOf') ?? (isInteger ? 1 : 0.01)
  const { min, max } = within(
    rangeOf(name),
    limit('minimum') ?? above(limit('exclusiveMinimum'), step),
    limit('maximum') ?? above(limit('exclusiveMaximum'), -step),
  )
  const unit = isInteger ? Math.max(1, step) : step
  const [first, last] = [Math.ceil(min / unit), Math.floor(max / unit)]
  const value = (first + (chance % Math.max(1, last - first + 1))) * unit
  return Number(value.toFixed(decimalsOf(unit)))
}

const above = (limit: number | undefined, step: number): number | undefined =>
  limit === undefined ? undefined : limit + step

/** The part of the likely range that is allowed; if none is, allowed numbers near it. */
const within = ({ min, max }: Range, lowest: number | undefined, highest: number | undefined): Range => {
  const span = max - min
  const from = Math.max(min, lowest ?? min)
  const to = Math.min(max, highest ?? max)
  if (from <= to) return { min: from, max: to }
  if (highest !== undefined && highest < min)
    return { min: Math.max(highest - span, lowest ?? highest - span), max: highest }
  const start = lowest ?? min
  return { min: start, max: Math.min(start + span, highest ?? start + span) }
}

const decimalsOf = (step: number): number => String(step).split('.')[1]?.length ?? 0

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
