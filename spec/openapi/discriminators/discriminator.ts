import { type DocumentNode, follow, isNode } from '../../json/follow-refs.ts'
import { localReference, steps } from '../../json/pointer.ts'
import type { SchemaNode } from '../map-schemas.ts'

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
