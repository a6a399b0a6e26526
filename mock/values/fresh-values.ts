import { childPlace, isArray, isObject, type Json, type SchemaPlace } from '../../spec/index.ts'
import { chance, codeFrom, digest, uuidFrom } from '../chance/hash.ts'
import { type Constraints, constraintsOf, fitsText, likelyNumber } from './likely/likely-number.ts'
import { withOrderedDates } from './likely/ordered-dates.ts'
import { namesAt, type PlaceNames } from './likely/place-names.ts'
import { inDocumentOrder } from './repaired.ts'
import type { FakeText, ValueProviders } from './value-providers.ts'

/** Whether only a code fits: `country` without limits is a name of a country. */
const isShort = ({ keywords, pattern }: Constraints): boolean =>
  pattern !== null || Number(keywords.maxLength ?? 99) <= 10

/** A text that is likely for a property of these names; undefined: none is known that the schema allows. */
export const likelyText = (
  { name, method, codes, isCode }: PlaceNames,
  constraints: Constraints,
  seed: string,
  fake: FakeText,
): string | undefined => {
  const { format } = constraints.keywords
  if (typeof format === 'string' && keptFormats.has(format)) return undefined
  const make = typeof format === 'string' ? formats[format] : undefined
  if (make !== undefined) return fits(constraints, make(name, seed, fake))
  if (isCode || isShort(constraints))
    for (const values of codes) {
      const text = fits(constraints, values[chance(seed) % values.length])
      if (text !== undefined) return text
    }
  if (constraints.pattern !== null) return undefined
  if (method === 'string.alphanumeric') return fits(constraints, codeFrom(seed, 10))
  const text = fake(method, chance(seed))
  if (text === null) return undefined
  if (method.startsWith('lorem.')) return fits(constraints, shortened(text, constraints))
  return fits(constraints, text)
}

const fits = (constraints: Constraints, text: string | null | undefined): string | undefined =>
  text != null && fitsText(constraints, text) ? text : undefined

/** As many words as there is room for. */
const shortened = (text: string, { keywords }: Constraints): string => {
  const room = Number(keywords.maxLength ?? 200)
  return text.length <= room ? text : text.slice(0, text.lastIndexOf(' ', room)).slice(0, room)
}

type Make = (name: string, seed: string, fake: FakeText) => string | null

const formats: Readonly<Record<string, Make>> = {
  uuid: (_name, seed) => uuidFrom(digest(seed)),
  email: (_name, seed, fake) => fake('internet.exampleEmail', chance(seed)),
  uri: (_name, seed, fake) => fake('internet.url', chance(seed)),
  url: (_name, seed, fake) => fake('internet.url', chance(seed)),
  'uri-reference': (_name, seed, fake) => fake('internet.url', chance(seed)),
  hostname: (_name, seed, fake) => fake('internet.domainName', chance(seed)),
  date: (name, seed) => dateFrom(name, seed),
  'date-time': (name, seed) => `${dateFrom(name, seed)}T${timeFrom(seed)}Z`,
  // Many of Prism's own are none: `P`.
  duration: (_name, seed) => durations[chance(seed) % durations.length] ?? null,
}

const durations = ['PT5M', 'PT15M', 'PT30M', 'PT1H', 'PT2H', 'P1D', 'P3D', 'P1W', 'P2W', 'P1M', 'P1Y']

/** Formats of which Prism's own values will do. A format that nobody knows says nothing. */
const keptFormats = new Set(
  'time ipv4 ipv6 uri-template iri iri-reference idn-email idn-hostname json-pointer relative-json-pointer regex int64 password byte binary'.split(
    ' ',
  ),
)

const dateFrom = (name: string, seed: string): string => {
  const [from, to] = /birth|dob|born/i.test(name)
    ? [1950, 2004]
    : /expir|valid_?(until|to)|renew/i.test(name)
      ? [2027, 2030]
      : [2022, 2025]
  const at = chance(`${seed} date`)
  const month = 1 + (Math.floor(at / 100) % 12)
  const day = 1 + (Math.floor(at / 10_000) % 28)
  return `${from + (at % (to - from + 1))}-${two(month)}-${two(day)}`
}

const timeFrom = (seed: string): string => {
  const at = chance(`${seed} time`)
  return `${two(at % 24)}:${two(Math.floor(at / 100) % 60)}:${two(Math.floor(at / 10_000) % 60)}`
}

const two = (number: number): string => String(number).padStart(2, '0')

export type Freshness = {
  readonly makers: ValueProviders
  /** The values that examples of the document give a schema; empty: it has none. */
  readonly examplesOf: (place: SchemaPlace) => readonly Json[]
  /** The number of the value among others of its kind: listed values and examples take turns. Null: it is alone. */
  readonly turn: number | null
}

/**
 * A made-up value with values of its own, which follow from its seed: Prism makes one value for many requests, which would give the
 * resources of different requests the same id and name.
 */
export const freshValue = (
  value: Json,
  place: SchemaPlace | null,
  seed: string,
  freshness: Freshness,
): Json => {
  if (place === null) return value
  const examples = freshness.examplesOf(place)
  if (examples.length === 0) return withoutExample(value, place, seed, freshness)
  const { makers, turn } = freshness
  const example = turn === null ? value : (examples[turn % examples.length] as Json)
  return makers.own(place, example, seed, turn)
}

/** The same for a value whose own example is not wanted; examples of its parts are. */
export const withoutExample = (value: Json, place: SchemaPlace, seed: string, freshness: Freshness): Json => {
  const { makers, turn } = freshness
  const likely = likelyValue(value, place, seed, freshness)
  return makers.own(place, makers.faked(place, likely, seed), seed, turn)
}

const likelyValue = (value: Json, place: SchemaPlace, seed: string, freshness: Freshness): Json => {
  const child = (name: string): SchemaPlace | null => childPlace(place, name)
  if (isObject(value)) {
    const members = Object.entries(value)
      // Prism adds properties with names of its choice to open objects.
      .filter(([name]) => !isFlat(place) || place.properties.includes(name))
      .map(([name, member]) => [name, freshValue(member, child(name), `${seed}/${name}`, freshness)] as const)
    // Prism sorts them by name.
    return withOrderedDates(Object.fromEntries(inDocumentOrder(place, members)), name => {
      const date = child(name)
      return date !== null && freshness.examplesOf(date).length === 0
    })
  }
  if (isArray(value))
    return value.map((item, index) =>
      freshValue(item, child(String(index)), `${seed}/${index}`, turned(freshness, index)),
    )
  return freshScalar(value, place, seed, freshness)
}

// Also the items of a list inside a resource take turns.
const turned = (freshness: Freshness, index: number): Freshness => ({
  ...freshness,
  turn: (freshness.turn ?? 0) + index,
})

const freshScalar = (value: Json, place: SchemaPlace, seed: string, { makers, turn }: Freshness): Json => {
  const constraints = constraintsOf(place)
  const { keywords, isUnclear } = constraints
  if (isUnclear || value === null || keywords.const !== undefined) return value
  if (Array.isArray(keywords.enum)) {
    const listed = keywords.enum as readonly Json[]
    // A sample that is not listed is the document's own business.
    const choice = turn === null ? value : inTurn(listed, turn, seed.slice(seed.lastIndexOf('/')))
    return choice === null ? value : choice
  }
  const names = namesAt(place)
  if (typeof value === 'boolean') return chance(seed) % 2 === 0
  if (typeof value === 'number')
    return likelyNumber(names.name, constraints, place.types?.includes('number') !== true, chance(seed))
  if (typeof value === 'string') return likelyText(names, constraints, seed, makers.text) ?? value
  return value
}

/** Each listed value once in every round, in an order that is another one in each round and for each name. */
const inTurn = (listed: readonly Json[], turn: number, name: string): Json => {
  const round = Math.floor(turn / listed.length)
  const order = listed
    .map((member, index) => ({ member, rank: chance(`${name} ${round} ${index}`) }))
    .toSorted((left, right) => left.rank - right.rank)
  return order[turn % listed.length]?.member as Json
}

/** Keywords that may declare properties which the place does not list. */
const openKeywords = new Set(
  'anyOf oneOf if dependentSchemas patternProperties additionalProperties minProperties $dynamicRef'.split(
    ' ',
  ),
)

const isFlat = ({ properties, keywords }: SchemaPlace): boolean =>
  properties.length > 0 && keywords.every(({ keyword }) => !openKeywords.has(keyword))
