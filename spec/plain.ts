import { type Json, type JsonObject, rawNumber } from './json.ts'
import type { SchemaPlace } from './places.ts'
import { type Pointer, steps } from './pointer.ts'

/**
 * The plainest value of a place: required properties only, short ASCII strings, small numbers; with what lies on the
 * way to the pattern `toward`. Not proven valid: schemas may ask for more than this looks at.
 */
export const plainValue = (place: SchemaPlace, toward: Pointer | null = null, label = 'a'): Json => {
  const asked = (keyword: string): unknown => place.keywords.find(use => use.keyword === keyword)?.value
  if (asked('const') !== undefined) return asked('const') as Json
  const members = asked('enum')
  if (Array.isArray(members) && members.length > 0) return members[turnOf(label) % members.length] as Json
  switch (place.types?.find(type => type !== 'null') ?? impliedType(place)) {
    case 'object':
      return plainObject(place, toward, label)
    case 'array':
      return plainArray(place, toward, label, Number(asked('minItems') ?? 0))
    case 'string':
      return plainText(
        String(asked('format') ?? ''),
        Number(asked('minLength') ?? 0),
        Number(asked('maxLength') ?? 1000),
        label,
      )
    case 'integer':
    case 'number':
      return plainNumber(asked)
    case 'boolean':
      return turnOf(label) % 2 === 0
    default:
      return null
  }
}

/** Where there are only a few values, they take turns from label to label: none of them is in every request. */
const turnOf = (label: string): number => [...label].reduce((sum, char) => sum + char.charCodeAt(0), 0)

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

const plainObject = (place: SchemaPlace, toward: Pointer | null, label: string): JsonObject =>
  Object.fromEntries(
    place.children
      .filter(child => isToward(child, toward) || place.required.includes(nameOf(child)))
      .map(child => [nameOf(child), plainValue(child, toward, label)]),
  )

const plainArray = (place: SchemaPlace, toward: Pointer | null, label: string, least: number): Json => {
  const item = place.children.find(child => nameOf(child) === '*')
  const count = Math.max(least, item !== undefined && isToward(item, toward) ? 1 : 0)
  return Array.from({ length: count }, (_, index) =>
    item === undefined ? null : plainValue(item, toward, `${label}${index}`),
  )
}

const plainNumber = (asked: (keyword: string) => unknown): Json => {
  const least = Number(asked('minimum') ?? Number.NEGATIVE_INFINITY)
  const above = Number(asked('exclusiveMinimum') ?? Number.NEGATIVE_INFINITY)
  const most = Math.min(
    Number(asked('maximum') ?? Number.POSITIVE_INFINITY),
    Number(asked('exclusiveMaximum') ?? Number.POSITIVE_INFINITY) - 1,
  )
  const step = Number(asked('multipleOf') ?? 1)
  // Nobody's edge: an edge that is refused is to be told from a request that is.
  const wanted = Math.min(Math.max(7, least, above + 1), most)
  return rawNumber(String(step === 1 ? Math.ceil(wanted) : Math.ceil(wanted / step) * step))
}

const samples: Readonly<Record<string, string>> = {
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
}

const plainText = (format: string, least: number, most: number, label: string): string =>
  samples[format] ?? label.padEnd(least, 'a').slice(0, most)
