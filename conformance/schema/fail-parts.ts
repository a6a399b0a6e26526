import { kinds } from './facts.ts'
import {
  countOf,
  isSchemaObject,
  namedSchemas,
  type SchemaObject,
  subschema,
  subschemas,
  texts,
} from './keywords.ts'
import type { Reading } from './meaning.ts'
import { loosely, othersOf } from './meet.ts'
import {
  atLeastItems,
  type Choice,
  type Clause,
  demanded,
  forbidName,
  itemAt,
  knownName,
  onArray,
  onlyKinds,
  onObject,
  requireName,
} from './moves.ts'

/** The ways to break a keyword; none where it cannot be broken. */
export type FailKeyword = (
  schema: SchemaObject,
  value: unknown,
  reading: Reading,
  detail: string | null,
) => Choice

export const never: Choice = []
export const of = (mask: number, ...moves: Clause): Clause => [onlyKinds(mask), ...moves]

const contains: FailKeyword = (schema, _value, { demands, scope }) => {
  const member = subschema(schema, 'contains')
  if (member === undefined) return never
  const demand = demands.meet(member, scope)
  const between = (min: number, max: number): Clause =>
    of(
      kinds.array,
      onArray(facts => ({ contains: [...facts.contains, { demand, min, max }] })),
      atLeastItems(min),
    )
  const min = countOf(schema, 'minContains') ?? 1
  const max = countOf(schema, 'maxContains')
  return [
    ...(min > 0 ? [between(0, min - 1)] : []),
    ...(max === undefined ? [] : [between(Math.floor(max) + 1, Number.MAX_SAFE_INTEGER)]),
  ]
}

const properties: FailKeyword = (schema, _value, { demands, scope }) =>
  namedSchemas(schema, 'properties').map(([name, member]) =>
    of(kinds.object, requireName(name), knownName(name, demands.fail(member, scope))),
  )

const patternProperties: FailKeyword = (schema, _value, { demands, scope }) =>
  namedSchemas(schema, 'patternProperties').map(([pattern, member]) => {
    const some = { others: null, pattern, name: null, demand: demands.fail(member, scope) }
    return of(
      kinds.object,
      onObject(facts => ({ some: [...facts.some, some] })),
    )
  })

const additionalProperties: FailKeyword = (schema, _value, { demands, scope }) => {
  const member = subschema(schema, 'additionalProperties')
  if (member === undefined) return never
  const some = { others: othersOf(schema), pattern: null, name: null, demand: demands.fail(member, scope) }
  return [
    of(
      kinds.object,
      onObject(facts => ({ some: [...facts.some, some] })),
    ),
  ]
}

const propertyNames: FailKeyword = (schema, _value, { demands, scope }) => {
  const member = subschema(schema, 'propertyNames')
  if (member === undefined) return never
  const some = { others: null, pattern: null, name: demands.fail(member, scope), demand: null }
  return [
    of(
      kinds.object,
      onObject(facts => ({ some: [...facts.some, some] })),
    ),
  ]
}

const items: FailKeyword = (schema, _value, { demands, scope }) => {
  const member = subschema(schema, 'items')
  if (member === undefined) return never
  const from = subschemas(schema, 'prefixItems').length
  const demand = demands.fail(member, scope)
  return [
    of(
      kinds.array,
      onArray(({ some }) => ({ some: [...some, { from, demand }] })),
      atLeastItems(from + 1),
    ),
  ]
}

const unevaluated =
  (what: 'names' | 'items', keyword: string): FailKeyword =>
  (schema, _value, { demands, scope }) => {
    const member = subschema(schema, keyword)
    if (member === undefined) return never
    const omission = { steps: [], keywords: [keyword], detail: null }
    return [
      [
        onlyKinds(what === 'names' ? kinds.object : kinds.array),
        demanded(demands.omit(schema, scope, omission)),
        { kind: 'close', what, demand: demands.fail(member, scope), all: false },
        loosely,
      ],
    ]
  }

const dependentRequired: FailKeyword = (_schema, value, _reading, detail) =>
  !isSchemaObject(value)
    ? never
    : Object.entries(value).flatMap(([trigger, needed]) =>
        texts(needed)
          .filter(name => detail === null || name === detail)
          .map(name => of(kinds.object, requireName(trigger), forbidName(name))),
      )

const prefixItems: FailKeyword = (schema, _value, { demands, scope }) =>
  subschemas(schema, 'prefixItems').map((member, index) =>
    of(kinds.array, atLeastItems(index + 1), itemAt(index, demands.fail(member, scope))),
  )

/** The keywords that speak of a value's items and properties. */
export const failsOfParts: Readonly<Record<string, FailKeyword>> = {
  contains,
  items,
  prefixItems,
  properties,
  patternProperties,
  additionalProperties,
  propertyNames,
  dependentRequired,
  unevaluatedProperties: unevaluated('names', 'unevaluatedProperties'),
  unevaluatedItems: unevaluated('items', 'unevaluatedItems'),
}
