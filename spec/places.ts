import { asNode, follow } from './contract.ts'
import { type Pointer, step, steps, valueAt } from './pointer.ts'
import type { Schema } from './schema.ts'

type Node = Readonly<Record<string, unknown>>

export type KeywordUse = { readonly keyword: string; readonly value: unknown; readonly pointer: Pointer }

export type TypeName = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object'

/** One place of the values that a schema describes, with all that is said of it through `$ref` and `allOf`. */
export type SchemaPlace = {
  /** The place in the value: `''` the value itself, `/id` a property, `/tags/*` each item (or other property). */
  readonly pattern: Pointer
  /** Subschemas that all apply there. */
  readonly schemas: readonly Pointer[]
  readonly keywords: readonly KeywordUse[]
  /** The types allowed there; null where the schema does not say. */
  readonly types: readonly TypeName[] | null
  /** Names of declared properties. */
  readonly properties: readonly string[]
  readonly required: readonly string[]
  readonly children: readonly SchemaPlace[]
}

const maxDepth = 8

/** The tree of places below a schema; recursive schemas are followed once around. */
export const placesOf = (document: Node, schema: Pointer): SchemaPlace => placeAt(document, '', [schema], [])

/** The tree as a list, parents first. */
export const listPlaces = (root: SchemaPlace): readonly SchemaPlace[] => [
  root,
  ...root.children.flatMap(listPlaces),
]

/** The place that a pointer into a value belongs to; null where the schema says nothing of it. */
export const placeOf = (root: SchemaPlace, at: Pointer): SchemaPlace | null => {
  let place: SchemaPlace | null = root
  for (const name of steps(at)) {
    const parent: SchemaPlace = place
    place =
      parent.children.find(child => child.pattern === step(parent.pattern, name)) ??
      parent.children.find(child => child.pattern === `${parent.pattern}/*`) ??
      null
    if (place === null) return null
  }
  return place
}

const placeAt = (
  document: Node,
  pattern: Pointer,
  starts: readonly Pointer[],
  ancestors: readonly string[],
): SchemaPlace => {
  const schemas = [...new Set(starts.flatMap(start => flatten(document, start, [])))]
  const keywords = unique(
    schemas.flatMap(pointer =>
      Object.entries(asNode(valueAt(document, pointer)))
        .filter(([keyword]) => keyword !== '$ref' && keyword !== 'allOf')
        .map(([keyword, value]) => ({ keyword, value, pointer: step(pointer, keyword) })),
    ),
  )
  const properties = new Map<string, Pointer[]>()
  const items: Pointer[] = []
  const required = new Set<string>()
  for (const pointer of schemas) {
    const node = asNode(valueAt(document, pointer))
    for (const name of Object.keys(asNode(node.properties)))
      properties.set(name, [...(properties.get(name) ?? []), step(step(pointer, 'properties'), name)])
    if (isSchema(node.items)) items.push(step(pointer, 'items'))
    if (isSchema(node.additionalProperties)) items.push(step(pointer, 'additionalProperties'))
    for (const name of Array.isArray(node.required) ? node.required : []) required.add(String(name))
  }
  const key = schemas.join(' ')
  const repeats = ancestors.filter(ancestor => ancestor === key).length
  const deeper = repeats > 0 || ancestors.length >= maxDepth ? [] : [...ancestors, key]
  const child = (name: string, pointers: readonly Pointer[]): SchemaPlace =>
    placeAt(document, name === '*' ? `${pattern}/*` : step(pattern, name), pointers, deeper)
  const open = deeper.length > 0
  return {
    pattern,
    schemas,
    keywords,
    types: typesOf(keywords),
    properties: [...properties.keys()],
    required: [...required],
    children: open
      ? [
          ...[...properties].map(([name, pointers]) => child(name, pointers)),
          ...(items.length > 0 ? [child('*', items)] : []),
        ]
      : [],
  }
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// All schemas that hold for the same value: the one given, the target of its `$ref`, the members of its `allOf`.
const flatten = (document: Node, pointer: Pointer, seen: readonly Pointer[]): readonly Pointer[] => {
  if (seen.includes(pointer)) return []
  const node = asNode(valueAt(document, pointer))
  const path = [...seen, pointer]
  const target = typeof node.$ref === 'string' ? follow(document, pointer).pointer : null
  const members = Array.isArray(node.allOf)
    ? [...node.allOf.keys()].map(index => step(step(pointer, 'allOf'), index))
    : []
  return [
    pointer,
    ...[...(target === null ? [] : [target]), ...members].flatMap(at => flatten(document, at, path)),
  ]
}

const typesOf = (keywords: readonly KeywordUse[]): readonly TypeName[] | null => {
  const lists = keywords
    .filter(({ keyword }) => keyword === 'type')
    .map(({ value }) => (Array.isArray(value) ? value : [value]) as readonly TypeName[])
  const [first, ...others] = lists
  if (first === undefined) return null
  return others.reduce<readonly TypeName[]>(
    (left, right) => [
      ...left.filter(type => right.includes(type) || (type === 'integer' && right.includes('number'))),
      ...right.filter(type => type === 'integer' && left.includes('number') && !left.includes('integer')),
    ],
    first,
  )
}

// `type: object` said by two members of an allOf is one promise.
const unique = (uses: readonly KeywordUse[]): readonly KeywordUse[] => [
  ...new Map(uses.map(use => [`${use.keyword} ${JSON.stringify(use.value)}`, use])).values(),
]
