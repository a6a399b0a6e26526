import {
  countOf,
  isSchemaObject,
  namedSchemas,
  type SchemaObject,
  stringsIn,
  subschema,
  subschemas,
} from '../read/keywords.ts'
import { type KeywordContext, kinds, otherNames, type SomeProperty } from './normal-form.ts'
import {
  approximately,
  atLeast,
  type Branch,
  type Choice,
  constrainItem,
  constrainProperty,
  forbidProperty,
  mustHold,
  onArray,
  onlyKinds,
  onObject,
  requireProperty,
} from './rewrite-steps.ts'

/** The ways to violate a keyword, or one part of it (`detail`). */
export type NegateKeyword = (
  schema: SchemaObject,
  value: unknown,
  context: KeywordContext,
  detail: string | null,
) => Choice

/** The keyword cannot be violated. */
export const noBranch: Choice = []
/** One way to violate it: a value of these kinds, by these steps. */
export const branch = (mask: number, ...steps: Branch): Branch => [onlyKinds(mask), ...steps]

const contains: NegateKeyword = (schema, _value, { constrain, scope }) => {
  const member = subschema(schema, 'contains')
  if (member === undefined) return noBranch
  const constraint = constrain.satisfy(member, scope)
  const between = (min: number, max: number): Branch =>
    branch(
      kinds.array,
      onArray(form => ({ contains: [...form.contains, { constraint, min, max }] })),
      atLeast('array', min),
    )
  const min = countOf(schema, 'minContains') ?? 1
  const max = countOf(schema, 'maxContains')
  return [
    ...(min > 0 ? [between(0, min - 1)] : []),
    ...(max === undefined ? [] : [between(Math.floor(max) + 1, Number.MAX_SAFE_INTEGER)]),
  ]
}

const items: NegateKeyword = (schema, _value, { constrain, scope }) => {
  const member = subschema(schema, 'items')
  if (member === undefined) return noBranch
  const from = subschemas(schema, 'prefixItems').length
  const constraint = constrain.negate(member, scope)
  return [
    branch(
      kinds.array,
      onArray(({ some }) => ({ some: [...some, { from, constraint }] })),
      atLeast('array', from + 1),
    ),
  ]
}

const prefixItems: NegateKeyword = (schema, _value, { constrain, scope }) =>
  subschemas(schema, 'prefixItems').map((member, index) =>
    branch(kinds.array, atLeast('array', index + 1), constrainItem(index, constrain.negate(member, scope))),
  )

const properties: NegateKeyword = (schema, _value, { constrain, scope }) =>
  namedSchemas(schema, 'properties').map(([name, member]) =>
    branch(kinds.object, requireProperty(name), constrainProperty(name, constrain.negate(member, scope))),
  )

const withProperty = (property: SomeProperty): Branch =>
  branch(
    kinds.object,
    onObject(({ some }) => ({ some: [...some, property] })),
  )

const patternProperties: NegateKeyword = (schema, _value, { constrain, scope }) =>
  namedSchemas(schema, 'patternProperties').map(([pattern, member]) =>
    withProperty({ others: null, pattern, name: null, constraint: constrain.negate(member, scope) }),
  )

const additionalProperties: NegateKeyword = (schema, _value, { constrain, scope }) => {
  const member = subschema(schema, 'additionalProperties')
  if (member === undefined) return noBranch
  const constraint = constrain.negate(member, scope)
  return [withProperty({ others: otherNames(schema), pattern: null, name: null, constraint })]
}

const propertyNames: NegateKeyword = (schema, _value, { constrain, scope }) => {
  const member = subschema(schema, 'propertyNames')
  if (member === undefined) return noBranch
  const name = constrain.negate(member, scope)
  return [withProperty({ others: null, pattern: null, name, constraint: null })]
}

const dependentRequired: NegateKeyword = (_schema, value, _context, detail) =>
  !isSchemaObject(value)
    ? noBranch
    : Object.entries(value).flatMap(([trigger, needed]) =>
        stringsIn(needed)
          .filter(name => detail === null || name === detail)
          .map(name => branch(kinds.object, requireProperty(trigger), forbidProperty(name))),
      )

const dependentSchemas: NegateKeyword = (schema, _value, { constrain, scope }) =>
  namedSchemas(schema, 'dependentSchemas').map(([trigger, member]) =>
    branch(kinds.object, requireProperty(trigger), mustHold(constrain.negate(member, scope))),
  )

const unevaluated =
  (of: 'names' | 'items', keyword: string): NegateKeyword =>
  (schema, _value, { constrain, scope }) => {
    const member = subschema(schema, keyword)
    if (member === undefined) return noBranch
    const omission = { path: [], keywords: [keyword], detail: null }
    return [
      branch(
        of === 'names' ? kinds.object : kinds.array,
        mustHold(constrain.satisfyWithout(schema, scope, omission)),
        { kind: 'unevaluated', of, constraint: constrain.negate(member, scope), all: false },
        approximately,
      ),
    ]
  }

/** The keywords about a value's items and properties. */
export const negateChildren: Readonly<Record<string, NegateKeyword>> = {
  contains,
  items,
  prefixItems,
  properties,
  patternProperties,
  additionalProperties,
  propertyNames,
  dependentRequired,
  dependentSchemas,
  unevaluatedProperties: unevaluated('names', 'unevaluatedProperties'),
  unevaluatedItems: unevaluated('items', 'unevaluatedItems'),
}
