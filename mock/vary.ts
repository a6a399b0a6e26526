import { isArray, isObject, type Json, type SchemaPlace, step } from '../spec/index.ts'
import { believableInteger, isOpen } from './believable.ts'
import { hashOf } from './scenario/hash.ts'

/**
 * A made-up value with the identities of its own request: one that Prism made for many requests would give things of
 * different requests the same id. `keep`: whether a schema has an example, which says what its values look like.
 */
export const vary = (
  value: Json,
  place: SchemaPlace | null,
  seed: string,
  keep: (place: SchemaPlace) => boolean,
): Json => {
  if (place === null || keep(place)) return value
  const child = (name: string): SchemaPlace | null => childOf(place, name)
  if (isObject(value)) {
    const isFlat =
      place.properties.length > 0 && place.keywords.every(({ keyword }) => !alternatives.has(keyword))
    return Object.fromEntries(
      Object.entries(value)
        // Prism gives open objects properties with names of its own.
        .filter(([name]) => !isFlat || place.properties.includes(name))
        .map(([name, own]) => [name, vary(own, child(name), `${seed}/${name}`, keep)]),
    )
  }
  if (isArray(value)) return value.map((own, index) => vary(own, child('*'), `${seed}/${index}`, keep))
  const keywords = Object.fromEntries(place.keywords.map(({ keyword, value: asked }) => [keyword, asked]))
  if (typeof value === 'string' && keywords.format === 'uuid') return uuidOf(digest(seed))
  if (typeof value === 'number' && place.types?.includes('integer') && isOpen(keywords))
    return believableInteger(place.pattern.split('/').at(-1) ?? '', chanceOf(digest(seed)))
  return value
}

/** Where these are, a property may be declared though the place does not know it. */
const alternatives = new Set(
  'anyOf oneOf if dependentSchemas patternProperties additionalProperties minProperties $dynamicRef'.split(
    ' ',
  ),
)

const childOf = (place: SchemaPlace, name: string): SchemaPlace | null =>
  place.children.find(({ pattern }) => pattern === step(place.pattern, name)) ??
  place.children.find(({ pattern }) => pattern === `${place.pattern}/*`) ??
  null

/** 39 hexadecimal digits that follow from a text, made without what only Node has. */
export const digest = (text: string): string =>
  [0, 1, 2].map(turn => hashOf(text, turn).toString(16).padStart(13, '0').slice(-13)).join('')

/** A number below 2^48 that follows from a digest. */
export const chanceOf = (hex: string): number => Number.parseInt(hex.slice(0, 12), 16)

// Version 4, variant 1 (RFC 9562).
const uuidOf = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
