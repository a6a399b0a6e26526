/**
 * The schemas of a document as they hold for requests, and for responses. A property with `readOnly` is not sent in a request, and one
 * with `writeOnly` need not come in a response, whatever `required` says (OpenAPI 3.0.3, 3.1.0 by JSON Schema's annotations).
 */
import { type DocumentNode, follow, isNode } from '../json/follow-refs.ts'
import { localReference } from '../json/pointer.ts'
import { mapSchemas, type SchemaNode } from './map-schemas.ts'

type Mark = 'readOnly' | 'writeOnly'

export const forRequests = (document: DocumentNode): DocumentNode => without(document, 'readOnly')
export const forResponses = (document: DocumentNode): DocumentNode => without(document, 'writeOnly')

const without = (document: DocumentNode, mark: Mark): DocumentNode => {
  const known = new Map<SchemaNode, ReadonlySet<string>>()
  const namesIn = (schema: unknown): ReadonlySet<string> => markedNames(document, schema, mark, known)
  return mapSchemas(document, (changed, original) => {
    const names = namesIn(original)
    if (names.size === 0) return changed
    const rest = withoutRequired(changed, names)
    const { properties } = original
    if (!isNode(properties)) return rest
    const own = Object.keys(properties).filter(name => isMarked(document, properties[name], mark))
    if (own.length === 0) return rest
    const left = { ...rest, properties: omit(rest.properties as SchemaNode, own) }
    return mark === 'writeOnly' && isClosed(changed)
      ? withPatterns(left, rest.properties as SchemaNode, own)
      : left
  })
}

const isMarked = (document: DocumentNode, schema: unknown, mark: Mark): boolean => {
  const target = resolved(document, schema)
  return isNode(schema) && (schema[mark] === true || (target !== null && target[mark] === true))
}

const resolved = (document: DocumentNode, schema: unknown): SchemaNode | null => {
  if (!isNode(schema)) return null
  const { $ref } = schema
  if (typeof $ref !== 'string') return schema
  const pointer = localReference($ref)
  return pointer === null ? null : follow(document, pointer).node
}

/** The names of marked properties of a schema, and of those that it is made of. */
const markedNames = (
  document: DocumentNode,
  schema: unknown,
  mark: Mark,
  known: Map<SchemaNode, ReadonlySet<string>>,
): ReadonlySet<string> => {
  if (!isNode(schema)) return new Set()
  const before = known.get(schema)
  if (before !== undefined) return before
  const names = new Set<string>()
  // Schemas may refer to each other in a circle.
  known.set(schema, names)
  const { properties, allOf, $ref } = schema
  if (isNode(properties))
    for (const [name, property] of Object.entries(properties))
      if (isMarked(document, property, mark)) names.add(name)
  const parts = [
    ...(Array.isArray(allOf) ? allOf : []),
    ...($ref === undefined ? [] : [resolved(document, schema)]),
  ]
  for (const part of parts) for (const name of markedNames(document, part, mark, known)) names.add(name)
  return names
}

const omit = (properties: SchemaNode, names: readonly string[]): SchemaNode =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)))

/** A schema that does not require these properties, nor do the parts that it is made of. */
const withoutRequired = (schema: SchemaNode, names: ReadonlySet<string>): SchemaNode => {
  const { required, allOf } = schema
  const left = Array.isArray(required) ? required.filter(name => !names.has(name)) : []
  const parts = Array.isArray(allOf)
    ? allOf.map(part => (isNode(part) && part.$ref === undefined ? withoutRequired(part, names) : part))
    : []
  const isSame =
    (!Array.isArray(required) || left.length === required.length) &&
    (!Array.isArray(allOf) || parts.every((part, index) => part === allOf[index]))
  if (isSame) return schema
  const { required: _, ...rest } = schema
  return {
    ...rest,
    ...(left.length === 0 ? {} : { required: left }),
    ...(Array.isArray(allOf) ? { allOf: parts } : {}),
  }
}

/** The schema with these properties as patterns: whoever makes values by `properties` does not make them, and they are allowed all the same. */
const withPatterns = (schema: SchemaNode, properties: SchemaNode, names: readonly string[]): SchemaNode => ({
  ...schema,
  patternProperties: {
    ...(isNode(schema.patternProperties) ? schema.patternProperties : {}),
    ...Object.fromEntries(names.map(name => [`^${escaped(name)}$`, properties[name]])),
  },
})

const escaped = (name: string): string => name.replace(/[$()*+.?[\\\]^{|}/-]/g, '\\$&')

// A server that sends such a property all the same does not break the contract: it only should not.
const isClosed = ({ additionalProperties, unevaluatedProperties }: SchemaNode): boolean =>
  additionalProperties === false || unevaluatedProperties === false
