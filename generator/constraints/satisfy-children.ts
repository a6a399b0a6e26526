import {
  countOf,
  isSchemaObject,
  namedSchemas,
  type SchemaObject,
  stringsIn,
  subschema,
  subschemas,
} from '../read/keywords.ts'
import { atChild, inPlace, type KeywordContext, kinds, otherNames } from './normal-form.ts'
import {
  type Branch,
  type Choice,
  constrainItem,
  constrainProperties,
  evaluates,
  forbidProperty,
  mustHold,
  onArray,
  onlyKinds,
  onObject,
  requireProperties,
  requireProperty,
} from './rewrite-steps.ts'

/** The choices that satisfying a keyword comes to; all of them have to be made. */
export type SatisfyKeyword = (
  schema: SchemaObject,
  value: unknown,
  context: KeywordContext,
) => readonly Choice[]

/** Any value satisfies the keyword. */
export const noChoice: readonly Choice[] = []
/** The keyword is satisfied in one way only, by these steps. */
export const oneBranch = (...branch: Branch): readonly Choice[] => [[branch]]

const contains: SatisfyKeyword = (schema, _value, { constrain, scope }) => {
  const member = subschema(schema, 'contains')
  if (member === undefined) return noChoice
  const constraint = constrain.satisfy(member, scope)
  const min = countOf(schema, 'minContains') ?? 1
  const max = countOf(schema, 'maxContains') ?? Number.MAX_SAFE_INTEGER
  return oneBranch(
    onArray(form => ({ contains: [...form.contains, { constraint, min, max }] })),
    evaluates({ contained: [constraint] }),
  )
}

const items: SatisfyKeyword = (schema, _value, context) => {
  const member = subschema(schema, 'items')
  if (member === undefined) return noChoice
  const rule = {
    from: subschemas(schema, 'prefixItems').length,
    constraint: context.constrain.satisfy(member, context.scope),
    relaxed: atChild(context, 'item', member),
  }
  return oneBranch(
    onArray(({ rules }) => ({ rules: [...rules, rule] })),
    evaluates({ everyItem: true }),
  )
}

const prefixItems: SatisfyKeyword = (schema, _value, context) => {
  const members = subschemas(schema, 'prefixItems')
  return oneBranch(
    ...members.map((member, index) => constrainItem(index, atChild(context, { index }, member))),
    evaluates({ items: members.length }),
  )
}

const properties: SatisfyKeyword = (schema, _value, context) => {
  const named = namedSchemas(schema, 'properties')
  return oneBranch(
    constrainProperties(named.map(([name, member]) => [name, atChild(context, { name }, member)])),
    evaluates({ names: named.map(([name]) => name) }),
  )
}

const patternProperties: SatisfyKeyword = (schema, _value, context) => {
  const named = namedSchemas(schema, 'patternProperties')
  const rules = named.map(([pattern, member]) => ({
    pattern,
    constraint: context.constrain.satisfy(member, context.scope),
    relaxed: atChild(context, { pattern }, member),
  }))
  return oneBranch(
    onObject(({ patterns }) => ({ patterns: [...patterns, ...rules] })),
    evaluates({ patterns: named.map(([pattern]) => pattern) }),
  )
}

const additionalProperties: SatisfyKeyword = (schema, _value, context) => {
  const member = subschema(schema, 'additionalProperties')
  if (member === undefined) return noChoice
  const rule = {
    others: otherNames(schema),
    constraint: context.constrain.satisfy(member, context.scope),
    relaxed: atChild(context, 'value', member),
  }
  return oneBranch(
    onObject(({ rules }) => ({ rules: [...rules, rule] })),
    evaluates({ everyName: true }),
  )
}

const propertyNames: SatisfyKeyword = (schema, _value, { constrain, scope }) => {
  const member = subschema(schema, 'propertyNames')
  return member === undefined
    ? noChoice
    : oneBranch(onObject(({ names }) => ({ names: [...names, constrain.satisfy(member, scope)] })))
}

const dependent = (trigger: string, branch: Branch): Choice => [
  [forbidProperty(trigger)],
  [onlyKinds(kinds.object), requireProperty(trigger), ...branch],
]

const dependentRequired: SatisfyKeyword = (_schema, value) =>
  isSchemaObject(value)
    ? Object.entries(value).map(([trigger, needed]) =>
        dependent(trigger, [requireProperties(stringsIn(needed))]),
      )
    : noChoice

const dependentSchemas: SatisfyKeyword = (schema, _value, context) =>
  namedSchemas(schema, 'dependentSchemas').map(([trigger, member]) =>
    dependent(trigger, [mustHold(inPlace(context, member))]),
  )

const unevaluated =
  (of: 'names' | 'items', keyword: string): SatisfyKeyword =>
  (schema, _value, { constrain, scope }) => {
    const member = subschema(schema, keyword)
    if (member === undefined) return noChoice
    return oneBranch({ kind: 'unevaluated', of, constraint: constrain.satisfy(member, scope), all: true })
  }

/** The keywords about a value's items and properties. */
export const satisfyChildren: Readonly<Record<string, SatisfyKeyword>> = {
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
