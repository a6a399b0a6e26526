import type { DocumentNode } from '../../json/follow-refs.ts'
import { asNode } from '../../json/follow-refs.ts'
import type { SchemaNode } from '../map-schemas.ts'
import { discriminatorOf, isReference, nameOf, valuesFor } from './discriminator.ts'
import { basesOf } from './extensions.ts'

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
