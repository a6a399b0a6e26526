import { isArray, isObject, type Json, type SchemaPlace, step } from '../../spec/index.ts'
import { isUnlimited, likelyInteger } from './faker-hints.ts'
import { hashOf } from './hash.ts'
import { inDocumentOrder } from './property-order.ts'

/**
 * A made-up value with ids of its request: Prism makes one value for many requests, which would give the things of
 * different requests the same id. `keeps`: whether a schema has an example, whose values stay.
 */
export const withRequestIds = (
  value: Json,
  place: SchemaPlace | null,
  seed: string,
  keeps: (place: SchemaPlace) => boolean,
): Json => {
  if (place === null || keeps(place)) return value
  const child = (name: string): SchemaPlace | null => childOf(place, name)
  if (isObject(value)) {
    const isFlat =
      place.properties.length > 0 && place.keywords.every(({ keyword }) => !openKeywords.has(keyword))
    const members = Object.entries(value)
      // Prism adds properties with names of its choice to open objects.
      .filter(([name]) => !isFlat || place.properties.includes(name))
      .map(([name, member]) => [name, withRequestIds(member, child(name), `${seed}/${name}`, keeps)] as const)
    // Prism sorts them by name.
    return Object.fromEntries(inDocumentOrder(place, members))
  }
  if (isArray(value))
    return value.map((item, index) => withRequestIds(item, child('*'), `${seed}/${index}`, keeps))
  const keywords = Object.fromEntries(
    place.keywords.map(({ keyword, value: constraint }) => [keyword, constraint]),
  )
  if (typeof value === 'string' && keywords.format === 'uuid') return uuidFrom(digest(seed))
  if (typeof value === 'number' && place.types?.includes('integer') && isUnlimited(keywords))
    return likelyInteger(place.pattern.split('/').at(-1) ?? '', chanceOf(digest(seed)))
  return value
}

/** Keywords that may declare properties which the place does not list. */
const openKeywords = new Set(
  'anyOf oneOf if dependentSchemas patternProperties additionalProperties minProperties $dynamicRef'.split(
    ' ',
  ),
)

const childOf = (place: SchemaPlace, name: string): SchemaPlace | null =>
  place.children.find(({ pattern }) => pattern === step(place.pattern, name)) ??
  place.children.find(({ pattern }) => pattern === `${place.pattern}/*`) ??
  null

/** 39 hexadecimal digits that follow from a text; node:crypto does not exist in browsers. */
export const digest = (text: string): string =>
  [0, 1, 2].map(round => hashOf(text, round).toString(16).padStart(13, '0').slice(-13)).join('')

/** A number below 2^48 that follows from a digest. */
export const chanceOf = (hex: string): number => Number.parseInt(hex.slice(0, 12), 16)

// Version 4, variant 1 (RFC 9562).
const uuidFrom = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
