import { type DocumentNode, isNode } from '../json/follow-refs.ts'

export type SchemaNode = Readonly<Record<string, unknown>>

/** Gives a schema in place of another one. `changed`: its subschemas are changed already; `original`: nothing is. */
export type SchemaChange = (changed: SchemaNode, original: SchemaNode) => SchemaNode

/** The document with every schema changed; the same object, and the same parts, where nothing changes. */
export const mapSchemas = (document: DocumentNode, change: SchemaChange): DocumentNode =>
  objectWith(document, '', change)

/** Fields of OpenAPI objects whose names the author has chosen: a response may be called `schema`. */
const maps = new Set([
  'paths',
  'responses',
  'parameters',
  'requestBodies',
  'headers',
  'callbacks',
  'content',
  'encoding',
  'pathItems',
])

const objectWith = (node: DocumentNode, key: string, change: SchemaChange): DocumentNode =>
  mapValues(node, (child, name) => {
    if (maps.has(key)) return isNode(child) ? objectWith(child, '', change) : child
    if (name === 'example' || name === 'examples' || name.startsWith('x-')) return child
    if (name === 'schema' || name === 'itemSchema') return schemaWith(child, change)
    if (name === 'schemas' && isNode(child)) return mapValues(child, schema => schemaWith(schema, change))
    if (Array.isArray(child))
      return mapItems(child, item => (isNode(item) ? objectWith(item, '', change) : item))
    return isNode(child) ? objectWith(child, name, change) : child
  })

const single = new Set([
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
])
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const named = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'])

const schemaWith = (schema: unknown, change: SchemaChange): unknown => {
  if (!isNode(schema)) return schema
  const changed = mapValues(schema, (child, key) => {
    if (single.has(key)) return schemaWith(child, change)
    if (lists.has(key) && Array.isArray(child)) return mapItems(child, item => schemaWith(item, change))
    return named.has(key) && isNode(child) ? mapValues(child, each => schemaWith(each, change)) : child
  })
  return change(changed, schema)
}

const mapValues = (
  node: SchemaNode,
  change: (value: unknown, key: string) => unknown,
): Readonly<Record<string, unknown>> => {
  let copy: Record<string, unknown> | null = null
  for (const [key, value] of Object.entries(node)) {
    const changed = change(value, key)
    if (changed === value) continue
    copy ??= { ...node }
    copy[key] = changed
  }
  return copy ?? node
}

const mapItems = (items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] => {
  const changed = items.map(change)
  return changed.some((item, index) => item !== items[index]) ? changed : items
}
