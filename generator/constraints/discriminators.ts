import type { Json } from '../../spec/index.ts'
import { isSchemaObject, ownProperty } from '../read/keywords.ts'
import { type Constraint, keyOf } from './constraint.ts'
import { dropImpossibleKinds, kinds, type NormalForm } from './normal-form.ts'

/** Narrows a form by its discriminators, such as `kind: { const: … }`; null if nothing is left. */
export type Discriminate = (form: NormalForm) => NormalForm | null

/**
 * Rules out objects with a required property that has to be one of a few constants, none of which satisfies all constraints
 * on it. Most branches of a tagged union end here, before their properties are worked out.
 */
export const createDiscriminate = (
  satisfies: (constraints: readonly Constraint[], value: Json) => boolean,
): Discriminate => {
  const verdicts = new Map<string, boolean>()
  const isPossible = (constraints: readonly Constraint[]): boolean => {
    const constants = constraints.map(constantsOf).find(found => found !== null)
    if (constants === undefined) return true
    const key = keyOf(constraints)
    const verdict = verdicts.get(key) ?? constants.some(value => satisfies(constraints, value))
    verdicts.set(key, verdict)
    return verdict
  }
  return form => {
    if ((form.kinds & kinds.object) === 0) return form
    for (const name of form.object.required) {
      const constraints = form.object.properties.get(name) ?? []
      if (constraints.length > 1 && !isPossible(constraints))
        return dropImpossibleKinds({ ...form, kinds: form.kinds & ~kinds.object })
    }
    return form
  }
}

const constantsOf = (constraint: Constraint): readonly Json[] | null => {
  if (constraint.kind !== 'satisfy' || !isSchemaObject(constraint.schema)) return null
  if (Object.hasOwn(constraint.schema, 'const')) return [constraint.schema.const as Json]
  const members = ownProperty(constraint.schema, 'enum')
  return Array.isArray(members) && members.length <= 50 ? members : null
}
