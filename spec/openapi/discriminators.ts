/**
 * Schemas with a `discriminator` as JSON Schema: what it says of the values of its property is put where validators and generators
 * find it (OpenAPI 3.0 and 3.1, 4.8.25).
 */
import { type DocumentNode, follow } from '../json/follow-refs.ts'
import { localReference, steps, valueAt } from '../json/pointer.ts'
import { isNode, mapSchemas, type SchemaNode } from './map-schemas.ts'

export const withDiscriminators = (document: DocumentNode): DocumentNode => {
  const components = valueAt(document, '/components/schemas')
  const schemas = isNode(components) ? components : {}
  const bases = basesOf(document, schemas)
  const changed = mapSchemas(document, schema => withAlternatives(document, schema))
  if (bases.length === 0) return changed
  const own = valueAt(changed, '/components/schemas') as SchemaNode
  const { components: others } = changed
  return {
    ...changed,
    components: { ...(others as SchemaNode), schemas: withChildren(own, bases) },
  }
}

type Discriminator = { readonly property: string; readonly mapping: Readonly<Record<string, string>> }

const discriminatorOf = ({ discriminator }: SchemaNode): Discriminator | null => {
  if (!isNode(discriminator) || typeof discriminator.propertyName !== 'string') return null
  const mapping = isNode(discriminator.mapping) ? discriminator.mapping : {}
  return {
    property: discriminator.propertyName,
    mapping: Object.fromEntries(
      Object.entries(mapping).flatMap(([value, target]) =>
        typeof target === 'string' ? [[value, target]] : [],
      ),
    ),
  }
}

const nameOf = (reference: string): string =>
  steps(localReference(reference) ?? `/${reference}`).at(-1) ?? reference

/** The values that stand for a schema: those that are mapped to it, or else its name. */
const valuesFor = ({ mapping }: Discriminator, name: string): readonly string[] => {
  const mapped = Object.entries(mapping).flatMap(([value, target]) =>
    nameOf(target) === name ? [value] : [],
  )
  return mapped.length > 0 ? mapped : [name]
}

/** Each alternative has the values that stand for it, so that no value fits two by chance. */
const withAlternatives = (document: DocumentNode, schema: SchemaNode): SchemaNode => {
  const discriminator = discriminatorOf(schema)
  if (discriminator === null) return schema
  const { oneOf, anyOf, additionalProperties } = schema
  const alternatives = [oneOf, anyOf].find(Array.isArray)
  if (alternatives === undefined) return schema
  const all = alternatives.map(alternative => valuesOfAlternative(document, discriminator, alternative))
  const { property } = discriminator
  const constrained = {
    ...schema,
    [oneOf === alternatives ? 'oneOf' : 'anyOf']: alternatives.map((alternative, index) =>
      isReference(alternative)
        ? { allOf: [alternative, withValues(property, all[index] ?? null)] }
        : alternative,
    ),
  }
  // The alternatives say all there is to say of the property.
  return all.includes(null) || additionalProperties === false
    ? constrained
    : withoutProperty(constrained, property)
}

const withoutProperty = ({ properties, required, ...rest }: SchemaNode, name: string): SchemaNode => ({
  ...rest,
  ...(isNode(properties)
    ? { properties: Object.fromEntries(Object.entries(properties).filter(([key]) => key !== name)) }
    : {}),
  ...(Array.isArray(required) ? { required: required.filter(key => key !== name) } : {}),
})

/** Whether a value fits one of these alternatives at most, because the values that select them differ. */
export const areDisjoint = (alternatives: readonly unknown[]): boolean => {
  const values = alternatives.map(selectingValues)
  const all = values.flatMap(each => each ?? [])
  return !values.includes(null) && new Set(all).size === all.length
}

const selectingValues = (alternative: unknown): readonly unknown[] | null => {
  const last = isNode(alternative) && Array.isArray(alternative.allOf) ? alternative.allOf.at(-1) : undefined
  const [value] = isNode(last) && isNode(last.properties) ? Object.values(last.properties) : []
  return isNode(value) && Array.isArray(value.enum) ? value.enum : null
}

const isReference = (schema: unknown): schema is { readonly $ref: string } =>
  isNode(schema) && typeof schema.$ref === 'string'

/** The values that select an alternative; null if it says itself which values its property may have, or refers to no schema. */
const valuesOfAlternative = (
  document: DocumentNode,
  discriminator: Discriminator,
  alternative: unknown,
): readonly string[] | null => {
  if (!isReference(alternative)) return null
  const target = targetOf(document, alternative.$ref)
  return target === null || isListed(document, target, discriminator.property)
    ? null
    : valuesFor(discriminator, nameOf(alternative.$ref))
}

const withValues = (property: string, values: readonly string[] | null): SchemaNode => ({
  required: [property],
  ...(values === null ? {} : { properties: { [property]: { enum: values } } }),
})

/** Whether a schema says itself which values its property may have. */
const isListed = (document: DocumentNode, schema: SchemaNode, property: string, depth = 0): boolean => {
  if (depth > maxDepth) return false
  const { properties, allOf } = schema
  const place = isNode(properties) ? properties[property] : undefined
  const target = isNode(place) && typeof place.$ref === 'string' ? targetOf(document, place.$ref) : place
  if (isNode(target) && ('const' in target || 'enum' in target)) return true
  return (Array.isArray(allOf) ? allOf : []).some(part => {
    const node = isNode(part) && typeof part.$ref === 'string' ? targetOf(document, part.$ref) : part
    return isNode(node) && isListed(document, node, property, depth + 1)
  })
}

const maxDepth = 8

const targetOf = (document: DocumentNode, reference: string): SchemaNode | null => {
  const pointer = localReference(reference)
  return pointer === null ? null : follow(document, pointer).node
}

/** A schema that others extend by `allOf`, and the schemas that do, directly or not. */
type Base = {
  readonly name: string
  readonly discriminator: Discriminator
  readonly children: ReadonlyMap<string, readonly string[]>
}

const basesOf = (document: DocumentNode, schemas: SchemaNode): readonly Base[] => {
  const marked = Object.entries(schemas).flatMap(([name, schema]) => {
    const discriminator = isNode(schema) ? discriminatorOf(schema) : null
    if (discriminator === null || !isNode(schema) || schema.oneOf !== undefined || schema.anyOf !== undefined)
      return []
    // Its values have names of their own, and nothing says which belongs to which schema.
    const isUnclear =
      Object.keys(discriminator.mapping).length === 0 && isListed(document, schema, discriminator.property)
    return isUnclear ? [] : [{ name, discriminator }]
  })
  if (marked.length === 0) return []
  const parents = new Map(Object.entries(schemas).map(([name, schema]) => [name, parentsOf(schema)]))
  const lineOf = (name: string, base: string, seen: readonly string[] = []): readonly string[] | null => {
    if (seen.includes(name)) return null
    for (const parent of parents.get(name) ?? []) {
      if (parent === base) return [name]
      const line = lineOf(parent, base, [...seen, name])
      if (line !== null) return [name, ...line]
    }
    return null
  }
  return marked.flatMap(({ name: base, discriminator }) => {
    const children = new Map(
      Object.keys(schemas).flatMap(name => {
        const line = lineOf(name, base)
        return line === null ? [] : [[name, line] as const]
      }),
    )
    return children.size === 0 ? [] : [{ name: base, discriminator, children }]
  })
}

const parentsOf = (schema: unknown): readonly string[] =>
  isNode(schema) && Array.isArray(schema.allOf)
    ? schema.allOf.flatMap(part =>
        isNode(part) && typeof part.$ref === 'string' && /^#\/components\/schemas\/[^/]+$/.test(part.$ref)
          ? [nameOf(part.$ref)]
          : [],
      )
    : []

const withChildren = (schemas: SchemaNode, bases: readonly Base[]): SchemaNode => {
  const all: Record<string, unknown> = { ...schemas }
  for (const { name: base, discriminator, children } of bases) {
    const { property } = discriminator
    const lines = [...children]
    const valuesOf = (name: string): readonly string[] =>
      lines.flatMap(([child, line]) => (line.includes(name) ? valuesFor(discriminator, child) : []))
    for (const name of children.keys())
      all[name] = extended(all[name], [withValues(property, valuesOf(name))])
    const known = [
      ...new Set([
        ...Object.keys(discriminator.mapping),
        ...lines.flatMap(([name]) => valuesFor(discriminator, name)),
      ]),
    ]
    all[base] = extended(all[base], [
      withValues(property, known),
      ...lines.map(([name, line]) => ({
        if: withValues(property, valuesFor(discriminator, name)),
        // Their parts without the base, which would refer back to itself.
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { allOf: line.flatMap(each => partsOf(schemas, each, [base, ...line])) },
      })),
    ])
  }
  return all
}

const extended = (schema: unknown, parts: readonly SchemaNode[]): unknown =>
  isNode(schema)
    ? { ...schema, allOf: [...(Array.isArray(schema.allOf) ? schema.allOf : []), ...parts] }
    : schema

/** What a schema adds to those that it extends. */
const partsOf = (schemas: SchemaNode, name: string, line: readonly string[]): readonly SchemaNode[] => {
  const schema = schemas[name]
  if (!isNode(schema)) return []
  const { allOf, discriminator: _, ...rest } = schema
  const at = `#/components/schemas/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}/allOf`
  const parts = Array.isArray(allOf) ? allOf : []
  return [
    ...(Object.keys(rest).length === 0 ? [] : [rest]),
    ...parts.flatMap((part, index) =>
      isNode(part) && typeof part.$ref === 'string' && line.includes(nameOf(part.$ref))
        ? []
        : [{ $ref: `${at}/${index}` }],
    ),
  ]
}
