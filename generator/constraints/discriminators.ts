import type { Json } from '../../spec/index.ts'
import { isSchemaObject, namedSchemas, ownProperty, type Schema, subschemas } from '../read/keywords.ts'
import { type Constraint, keyOf } from './constraint.ts'
import { dropImpossibleKinds, type KeywordContext, kinds, type NormalForm } from './normal-form.ts'

type Constraints = readonly Constraint[]
type Scope = KeywordContext['scope']

/** What the required properties of a form say of it before their values are worked out. */
export type Discriminate = {
  /** The form without objects if a required property cannot have any value; null if nothing is left. */
  readonly narrowed: (form: NormalForm) => NormalForm | null
  /** Whether no value of the form is valid against the schema, because of a required property such as `kind: { const: … }`. */
  readonly excludes: (form: NormalForm, schema: Schema, scope: Scope) => boolean
}

/**
 * Most branches of a union end here. `contradicts` tells at first sight that constraints leave no value. It is asked about properties
 * without constants: of the ways to violate another alternative, most are by a property that both alternatives share, and impossible.
 */
export const createDiscriminate = (
  { document, constrain }: Pick<KeywordContext, 'document' | 'constrain'>,
  satisfies: (constraints: Constraints, value: Json) => boolean,
  contradicts: (constraints: Constraints) => boolean,
): Discriminate => {
  const constantsOf = (schema: Schema, scope: Scope): readonly Json[] | null => {
    if (!isSchemaObject(schema)) return null
    if (Object.hasOwn(schema, 'const')) return [schema.const as Json]
    const members = ownProperty(schema, 'enum')
    if (Array.isArray(members)) return members.length <= 50 ? members : null
    if (typeof ownProperty(schema, '$ref') !== 'string') return null
    const target = document.follow(schema, '$ref', document.enter(schema, scope))
    return constantsOf(target.schema, target.scope)
  }
  const constants = new Map<string, readonly Json[] | null>()
  /** The values left for a property that has to be one of a few constants; null for any other. */
  const constantsFor = (constraints: Constraints): readonly Json[] | null => {
    const key = keyOf(constraints)
    const known = constants.get(key)
    if (known !== undefined) return known
    const few = constraints
      .map(constraint =>
        constraint.kind === 'satisfy' ? constantsOf(constraint.schema, constraint.scope) : null,
      )
      .find(found => found !== null)
    const left = few?.filter(value => satisfies(constraints, value)) ?? null
    constants.set(key, left)
    return left
  }
  const verdicts = new Map<string, boolean>()
  const isPossible = (constraints: Constraints): boolean => {
    const key = keyOf(constraints)
    const left = constantsFor(constraints)
    const verdict = verdicts.get(key) ?? (left === null ? !contradicts(constraints) : left.length > 0)
    verdicts.set(key, verdict)
    return verdict
  }
  const refuses = (schema: Schema, outer: Scope, name: string, values: readonly Json[]): boolean => {
    if (!isSchemaObject(schema)) return !schema
    const scope = document.enter(schema, outer)
    const inPlace = (member: Schema): boolean => refuses(member, scope, name, values)
    const target =
      typeof ownProperty(schema, '$ref') === 'string' ? document.follow(schema, '$ref', scope) : null
    return (
      namedSchemas(schema, 'properties').some(
        ([property, member]) =>
          property === name && !values.some(value => satisfies([constrain.satisfy(member, scope)], value)),
      ) ||
      (target !== null && refuses(target.schema, target.scope, name, values)) ||
      subschemas(schema, 'allOf').some(inPlace) ||
      ['anyOf', 'oneOf'].some(keyword => {
        const members = subschemas(schema, keyword)
        return members.length > 0 && members.every(inPlace)
      })
    )
  }
  return {
    narrowed: form => {
      if ((form.kinds & kinds.object) === 0) return form
      for (const name of form.object.required) {
        const constraints = form.object.properties.get(name) ?? []
        if (constraints.length > 1 && !isPossible(constraints))
          return dropImpossibleKinds({ ...form, kinds: form.kinds & ~kinds.object })
      }
      return form
    },
    excludes: (form, schema, scope) =>
      form.kinds === kinds.object &&
      [...form.object.required].some(name => {
        const left = constantsFor(form.object.properties.get(name) ?? [])
        return left !== null && refuses(schema, scope, name, left)
      }),
  }
}
