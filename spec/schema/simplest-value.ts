import { type Json, type JsonObject, rawNumber } from '../json/json.ts'
import { type Pointer, steps } from '../json/pointer.ts'
import { matchOf } from '../patterns/pattern.ts'
import { digitsOf } from './formats.ts'
import { childPlace, type SchemaPlace } from './locations.ts'

/**
 * The simplest value for a place: required properties only, short ASCII strings, small numbers; and what is on the way to
 * the pattern `toward`. It may be invalid, as schemas may have constraints that this ignores.
 */
export const plainValue = (place: SchemaPlace, toward: Pointer | null = null, label = 'a'): Json => {
  const constraint = (keyword: string): unknown => place.keywords.find(use => use.keyword === keyword)?.value
  if (constraint('const') !== undefined) return constraint('const') as Json
  const members = constraint('enum')
  if (Array.isArray(members) && members.length > 0) return members[turnOf(label) % members.length] as Json
  switch (place.types?.find(type => type !== 'null') ?? impliedType(place)) {
    case 'object':
      return plainObject(place, toward, label)
    case 'array':
      return plainArray(place, toward, label, Number(constraint('minItems') ?? 0))
    case 'string':
      return plainText(
        place,
        String(constraint('format') ?? ''),
        Number(constraint('minLength') ?? 0),
        Number(constraint('maxLength') ?? 1000),
        label,
      )
    case 'integer':
    case 'number':
      return plainNumber(constraint)
    case 'boolean':
      return turnOf(label) % 2 === 0
    default:
      return null
  }
}

/** The pattern of `digitsOf` for the format of a place; null if it has no format of integers. */
export const digitsAt = (place: SchemaPlace | null | undefined): RegExp | null =>
  digitsOf(place?.keywords.find(({ keyword }) => keyword === 'format')?.value)

/** If there are only a few values, they take turns by label, so that none of them is in every request. */
export const turnOf = (label: string): number => [...label].reduce((sum, char) => sum + char.charCodeAt(0), 0)

const impliedType = (place: SchemaPlace): string =>
  place.properties.length > 0 ? 'object' : place.children.length > 0 ? 'array' : 'string'

const isToward = (child: SchemaPlace, toward: Pointer | null): boolean =>
  toward !== null && (toward === child.pattern || toward.startsWith(`${child.pattern}/`))

const names = new WeakMap<SchemaPlace, string>()

const nameOf = (child: SchemaPlace): string => {
  const known = names.get(child) ?? steps(child.pattern).at(-1) ?? ''
  names.set(child, known)
  return known
}

const plainObject = (place: SchemaPlace, toward: Pointer | null, label: string): JsonObject => {
  const children = place.children.filter(
    child => isToward(child, toward) || place.required.includes(nameOf(child)),
  )
  // A property may be required without being declared.
  const others = place.required.filter(name => !place.children.some(child => nameOf(child) === name))
  return Object.fromEntries([
    ...children.map(child => [nameOf(child), plainValue(child, toward, label)] as const),
    ...others.map(name => [name, label] as const),
  ])
}

const plainArray = (place: SchemaPlace, toward: Pointer | null, label: string, least: number): Json => {
  const onTheWay = place.children.find(child => isToward(child, toward))
  const index =
    onTheWay === undefined ? -1 : nameOf(onTheWay) === '*' ? place.prefix : Number(nameOf(onTheWay))
  const items = Array.from({ length: Math.max(least, index + 1) }, (_, at) => {
    const item = childPlace(place, at < place.prefix ? String(at) : '*')
    return item === null ? null : plainValue(item, toward, `${label}${at}`)
  })
  return distinct(place, items)
}

/** Plain items of a list; numbers go up by one where no two items may be equal. */
export const distinct = (place: SchemaPlace, items: readonly Json[]): readonly Json[] =>
  place.keywords.some(({ keyword, value }) => keyword === 'uniqueItems' && value === true)
    ? items.map((item, index) => (typeof item === 'number' ? item + index : item))
    : items

const plainNumber = (constraint: (keyword: string) => unknown): Json => {
  const least = Number(constraint('minimum') ?? Number.NEGATIVE_INFINITY)
  const above = Number(constraint('exclusiveMinimum') ?? Number.NEGATIVE_INFINITY)
  const most = Math.min(
    Number(constraint('maximum') ?? Number.POSITIVE_INFINITY),
    Number(constraint('exclusiveMaximum') ?? Number.POSITIVE_INFINITY) - 1,
  )
  const step = Number(constraint('multipleOf') ?? 1)
  // 7 is no boundary value: boundary values have obligations of their own.
  const near = Math.min(Math.max(7, least, above + 1), most)
  return rawNumber(String(step === 1 ? Math.ceil(near) : Math.ceil(near / step) * step))
}

/** The plainest text of each format. */
export const formatSamples = {
  date: '2024-02-29',
  'date-time': '2024-02-29T12:00:00Z',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'fern@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/a',
  'uri-reference': '/a',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  byte: 'ZmVybg==',
  'json-pointer': '/a',
  regex: 'a',
} as const satisfies Readonly<Record<string, string>>

const samples: Readonly<Record<string, string>> = formatSamples

const plainText = (
  place: SchemaPlace,
  format: string,
  least: number,
  most: number,
  label: string,
): string => {
  if (digitsOf(format) !== null) return '7'
  const text = samples[format] ?? label.padEnd(least, 'a').slice(0, most)
  if (matchOf(place, text) !== 'part') return text
  // The empty text matches as a whole or not at all: whoever needs a valid text asks the generator then.
  return [asLetters(text), asDigits(text)].find(each => matchOf(place, each) === 'whole') ?? ''
}

const asLetters = (text: string): string => text.replace(/\d/g, digit => 'abcdefghij'.charAt(Number(digit)))
const asDigits = (text: string): string => text.replace(/\D/g, char => String(char.charCodeAt(0) % 10))
