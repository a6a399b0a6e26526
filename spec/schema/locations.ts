import { asNode, type DocumentNode, follow } from '../json/follow-refs.ts'
import { type Json, typeOf } from '../json/json.ts'
import { type Pointer, parentOf, step, steps, valueAt } from '../json/pointer.ts'
import type { Schema } from './validator.ts'

export type KeywordUse = { readonly keyword: string; readonly value: unknown; readonly pointer: Pointer }

export type TypeName = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object'

/** A place in the values that a schema describes, with all its constraints, also those behind `$ref` and `allOf`. */
export type SchemaPlace = {
  /**
   * The place in the value: `''` for the value itself, `/id` for a property, `/tags/*` for each item or additional property, `/pair/0` for
   * the first item of a list that has `prefixItems`, where `/pair/*` are those after them.
   */
  readonly pattern: Pointer
  /** The subschemas that apply, all of them at once. */
  readonly schemas: readonly Pointer[]
  readonly keywords: readonly KeywordUse[]
  /** The allowed types; null if the schema does not say. */
  readonly types: readonly TypeName[] | null
  /** The types that a text may be parsed as: `types`, or those of alternatives and listed values. */
  readonly readAs: readonly TypeName[] | null
  /** Names of declared properties. */
  readonly properties: readonly string[]
  readonly required: readonly string[]
  /** The number of items that have a place of their own, by `prefixItems`. */
  readonly prefix: number
  readonly children: readonly SchemaPlace[]
}

const maxDepth = 8
const maxPlaces = 1000

/**
 * The tree of places below a schema; recursion is followed once. Schemas that all refer to each other would make trees that
 * are endless in practice: these are cut at the depth where they still have a readable size.
 */
export const placesOf = (document: DocumentNode, schema: Pointer): SchemaPlace => {
  const trees = known.get(document) ?? new Map<Pointer, SchemaPlace>()
  known.set(document, trees)
  const start = sharedSchema(document, schema)
  const tree = trees.get(start) ?? placeOfAll(document, '', [start])
  trees.set(start, tree)
  return tree
}

/** The schema that a schema refers to, if it does nothing else: then all who refer to it have one tree. */
const sharedSchema = (document: DocumentNode, schema: Pointer): Pointer => {
  const { $ref, ...others } = asNode(valueAt(document, schema))
  return typeof $ref === 'string' && Object.keys(others).length === 0
    ? follow(document, schema).pointer
    : schema
}

// The mock needs one for every response.
const known = new WeakMap<DocumentNode, Map<Pointer, SchemaPlace>>()

/** The tree of places below schemas that all hold for a value. */
export const placeOfAll = (
  document: DocumentNode,
  pattern: Pointer,
  schemas: readonly Pointer[],
): SchemaPlace => {
  for (let depth = maxDepth; depth > 1; depth--) {
    const budget = { left: maxPlaces }
    const root = placeAt(document, pattern, schemas, [], depth, budget)
    if (budget.left >= 0) return root
  }
  return placeAt(document, pattern, schemas, [], 1, { left: Number.POSITIVE_INFINITY })
}

/** The tree as a list, parents first. */
export const listPlaces = (root: SchemaPlace): readonly SchemaPlace[] => [
  root,
  ...root.children.flatMap(listPlaces),
]

/** The place for a pointer into a value; null if the schema does not describe it. */
export const placeOf = (root: SchemaPlace, at: Pointer): SchemaPlace | null => {
  let place: SchemaPlace | null = root
  for (const name of steps(at)) {
    place = childPlace(place, name)
    if (place === null) return null
  }
  return place
}

/** The place of a member of a value: of a property by its name, of an item by its index, or of all others. */
export const childPlace = (place: SchemaPlace, name: string): SchemaPlace | null =>
  propertyPlace(place, name) ?? itemPlace(place)

/** The place of a declared property. */
export const propertyPlace = (place: SchemaPlace, name: string): SchemaPlace | null =>
  childrenOf(place).get(name) ?? null

/** The place of items, or of properties that are not declared. */
export const itemPlace = (place: SchemaPlace): SchemaPlace | null => childrenOf(place).get('*') ?? null

/** The children of a place by their names: an object may have thousands of properties. */
const childrenOf = (place: SchemaPlace): ReadonlyMap<string, SchemaPlace> => {
  const known = byName.get(place)
  if (known !== undefined) return known
  const found = new Map(place.children.map(child => [steps(child.pattern).at(-1) ?? '', child]))
  byName.set(place, found)
  return found
}

const byName = new WeakMap<SchemaPlace, ReadonlyMap<string, SchemaPlace>>()

/** The nearest place with `dependentSchemas` at or above a pointer into a value; null if there is none. */
export const dependentPlace = (root: SchemaPlace, at: Pointer): SchemaPlace | null => {
  const place = placeOf(root, at)
  if (place?.keywords.some(({ keyword }) => keyword === 'dependentSchemas')) return place
  return at === '' ? null : dependentPlace(root, parentOf(at))
}

/** The document that the pointers of a place point into. */
export const documentOf = (place: SchemaPlace): DocumentNode => documents.get(place) ?? {}

const documents = new WeakMap<SchemaPlace, DocumentNode>()

const placeAt = (
  document: DocumentNode,
  pattern: Pointer,
  starts: readonly Pointer[],
  ancestors: readonly string[],
  depth: number,
  budget: { left: number },
): SchemaPlace => {
  budget.left -= 1
  const schemas = [...new Set(starts.flatMap(start => flatten(document, start, [])))]
  const keywords = keywordsOf(document, schemas)
  const properties = new Map<string, Pointer[]>()
  const items: Pointer[] = []
  const prefix: Pointer[][] = []
  const required = new Set<string>()
  for (const pointer of schemas) {
    const node = asNode(valueAt(document, pointer))
    for (const name of Object.keys(asNode(node.properties)))
      properties.set(name, [...(properties.get(name) ?? []), step(step(pointer, 'properties'), name)])
    for (const index of Array.isArray(node.prefixItems) ? node.prefixItems.keys() : [])
      prefix[index] = [...(prefix[index] ?? []), step(step(pointer, 'prefixItems'), index)]
    if (isSchema(node.items)) items.push(step(pointer, 'items'))
    if (isSchema(node.additionalProperties)) items.push(step(pointer, 'additionalProperties'))
    for (const name of Array.isArray(node.required) ? node.required : []) required.add(String(name))
  }
  const key = schemas.join(' ')
  const repeats = ancestors.filter(ancestor => ancestor === key).length
  const deeper = repeats > 0 || ancestors.length >= depth || budget.left < 0 ? [] : [...ancestors, key]
  const child = (name: string, pointers: readonly Pointer[]): SchemaPlace =>
    placeAt(document, name === '*' ? `${pattern}/*` : step(pattern, name), pointers, deeper, depth, budget)
  const open = deeper.length > 0
  const types = typesOf(keywords)
  const place: SchemaPlace = {
    pattern,
    schemas,
    keywords,
    types,
    readAs: types ?? impliedTypes(document, keywords),
    properties: [...properties.keys()],
    required: [...required],
    prefix: prefix.length,
    children: open
      ? [
          // A tree that is too large is thrown away.
          ...[...properties].flatMap(([name, pointers]) => (budget.left < 0 ? [] : [child(name, pointers)])),
          ...prefix.flatMap((pointers, index) => (budget.left < 0 ? [] : [child(String(index), pointers)])),
          ...(items.length > 0 ? [child('*', items)] : []),
        ]
      : [],
  }
  documents.set(place, document)
  return place
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// All schemas that apply to the same value: the given one, the target of its `$ref`, the members of its `allOf`.
const flatten = (
  document: DocumentNode,
  pointer: Pointer,
  visited: readonly Pointer[],
): readonly Pointer[] => {
  if (visited.includes(pointer)) return []
  const node = asNode(valueAt(document, pointer))
  const path = [...visited, pointer]
  const target = typeof node.$ref === 'string' ? follow(document, pointer).pointer : null
  const members = Array.isArray(node.allOf)
    ? [...node.allOf.keys()].map(index => step(step(pointer, 'allOf'), index))
    : []
  return [
    pointer,
    ...[...(target === null ? [] : [target]), ...members].flatMap(at => flatten(document, at, path)),
  ]
}

const keywordsOf = (document: DocumentNode, schemas: readonly Pointer[]): readonly KeywordUse[] =>
  unique(
    schemas.flatMap(pointer =>
      Object.entries(asNode(valueAt(document, pointer)))
        .filter(([keyword]) => keyword !== '$ref' && keyword !== 'allOf')
        .map(([keyword, value]) => ({ keyword, value, pointer: step(pointer, keyword) })),
    ),
  )

/** The types of the branches of `anyOf` and `oneOf`, or of the values of `enum` and `const`; null if there are none. */
const impliedTypes = (
  document: DocumentNode,
  keywords: readonly KeywordUse[],
): readonly TypeName[] | null => {
  const types = keywords.flatMap(({ keyword, value, pointer }): readonly TypeName[] => {
    if (keyword === 'const') return [typeOf(value as Json)]
    if (keyword === 'enum') return (value as readonly Json[]).map(typeOf)
    if (keyword !== 'anyOf' && keyword !== 'oneOf') return []
    return [...(value as readonly unknown[]).keys()].flatMap(index => {
      const branch = keywordsOf(document, flatten(document, step(pointer, index), []))
      const listed = branch.filter(use => use.keyword === 'const' || use.keyword === 'enum')
      return typesOf(branch) ?? impliedTypes(document, listed) ?? ['string']
    })
  })
  return types.length === 0 ? null : [...new Set(types)]
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

// `type: object` in two members of an `allOf` is one requirement.
const unique = (uses: readonly KeywordUse[]): readonly KeywordUse[] => [
  ...new Map(uses.map(use => [`${use.keyword} ${JSON.stringify(use.value)}`, use])).values(),
]
