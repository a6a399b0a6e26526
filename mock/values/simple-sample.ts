import { asNode, type DocumentNode, localReference, type Pointer, step, valueAt } from '../../spec/index.ts'
import { hashOf } from '../chance/hash.ts'
import { rangeOf } from './likely/likely-number.ts'
import { textOfPattern } from './pattern-text.ts'

/** The example that a schema has; undefined: none. */
export type ExampleOf = (schema: Pointer) => unknown

/**
 * A value for a schema where Prism cannot make one, as in a browser: examples of the document, else plain words and numbers
 * that suit names and formats. It may be invalid, as schemas can say more than this reads. Equal seeds give equal values.
 */
export const simpleSample = (
  document: DocumentNode,
  schema: Pointer,
  seed: string,
  exampleOf: ExampleOf,
): unknown => sampleOf({ document, exampleOf }, valueAt(document, schema), schema, '', seed, 0)

type Source = { readonly document: DocumentNode; readonly exampleOf: ExampleOf }

/** What is optional below this depth is left out: schemas may refer to each other in circles. */
const deepestOptional = 5
const deepest = 24

const sampleOf = (
  source: Source,
  node: unknown,
  at: Pointer,
  name: string,
  seed: string,
  depth: number,
): unknown => {
  if (depth > deepest) return null
  const example = source.exampleOf(at)
  if (example !== undefined) return example
  const { schema, pointer } = merged(source, node, at, seed, depth)
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[hashOf(seed) % schema.enum.length]
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(source, schema, pointer, seed, depth)
    case 'array':
      return arrayOf(source, schema, pointer, name, seed, depth)
    case 'integer':
    case 'number':
      return numberOf(schema, name, seed)
    case 'boolean':
      return hashOf(seed) % 2 === 0
    case 'string':
      return textOf(schema, name, seed)
    default:
      return null
  }
}

const typeOf = ({ type, properties, items }: DocumentNode): string => {
  const named = [type].flat().find(each => each !== 'null' && each !== undefined) ?? [type].flat()[0]
  return String(named ?? (properties !== undefined ? 'object' : items !== undefined ? 'array' : 'string'))
}

type Merged = { readonly schema: DocumentNode; readonly pointer: Pointer }

/** A schema with what it refers to and combines as one; of alternatives the first. */
const merged = (source: Source, node: unknown, at: Pointer, seed: string, depth: number): Merged => {
  const own = asNode(node)
  const target = typeof own.$ref === 'string' ? localReference(own.$ref) : null
  const parts: Merged[] =
    target === null || depth > deepest
      ? []
      : [merged(source, valueAt(source.document, target), target, seed, depth + 1)]
  for (const keyword of ['allOf', 'oneOf', 'anyOf']) {
    const members = own[keyword]
    if (!Array.isArray(members) || depth > deepest) continue
    const indexes = keyword === 'allOf' ? [...members.keys()] : [alternativeOf(members)]
    for (const index of indexes)
      parts.push(merged(source, members[index], step(step(at, keyword), index), seed, depth + 1))
  }
  return parts.reduce(both, { schema: own, pointer: at })
}

/** The first alternative that is more than null. */
const alternativeOf = (members: readonly unknown[]): number =>
  Math.max(
    0,
    members.findIndex(member => asNode(member).type !== 'null'),
  )

const both = (left: Merged, right: Merged): Merged => {
  const properties = { ...located(left), ...located(right) }
  const required = [left, right].flatMap(({ schema }) =>
    Array.isArray(schema.required) ? schema.required : [],
  )
  return {
    schema: {
      ...right.schema,
      ...left.schema,
      ...(Object.keys(properties).length > 0 ? { properties, type: 'object' } : {}),
      ...(required.length > 0 ? { required: [...new Set(required)] } : {}),
    },
    pointer:
      left.schema.items === undefined && right.schema.items !== undefined ? right.pointer : left.pointer,
  }
}

const place = Symbol('place')

/** The properties of a schema, each with where it stands. */
const located = ({ schema, pointer }: Merged): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(asNode(schema.properties)).map(([name, property]) => [
      name,
      { [place]: step(step(pointer, 'properties'), name), ...asNode(property) },
    ]),
  )

const objectOf = (
  source: Source,
  schema: DocumentNode,
  at: Pointer,
  seed: string,
  depth: number,
): Readonly<Record<string, unknown>> => {
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const entries = Object.entries(located({ schema, pointer: at }))
    .filter(([name]) => required.has(name) || depth < deepestOptional)
    .map(([name, property]) => {
      const where = (property as { readonly [place]?: Pointer })[place] ?? step(step(at, 'properties'), name)
      return [name, sampleOf(source, property, where, name, `${seed}/${name}`, depth + 1)] as const
    })
  return Object.fromEntries(entries)
}

const arrayOf = (
  source: Source,
  schema: DocumentNode,
  at: Pointer,
  name: string,
  seed: string,
  depth: number,
): readonly unknown[] => {
  const least = Number(schema.minItems ?? 0)
  const count = Math.min(
    Math.max(least, depth < deepestOptional ? 2 : 0),
    Number(schema.maxItems ?? least + 2),
  )
  return Array.from({ length: Math.min(count, 100) }, (_, index) =>
    sampleOf(source, schema.items, step(at, 'items'), name, `${seed}/${index}`, depth + 1),
  )
}

const numberOf = (schema: DocumentNode, name: string, seed: string): number => {
  const limit = (keyword: string, otherwise: number): number => Number(schema[keyword] ?? otherwise)
  const unit = limit('multipleOf', 1)
  const above = Number(schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY)
  const below = Number(schema.exclusiveMaximum ?? Number.POSITIVE_INFINITY)
  const least = Math.ceil(Math.max(limit('minimum', Number.NEGATIVE_INFINITY), above + unit) / unit)
  const most = Math.floor(Math.min(limit('maximum', Number.POSITIVE_INFINITY), below - unit) / unit)
  const { min, max } = rangeOf(name)
  const likely = min + (hashOf(seed) % (max - min + 1))
  const inside = Math.max(Math.min(likely, most), least)
  return inside * unit
}

const formats: Readonly<Record<string, (chance: number) => string>> = {
  date: chance => day(chance),
  'date-time': chance => `${day(chance)}T12:${two(chance % 60)}:00Z`,
  time: chance => `12:${two(chance % 60)}:00Z`,
  duration: () => 'P1D',
  email: chance => `${wordOf(chance)}@example.com`,
  hostname: chance => `${wordOf(chance)}.example.com`,
  ipv4: chance => `192.0.2.${1 + (chance % 250)}`,
  ipv6: () => '2001:db8::1',
  uri: chance => `https://example.com/${wordOf(chance)}`,
  url: chance => `https://example.com/${wordOf(chance)}`,
  'uri-reference': chance => `/${wordOf(chance)}`,
  uuid: chance => `00000000-0000-4000-8000-${(chance % 2 ** 48).toString(16).padStart(12, '0')}`,
  byte: () => 'YWJj',
}

const two = (value: number): string => String(value).padStart(2, '0')
const day = (chance: number): string =>
  `20${two(15 + (chance % 10))}-${two(1 + (chance % 12))}-${two(1 + (chance % 28))}`

const words =
  'alder amber birch cedar clover coral delta ember fern harbor hazel ivory juniper linden maple meadow north olive opal pine quartz river sage slate spruce stone summit thistle timber willow'.split(
    ' ',
  )

const wordOf = (chance: number): string => words[chance % words.length] as string

const textOf = (
  { format, pattern, minLength = 0, maxLength = 200 }: DocumentNode,
  _name: string,
  seed: string,
): string => {
  const chance = hashOf(seed)
  if (typeof pattern === 'string') return textOfPattern(pattern, chance) ?? wordOf(chance)
  const known = typeof format === 'string' ? formats[format] : undefined
  if (known !== undefined) return known(chance)
  const text = `${wordOf(chance)} ${wordOf(hashOf(seed, 1))}`
  return text.padEnd(Number(minLength), ' and so on').slice(0, Number(maxLength))
}

/** Keywords by which a schema says itself which other properties there are, or how many. */
const aboutOthers = ['patternProperties', 'propertyNames', 'minProperties', 'unevaluatedProperties']

/**
 * A schema of an object without room for properties that it does not declare: Prism gives those names of its own
 * (`velit__50`). Maps, which declare no properties, stay as they are.
 */
export const closedObject = (schema: DocumentNode): DocumentNode => {
  const names = Object.keys(asNode(schema.properties))
  const { additionalProperties = true, required = [] } = schema
  const isAnything = additionalProperties === true || Object.keys(asNode(additionalProperties)).length === 0
  const isOpen =
    names.length > 0 &&
    isAnything &&
    aboutOthers.every(keyword => !Object.hasOwn(schema, keyword)) &&
    (required as readonly string[]).every(name => names.includes(name))
  return isOpen ? { ...schema, additionalProperties: false } : schema
}
