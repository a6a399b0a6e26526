import { type DocumentNode, isNode } from '../../json/follow-refs.ts'
import { valueAt } from '../../json/pointer.ts'
import { mapSchemas, type SchemaNode } from '../map-schemas.ts'
import {
  basesOf,
  type Discriminator,
  discriminatorOf,
  isListed,
  isReference,
  nameOf,
  targetOf,
  valuesFor,
  withChildren,
  withValues,
} from './extensions.ts'

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

/**
 * Schemas with a `discriminator` as JSON Schema: what it says of the values of its property is put where validators and generators
 * find it (OpenAPI 3.0 and 3.1, 4.8.25).
 */

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
