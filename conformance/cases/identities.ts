import { deriveSeed } from '../../generator/index.ts'
import {
  type Identity,
  isArray,
  isNumber,
  isObject,
  type Json,
  numberText,
  parseJson,
  rawNumber,
  writeJson,
} from '../../spec/index.ts'

/** Fresh values of an identity (see `identityOf`), each given out once, from one range that follows from the seed. */
export type Identities = {
  readonly name: string
  readonly from: string
  readonly to: string
  /** The value with this number in the range. */
  readonly at: (index: number) => Json
  /** The next value after all that are planned. */
  readonly spare: () => Json
  /** The text of such a value. */
  readonly spareText: () => string
  /** The text of a value, for other spellings of an integer. */
  readonly text: (index: number) => string
}

/** Which part of the spare values is given out here, and how many parts there are. */
export type Share = { readonly index: number; readonly of: number }

/**
 * `range`: which of the ranges of this seed to use; a run moves on to the next if the server has seen the first. `planned`: how many
 * values `at` will give.
 */
export const createIdentities = (
  identity: Identity,
  seed: number,
  range: number,
  planned: number,
  { index, of }: Share = { index: 0, of: 1 },
): Identities => {
  // Runs of other lengths have other ranges: a shorter run must not take for unused what a longer one used of the same seed.
  const offset = deriveSeed(seed, 'identity', identity.name, planned, range)
  const size = Math.max(10_000, 2 ** Math.ceil(Math.log2(planned * 3 + 1)))
  const text = textOf(identity, offset, size)
  const isText = identity.place.types?.includes('string') === true
  const at = (index: number): Json => (isText ? text(index) : rawNumber(text(index)))
  let spares = planned + Math.floor((index * (size - planned)) / of)
  return {
    name: identity.name,
    from: text(0),
    to: text(size - 1),
    at,
    text,
    spare: () => at(spares++),
    spareText: () => text(spares++),
  }
}

const textOf = (identity: Identity, offset: number, size: number): ((index: number) => string) => {
  if (identity.place.types?.includes('string')) {
    const isUuid = identity.place.keywords.some(
      ({ keyword, value }) => keyword === 'format' && value === 'uuid',
    )
    return isUuid ? index => uuid(offset, index) : index => `plantstore-${offset.toString(36)}-${index}`
  }
  // Below 2^31, and above the boundary values with cases of their own: a server with a narrower type fails on those alone.
  const least = 1_000_000
  const ranges = Math.floor((2 ** 31 - least) / size) - 1
  const base = least + (offset % ranges) * size
  return index => String(base + index)
}

const uuid = (offset: number, index: number): string =>
  `${offset.toString(16).padStart(8, '0')}-0000-4000-8000-${index.toString(16).padStart(12, '0')}`

export const isUuid = (value: Json | undefined): boolean =>
  typeof value === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)

/** Invalid values of an identity that are made from a fresh one, so that no server can have seen them before. */

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
