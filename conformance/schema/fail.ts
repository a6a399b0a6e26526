import { decimal } from '../../spec/decimal.ts'
import type { Json } from '../../spec/json.ts'
import { anyKind, anyNumber, kinds, kindsOfType } from './facts.ts'
import { stringFormats } from './formats.ts'
import { integerRange } from './integer-range.ts'
import {
  countOf,
  isSchemaObject,
  namedSchemas,
  own,
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
  highest,
  itemAt,
  knownName,
  lowest,
  type Move,
  notMembers,
  onArray,
  onlyKinds,
  onNumber,
  onObject,
  onString,
  requireName,
} from './moves.ts'
import { decimalOf } from './numbers.ts'

type FailKeyword = (schema: SchemaObject, value: unknown, reading: Reading, detail: string | null) => Choice

const never: Choice = []
const of = (mask: number, ...moves: Clause): Clause => [onlyKinds(mask), ...moves]

const number =
  (move: (value: NonNullable<ReturnType<typeof decimalOf>>) => Move): FailKeyword =>
  (_schema, value) => {
    const limit = decimalOf(value)
    return limit === undefined ? never : [of(anyNumber, move(limit))]
  }

const below =
  (keyword: string, mask: number, move: (most: number) => Move): FailKeyword =>
  schema => {
    const limit = countOf(schema, keyword)
    return limit === undefined || limit < 1 ? never : [of(mask, move(Math.ceil(limit) - 1))]
  }

const above =
  (keyword: string, mask: number, move: (least: number) => Move): FailKeyword =>
  schema => {
    const limit = countOf(schema, keyword)
    return limit === undefined ? never : [of(mask, move(Math.floor(limit) + 1))]
  }

const type: FailKeyword = (_schema, value, _reading, detail) => {
  const allowed = (Array.isArray(value) ? value : [value]).reduce((mask, name) => mask | kindsOfType(name), 0)
  const wrong = detail === null ? anyKind : kindsOfType(detail)
  return [of(wrong & ~allowed)]
}

const format: FailKeyword = (_schema, value, { formats }) => {
  if (!formats || typeof value !== 'string') return never
  const range = integerRange(value)
  if (range !== undefined)
    return [of(kinds.integer, lowest(range.high, true)), of(kinds.integer, highest(range.low, true))]
  return stringFormats.has(value)
    ? [
        of(
          kinds.string,
          onString(({ notFormats }) => ({ notFormats: [...notFormats, value] })),
        ),
      ]
    : never
}

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

const conditional: FailKeyword = (schema, _value, { demands, scope }) => {
  const condition = subschema(schema, 'if')
  if (condition === undefined) return never
  const [yes, no] = [subschema(schema, 'then'), subschema(schema, 'else')]
  return [
    ...(yes === undefined
      ? []
      : [[demanded(demands.meet(condition, scope)), demanded(demands.fail(yes, scope))]]),
    ...(no === undefined
      ? []
      : [[demanded(demands.fail(condition, scope)), demanded(demands.fail(no, scope))]]),
  ]
}

const oneOf: FailKeyword = (schema, _value, { demands, scope }) => {
  const members = subschemas(schema, 'oneOf')
  const none: Clause = members.map(member => demanded(demands.fail(member, scope)))
  const pairs = members.flatMap((first, at) =>
    members
      .slice(at + 1)
      .map((second): Clause => [demanded(demands.meet(first, scope)), demanded(demands.meet(second, scope))]),
  )
  return [none, ...pairs]
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

const reference: (keyword: '$ref' | '$dynamicRef') => FailKeyword = keyword => (_schema, value, reading) => {
  if (typeof value !== 'string') return never
  const target = reading.document.follow(reading.origin, keyword, reading.scope)
  return [[demanded(reading.demands.fail(target.schema, target.scope))]]
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

const fails: Readonly<Record<string, FailKeyword>> = {
  type,
  enum: (_schema, value) => (Array.isArray(value) ? [[notMembers(value as Json[])]] : never),
  const: (_schema, value) => [[notMembers([value as Json])]],
  minimum: number(value => highest(value, true)),
  maximum: number(value => lowest(value, true)),
  exclusiveMinimum: number(value => highest(value, false)),
  exclusiveMaximum: number(value => lowest(value, false)),
  multipleOf: (_schema, value) => {
    const step = decimalOf(value) ?? decimal('0')
    if (step.coefficient <= 0n) return never
    return [
      of(
        anyNumber,
        onNumber(({ notMultiples }) => ({ notMultiples: [...notMultiples, step] })),
      ),
    ]
  },
  minLength: below('minLength', kinds.string, most => onString(({ max }) => ({ max: Math.min(max, most) }))),
  maxLength: above('maxLength', kinds.string, least =>
    onString(({ min }) => ({ min: Math.max(min, least) })),
  ),
  pattern: (_schema, value) =>
    typeof value === 'string'
      ? [
          of(
            kinds.string,
            onString(({ notPatterns }) => ({ notPatterns: [...notPatterns, value] })),
          ),
        ]
      : never,
  format,
  minItems: below('minItems', kinds.array, most => onArray(({ max }) => ({ max: Math.min(max, most) }))),
  maxItems: above('maxItems', kinds.array, atLeastItems),
  uniqueItems: (_schema, value) =>
    value === true
      ? [
          of(
            kinds.array,
            onArray(() => ({ repeated: true })),
            atLeastItems(2),
          ),
        ]
      : never,
  contains,
  items,
  prefixItems: (schema, _value, { demands, scope }) =>
    subschemas(schema, 'prefixItems').map((member, index) =>
      of(kinds.array, atLeastItems(index + 1), itemAt(index, demands.fail(member, scope))),
    ),
  minProperties: below('minProperties', kinds.object, most =>
    onObject(({ max }) => ({ max: Math.min(max, most) })),
  ),
  maxProperties: above('maxProperties', kinds.object, least =>
    onObject(({ min }) => ({ min: Math.max(min, least) })),
  ),
  required: (_schema, value, _reading, detail) =>
    texts(value)
      .filter(name => detail === null || name === detail)
      .map(name => of(kinds.object, forbidName(name))),
  properties,
  patternProperties,
  additionalProperties,
  propertyNames,
  dependentRequired,
  dependentSchemas: (schema, _value, { demands, scope }) =>
    namedSchemas(schema, 'dependentSchemas').map(([trigger, member]) =>
      of(kinds.object, requireName(trigger), demanded(demands.fail(member, scope))),
    ),
  allOf: (schema, _value, { demands, scope }) =>
    subschemas(schema, 'allOf').map(member => [demanded(demands.fail(member, scope))]),
  anyOf: (schema, _value, { demands, scope }) =>
    own(schema, 'anyOf') === undefined
      ? never
      : [subschemas(schema, 'anyOf').map(member => demanded(demands.fail(member, scope)))],
  oneOf,
  not: (schema, _value, { demands, scope }) => {
    const member = subschema(schema, 'not')
    return member === undefined ? never : [[demanded(demands.meet(member, scope))]]
  },
  if: conditional,
  $ref: reference('$ref'),
  $dynamicRef: reference('$dynamicRef'),
  unevaluatedProperties: unevaluated('names', 'unevaluatedProperties'),
  unevaluatedItems: unevaluated('items', 'unevaluatedItems'),
}

/** The ways in which one keyword of a schema can be broken; `detail` asks for one part of it. */
export const failKeyword = (
  schema: SchemaObject,
  keyword: string,
  detail: string | null,
  reading: Reading,
): Choice =>
  Object.hasOwn(fails, keyword)
    ? (fails[keyword]?.(schema, schema[keyword], reading, detail) ?? never)
    : never
