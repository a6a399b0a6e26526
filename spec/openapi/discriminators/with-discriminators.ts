/**
 * Schemas with a `discriminator` as JSON Schema: what it says of the values of its property is put where validators and generators
 * find it (OpenAPI 3.0 and 3.1, 4.8.25).
 */
import { type DocumentNode, isNode } from '../../json/follow-refs.ts'
import { valueAt } from '../../json/pointer.ts'
import { mapSchemas, type SchemaNode } from '../map-schemas.ts'
import { withAlternatives } from './alternatives.ts'
import { basesOf, withChildren } from './extensions.ts'

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
