import { asNode, type DocumentNode, follow, isNode } from '../../json/follow-refs.ts'
import { localReference, step, steps, valueAt } from '../../json/pointer.ts'
import type { SchemaNode } from '../map-schemas.ts'

/** A schema that others extend by `allOf`, and the schemas that do, directly or not. */
export type Base = {
  readonly name: string
  readonly discriminator: Discriminator
  readonly children: ReadonlyMap<string, readonly string[]>
}

export const basesOf = (document: DocumentNode, schemas: SchemaNode): readonly Base[] => {
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

export const withChildren = (schemas: SchemaNode, bases: readonly Base[]): SchemaNode => {
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
      ...lines.flatMap(([name]) => {
        // Their parts without the base, which would refer back to itself.
        const parts = partsOf(schemas, name, base, new Set(children.keys()))
        return parts.some(part => leadsTo(base, part, schemas))
          ? []
          : // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
            [{ if: withValues(property, valuesFor(discriminator, name)), then: { allOf: parts } }]
      }),
    ])
  }
  return all
}

const extended = (schema: unknown, parts: readonly SchemaNode[]): unknown =>
  isNode(schema)
    ? { ...schema, allOf: [...(Array.isArray(schema.allOf) ? schema.allOf : []), ...parts] }
    : schema

/** What a schema and those between it and the base add to the base. */
const partsOf = (
  schemas: SchemaNode,
  name: string,
  base: string,
  children: ReadonlySet<string>,
): readonly SchemaNode[] => {
  const schema = schemas[name]
  if (!isNode(schema)) return []
  const { allOf, discriminator: _, ...rest } = schema
  const at = `#/components/schemas/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}/allOf`
  const parts = Array.isArray(allOf) ? allOf : []
  return [
    ...(Object.keys(rest).length === 0 ? [] : [rest]),
    ...parts.flatMap((part, index) => {
      const referred = isReference(part) ? nameOf(part.$ref) : null
      if (referred === base) return []
      return referred !== null && children.has(referred) && referred !== name
        ? partsOf(schemas, referred, base, children)
        : [{ $ref: `${at}/${index}` }]
    }),
  ]
}

/** Whether a value that is judged by a schema is judged by another one as well. */
const leadsTo = (
  target: string,
  schema: unknown,
  schemas: SchemaNode,
  seen = new Set<unknown>(),
): boolean => {
  if (Array.isArray(schema)) return schema.some(each => leadsTo(target, each, schemas, seen))
  if (!isNode(schema) || seen.has(schema)) return false
  seen.add(schema)
  const { $ref } = schema
  if (typeof $ref === 'string') {
    const [name, ...rest] = steps(localReference($ref)?.replace('/components/schemas', '') ?? '')
    if (name === target) return true
    const referred = valueAt(schemas, rest.reduce(step, step('', name ?? '')))
    if (leadsTo(target, referred, schemas, seen)) return true
  }
  return ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'].some(keyword =>
    leadsTo(target, schema[keyword], schemas, seen),
  )
}

export type Discriminator = { readonly property: string; readonly mapping: Readonly<Record<string, string>> }

export const discriminatorOf = ({ discriminator }: SchemaNode): Discriminator | null => {
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

export const isReference = (schema: unknown): schema is { readonly $ref: string } =>
  isNode(schema) && typeof schema.$ref === 'string'

export const nameOf = (reference: string): string =>
  steps(localReference(reference) ?? `/${reference}`).at(-1) ?? reference

export const targetOf = (document: DocumentNode, reference: string): SchemaNode | null => {
  const pointer = localReference(reference)
  return pointer === null ? null : follow(document, pointer).node
}

/** The values that stand for a schema: those that are mapped to it, or else its name. */
export const valuesFor = ({ mapping }: Discriminator, name: string): readonly string[] => {
  const mapped = Object.entries(mapping).flatMap(([value, target]) =>
    nameOf(target) === name ? [value] : [],
  )
  return mapped.length > 0 ? mapped : [name]
}

export const withValues = (property: string, values: readonly string[] | null): SchemaNode => ({
  required: [property],
  ...(values === null ? {} : { properties: { [property]: { enum: values } } }),
})

/** Whether a schema says itself which values its property may have. */
export const isListed = (
  document: DocumentNode,
  schema: SchemaNode,
  property: string,
  depth = 0,
): boolean => {
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

/** Says why no value fits an alternative: the discriminator of the union and that of its base ask for different values. Null: one may fit. */
export type Contradicted = (schema: SchemaNode) => string | null

export const createContradicted = (document: DocumentNode): Contradicted => {
  const bases = basesOf(document, asNode(asNode(document.components).schemas))
  return schema => {
    const discriminator = discriminatorOf(schema)
    const alternatives = [schema.oneOf, schema.anyOf].find(Array.isArray)
    if (discriminator === null || alternatives === undefined || bases.length === 0) return null
    for (const alternative of alternatives) {
      if (!isReference(alternative)) continue
      const name = nameOf(alternative.$ref)
      const outer = valuesFor(discriminator, name)
      for (const { name: base, discriminator: inner, children } of bases) {
        if (inner.property !== discriminator.property || !children.has(name)) continue
        const allowed = [...children].flatMap(([child, line]) =>
          line.includes(name) ? valuesFor(inner, child) : [],
        )
        if (!outer.some(value => allowed.includes(value)))
          return `no value fits ${name}: here its ${inner.property} must be ${outer.join(' or ')}, and by the discriminator of ${base} it must be ${allowed.join(' or ')}; give both the same mapping`
      }
    }
    return null
  }
}
