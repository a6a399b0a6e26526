import { childPlace, isArray, isObject, type Json, type SchemaPlace } from '../../spec/index.ts'
import { chance } from '../chance/digest.ts'
import { constraintsOf } from './likely/constraints.ts'
import { likelyNumber } from './likely/likely-number.ts'
import { withOrderedDates } from './likely/ordered-dates.ts'
import { namesAt } from './likely/place-names.ts'
import { likelyText } from './likely-text.ts'
import { inDocumentOrder } from './property-order.ts'
import type { ValueProviders } from './value-providers.ts'

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
