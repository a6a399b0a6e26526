import {
  type Contract,
  childPlace,
  type DeclaredResponse,
  type Headers,
  isArray,
  isObject,
  type Json,
  type Pointer,
  placeOf,
  plainValue,
  type SchemaPlace,
  setAt,
  steps,
  type Validate,
  writeParameter,
} from '../../spec/index.ts'
import { perObject } from '../memo.ts'

/** What takes the place of Prism's values where they violate the contract. */

/** Bodies to try instead of a sample: with generated values where it is wrong, without these, or generated as a whole. */
export const repairedBodies = async (
  generated: GeneratedValues,
  schema: Pointer,
  validate: Validate,
  sample: Json | undefined,
  seed: number,
): Promise<readonly Json[]> => {
  const values = [await generated(schema, seed), await generated(schema, 0)]
  const whole = values.filter(value => value !== undefined)
  if (sample === undefined || !isObject(sample)) return whole
  const wrong = new Set(validate(sample).map(({ at }) => steps(at)[0]))
  const rest = Object.entries(sample).filter(([name]) => !wrong.has(name))
  const repaired = whole
    .filter(isObject)
    .map(value => [...rest, ...Object.entries(value).filter(([name]) => wrong.has(name))])
  return [...[...repaired, rest].map(entries => Object.fromEntries(entries)), ...whole]
}

/** How often a value is repaired: what replaces one wrong value may be wrong beside the others. */
const rounds = 3

/** With more violations than this, a value that is generated as a whole is as good. */
const mostWrong = 300

/**
 * The value with its invalid parts replaced, and without what must not be there; undefined if that does not make it valid. `other` gives the
 * replacement for a place; undefined removes it.
 */
export const repairedAt = async (
  value: Json,
  validate: Validate,
  other: (at: Pointer, round: number) => Json | undefined | Promise<Json | undefined>,
): Promise<Json | undefined> => {
  let repaired = value
  for (let round = 0; round < rounds; round++) {
    const violations = validate(repaired)
    if (violations.length === 0) return repaired
    if (violations.length > mostWrong) return undefined
    for (const [at, { keyword }] of new Map(violations.map(each => [each.at, each]))) {
      if (at === '') return undefined
      const isExtra = keyword === 'additionalProperties' || keyword === 'unevaluatedProperties'
      repaired = setAt(repaired, at, isExtra ? undefined : await other(at, round))
    }
  }
  return validate(repaired).length === 0 ? repaired : undefined
}

/** A sample with generated values where it is wrong, so that all else of it stays; the same if it is right, or cannot be repaired. */
export const repairedSample = async (
  generated: GeneratedValues,
  { root, validate, isJson }: Judged,
  sample: Json | undefined,
): Promise<Json | undefined> => {
  if (sample === undefined || root === null || validate === null || !isJson) return sample
  const repaired = await repairedAt(sample, validate, (at, round) => {
    const schema = placeOf(root, at)?.schemas[0]
    return schema === undefined ? undefined : generated(schema, round)
  })
  return repaired ?? sample
}

/** What a sample is judged by; null: by nothing. */
type Judged = {
  readonly root: SchemaPlace | null
  readonly validate: Validate | null
  readonly isJson: boolean
}

/** Headers with generated values for those with these names, in lower case, that are required; without the others of them. */
export const repairedHeaders = async (
  generated: GeneratedValues,
  declared: DeclaredResponse,
  headers: Headers,
  wrong: ReadonlySet<string>,
): Promise<Headers> => {
  const kept = headers.filter(([name]) => !wrong.has(name.toLowerCase()))
  const repaired = declared.headers
    .filter(({ name, required }) => required && wrong.has(name.toLowerCase()) && !isFraming(name))
    .map(async parameter => {
      for (let seed = 0; seed < mostTries; seed++) {
        const value = parameter.schema === null ? '' : await generated(parameter.schema, seed)
        const text = value === undefined ? null : writeParameter(parameter, value).header
        if (text !== null && isFieldValue(text)) return [[parameter.name, text] as const]
      }
      return []
    })
  return [...kept, ...(await Promise.all(repaired)).flat()]
}

/** Random text seldom has only characters that a header may have. */
const mostTries = 50

/** Node throws on values that no header line can carry. */
export const isFieldValue = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text)

/** Headers that say how the message is sent: whoever sends it knows them, and no others are right. */
export const isFraming = (name: string): boolean =>
  /^(?:content-length|content-encoding|transfer-encoding|connection|keep-alive|upgrade|trailer)$/i.test(name)

/** The value with what is required and missing in it: samplers leave out properties that are required but not declared. */
export const fillRequired = (place: SchemaPlace, value: Json): Json => {
  if (isArray(value))
    return value.map((item, index) => {
      const each = childPlace(place, String(index))
      return each === null ? item : fillRequired(each, item)
    })
  if (!isObject(value)) return value
  const missing = place.required.filter(name => !Object.hasOwn(value, name))
  const present = Object.entries(value).map(([name, member]) => {
    const child = childPlace(place, name)
    return [name, child === null ? member : fillRequired(child, member)] as const
  })
  return Object.fromEntries([
    ...present,
    ...missing.map(name => {
      const child = childPlace(place, name)
      return [name, child === null ? name : plainValue(child, null, name)] as const
    }),
  ])
}

/** The members of an object in the order in which the document declares them; undeclared ones come last, as they were. */
export const inDocumentOrder = (
  { properties }: SchemaPlace,
  members: readonly (readonly [name: string, value: Json])[],
): readonly (readonly [name: string, value: Json])[] => {
  if (properties.length === 0 || members.length < 2) return members
  const ranks = ranksOf(properties)
  const rank = (name: string): number => ranks.get(name) ?? properties.length
  return [...members].sort(([left], [right]) => rank(left) - rank(right))
}

// Lists have hundreds of objects with the same properties.
const ranksOf = perObject(
  (properties: readonly string[]): ReadonlyMap<string, number> =>
    new Map(properties.map((name, index) => [name, index])),
)

/** Valid values of a schema, which Prism could not make; equal seeds give equal values. Undefined: the generator has none either. */
export type GeneratedValues = (schema: Pointer, seed: number) => Promise<Json | undefined>

/** The generator is loaded for the first value: most documents need none. */
export const createGeneratedValues = ({ responses: { document } }: Contract): GeneratedValues => {
  const known = new Map<Pointer, Promise<(seed: number) => Json | undefined>>()
  return async (schema, seed) => {
    const made = known.get(schema) ?? samplerOf(document, schema)
    known.set(schema, made)
    return (await made)(seed)
  }
}

const samplerOf = async (document: object, schema: Pointer): Promise<(seed: number) => Json | undefined> => {
  const { compileGenerator, createSampler } = await import('../../generator/index.ts')
  // A reference, so that what judges the values is compiled once for all who judge by this schema.
  const { valid } = compileGenerator({ $ref: `#${encodeURI(schema)}` }, document)
  return 'unsupported' in valid ? () => undefined : createSampler(valid, 1, schema)
}
