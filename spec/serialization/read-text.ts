/** What texts stand for. They have no types: each is read by the alternative of its schema that it fits. */
import { isArray, isObject, type Json, type JsonObject, rawNumber, writeJson } from '../json/json.ts'
import type { SchemaPlace, TypeName } from '../schema/locations.ts'
import { fits, memberPlace, typesAt, typesIn, variantsOf } from '../schema/variants.ts'

/** A text as a value without members. `place`: null if nothing describes it. */
export const readScalar = (text: string, place: SchemaPlace | null): Json =>
  place === null ? text : fitting(place, scalarReadings(text, typesIn(place)))

/** What was found for a value: the ways to take it apart, for each shape that its schema may give it. */
export type Found<T extends Json | undefined> = {
  /** As the texts of a list, in each way that they can be counted. */
  readonly lists: () => readonly (readonly string[])[]
  /** As the members of an object with these names; a name may come several times. */
  readonly members: (place: SchemaPlace) => readonly (readonly [name: string, text: string])[] | undefined
  /** As one text: several if it came several times, and a server may take any of them. */
  readonly texts: () => readonly string[]
  /** What it is if its schema has none of these shapes. */
  readonly whole: T
}

/** The value of what was found by the alternative that it fits. Several texts are a list before one of them is taken alone. */
export const readFound = <T extends Json | undefined>(place: SchemaPlace, found: Found<T>): Json | T => {
  const { lists, members, texts } = found
  const given = texts()
  const readings = variantsOf(place).flatMap((variant): readonly Json[] => {
    const types = typesAt(variant)
    const named = types?.includes('object') ? members(variant) : undefined
    return [
      ...(types?.includes('array') ? lists().map(each => readItems(variant, each)) : []),
      ...(named === undefined ? [] : [readMembers(variant, named)]),
      ...(given.length === 1 ? scalarsOf(types, given) : []),
    ]
  })
  const others =
    given.length > 1 ? variantsOf(place).flatMap(variant => scalarsOf(typesAt(variant), given)) : []
  return readings.length + others.length === 0 ? found.whole : fitting(place, [...readings, ...others])
}

const scalarsOf = (types: readonly TypeName[] | null, texts: readonly string[]): readonly Json[] => {
  const scalars = types?.filter(type => type !== 'array' && type !== 'object') ?? null
  return scalars === null || scalars.length > 0 ? texts.flatMap(text => scalarReadings(text, scalars)) : []
}

const readItems = (place: SchemaPlace, texts: readonly string[]): Json =>
  texts.map((text, index) => readScalar(text, memberPlace(place, String(index))))

/** The members of an object. A list in it comes as several of one name; of what is no list the last one counts. */
const readMembers = (
  place: SchemaPlace,
  members: readonly (readonly [name: string, text: string])[],
): Json => {
  const byName = new Map<string, string[]>()
  for (const [name, text] of members) byName.set(name, [...(byName.get(name) ?? []), text])
  const value = Object.fromEntries(
    [...byName].map(([name, texts]) => {
      const member = memberPlace(place, name)
      const text = texts.at(-1) ?? ''
      if (member === null) return [name, text]
      return [
        name,
        readFound(member, {
          lists: () => [texts],
          members: () => undefined,
          texts: () => anyOf(texts),
          whole: text,
        }),
      ]
    }),
  )
  return withEmpties(place, value)
}

/**
 * The object with the empty value of each required list or object that may have no members: nothing is written of it. `isBare`: whether
 * this holds for a member.
 */
export const withEmpties = (
  place: SchemaPlace,
  value: JsonObject,
  isBare: (name: string) => boolean = () => true,
): JsonObject => {
  const missing = place.required.flatMap(name => {
    const member = Object.hasOwn(value, name) || !isBare(name) ? null : memberPlace(place, name)
    const empty = member === null ? undefined : emptyAt(member)
    return empty === undefined ? [] : [[name, empty] as const]
  })
  return missing.length === 0 ? value : { ...value, ...Object.fromEntries(missing) }
}

/** Of several values of what is no list, servers take the last one or the first. */
export const anyOf = <T>(values: readonly T[]): readonly T[] => [
  ...new Set([...values.slice(-1), ...values.slice(0, 1)]),
]

/** Of the ways to read something the first that fits its schema; the first of all if none does. */
export const fitting = <T extends Json>(place: SchemaPlace, readings: readonly T[]): T => {
  const [first] = readings
  if (readings.length < 2) return first as T
  const distinct = [...new Map(readings.map(value => [writeJson(value), value])).values()]
  const right = distinct.length < 2 ? 0 : distinct.findIndex(value => fits(place, value))
  return distinct[Math.max(0, right)] as T
}

const numeral = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** What a text may be by its form, the narrowest type first. A text is no null as long as it may be a string. */
const scalarReadings = (text: string, types: readonly TypeName[] | null): readonly Json[] => {
  if (types === null) return [text]
  const readings: readonly Json[] = [
    ...((types.includes('integer') || types.includes('number')) && numeral.test(text)
      ? [rawNumber(text)]
      : []),
    ...(types.includes('boolean') && (text === 'true' || text === 'false') ? [text === 'true'] : []),
    ...(types.includes('string') ? [text] : []),
    ...(types.includes('null') && text === '' ? [null] : []),
  ]
  return readings.length > 0 ? readings : [text]
}

/** The list or object without members if a place allows it, in this order; undefined if it allows neither. */
export const emptyAt = (place: SchemaPlace): Json | undefined => {
  const types = variantsOf(place).flatMap(variant => typesAt(variant) ?? [])
  const empties: readonly Json[] = [
    ...(types.includes('array') ? [[]] : []),
    ...(types.includes('object') ? [{}] : []),
  ]
  return empties.find(value => fits(place, value))
}

const alone = (value: Json): Json => (isArray(value) ? (value[0] as Json) : value)

/** Whether two values have the same texts in the same shape, whatever types these are read as. One text alone is a list of one as well. */
export const hasSameTexts = (one: Json, other: Json, scalar: (value: Json) => string): boolean =>
  isArray(one) !== isArray(other) && (isArray(one) ? one : isArray(other) ? other : []).length === 1
    ? hasSameTexts(alone(one), alone(other), scalar)
    : isArray(one) || isArray(other)
      ? isArray(one) &&
        isArray(other) &&
        one.length === other.length &&
        one.every((item, index) => hasSameTexts(item, other[index] as Json, scalar))
      : isObject(one) || isObject(other)
        ? isObject(one) &&
          isObject(other) &&
          Object.keys(other).every(
            name => Object.hasOwn(one, name) && hasSameTexts(one[name] as Json, other[name] as Json, scalar),
          )
        : scalar(one) === scalar(other)
