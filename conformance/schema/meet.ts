import type { Json } from '../../spec/index.ts'
import { kinds, kindsOfType } from './facts.ts'
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
import { type Reading, samePlace, stepDown } from './meaning.ts'
import {
  type Choice,
  type Clause,
  demanded,
  forbidName,
  highest,
  itemAt,
  knownName,
  looked,
  lowest,
  type Move,
  narrow,
  onArray,
  onlyKinds,
  onlyMembers,
  onNumber,
  onObject,
  onString,
  requireName,
} from './moves.ts'
import { decimalOf } from './numbers.ts'

type Meet = (schema: SchemaObject, value: unknown, reading: Reading) => readonly Choice[]

const always: readonly Choice[] = []
const just = (...moves: Clause): readonly Choice[] => [[moves]]

const number =
  (move: (value: NonNullable<ReturnType<typeof decimalOf>>) => Move): Meet =>
  (_schema, value) => {
    const limit = decimalOf(value)
    return limit === undefined ? always : just(move(limit))
  }

const count =
  (keyword: string, move: (limit: number) => Move): Meet =>
  schema => {
    const limit = countOf(schema, keyword)
    return limit === undefined ? always : just(move(limit))
  }

const format: Meet = (_schema, value) => {
  const range = integerRange(value)
  // The range binds whole numbers only: a fraction is the business of `type`.
  if (range !== undefined) return just(lowest(range.low, false), highest(range.high, false))
  return typeof value === 'string' && stringFormats.has(value)
    ? just(onString(({ formats }) => ({ formats: [...formats, value] })))
    : always
}

const dependent = (trigger: string, moves: Clause): Choice => [
  [forbidName(trigger)],
  [onlyKinds(kinds.object), requireName(trigger), ...moves],
]

const reference: (keyword: '$ref' | '$dynamicRef') => Meet = keyword => (_schema, value, reading) => {
  if (typeof value !== 'string') return always
  const target = reading.document.follow(reading.origin, keyword, reading.scope)
  return just(demanded(samePlace(reading, target.schema, target.scope)))
}

const contains: Meet = (schema, _value, reading) => {
  const member = subschema(schema, 'contains')
  if (member === undefined) return always
  const demand = reading.demands.meet(member, reading.scope)
  const min = schema.contains === undefined ? 0 : (countOf(schema, 'minContains') ?? 1)
  const max = countOf(schema, 'maxContains') ?? Number.MAX_SAFE_INTEGER
  return just(
    onArray(facts => ({ contains: [...facts.contains, { demand, min, max }] })),
    looked({ contained: [demand] }),
  )
}

const conditional: Meet = (schema, _value, reading) => {
  const condition = subschema(schema, 'if')
  const [yes, no] = [subschema(schema, 'then'), subschema(schema, 'else')]
  const { demands, scope, document } = reading
  if (condition === undefined) return always
  if (yes === undefined && no === undefined && !document.hasUnevaluated) return always
  return [
    [
      [
        demanded(demands.meet(condition, scope)),
        ...(yes === undefined ? [] : [demanded(samePlace(reading, yes))]),
      ],
      [
        demanded(demands.fail(condition, scope), false),
        ...(no === undefined ? [] : [demanded(samePlace(reading, no))]),
      ],
    ],
  ]
}

const oneOf: Meet = (schema, _value, reading) => {
  const members = subschemas(schema, 'oneOf')
  return [
    members.map((chosen, at) => [
      demanded(samePlace(reading, chosen)),
      ...members.flatMap((other, index) =>
        index === at ? [] : [demanded(reading.demands.fail(other, reading.scope), false)],
      ),
    ]),
  ]
}

const properties: Meet = (schema, _value, reading) => {
  const named = namedSchemas(schema, 'properties')
  return just(
    ...named.map(([name, member]) => knownName(name, stepDown(reading, { name }, member))),
    looked({ names: named.map(([name]) => name) }),
  )
}

const patternProperties: Meet = (schema, _value, reading) => {
  const named = namedSchemas(schema, 'patternProperties')
  const rules = named.map(([pattern, member]) => ({
    pattern,
    demand: reading.demands.meet(member, reading.scope),
    odd: stepDown(reading, { pattern }, member),
  }))
  return just(
    onObject(({ patterns }) => ({ patterns: [...patterns, ...rules] })),
    looked({ patterns: named.map(([pattern]) => pattern) }),
  )
}

export const othersOf = (schema: SchemaObject) => ({
  names: Object.keys(isSchemaObject(own(schema, 'properties')) ? (schema.properties as object) : {}),
  patterns: namedSchemas(schema, 'patternProperties').map(([pattern]) => pattern),
})

const additionalProperties: Meet = (schema, _value, reading) => {
  const member = subschema(schema, 'additionalProperties')
  if (member === undefined) return always
  const rule = {
    others: othersOf(schema),
    demand: reading.demands.meet(member, reading.scope),
    odd: stepDown(reading, 'value', member),
  }
  return just(
    onObject(({ rules }) => ({ rules: [...rules, rule] })),
    looked({ everyName: true }),
  )
}

const items: Meet = (schema, _value, reading) => {
  const member = subschema(schema, 'items')
  if (member === undefined) return always
  const rule = {
    from: subschemas(schema, 'prefixItems').length,
    demand: reading.demands.meet(member, reading.scope),
    odd: stepDown(reading, 'item', member),
  }
  return just(
    onArray(({ rules }) => ({ rules: [...rules, rule] })),
    looked({ everyItem: true }),
  )
}

const prefixItems: Meet = (schema, _value, reading) => {
  const members = subschemas(schema, 'prefixItems')
  return just(
    ...members.map((member, index) => itemAt(index, stepDown(reading, { index }, member))),
    looked({ items: members.length }),
  )
}

const unevaluated =
  (what: 'names' | 'items', keyword: string): Meet =>
  (schema, _value, reading) => {
    const member = subschema(schema, keyword)
    if (member === undefined) return always
    return just({ kind: 'close', what, demand: reading.demands.meet(member, reading.scope), all: true })
  }

const dependentRequired: Meet = (_schema, value) =>
  isSchemaObject(value)
    ? Object.entries(value).map(([trigger, needed]) => dependent(trigger, texts(needed).map(requireName)))
    : always

const meets: Readonly<Record<string, Meet>> = {
  type: (_schema, value) =>
    just(
      onlyKinds((Array.isArray(value) ? value : [value]).reduce((mask, type) => mask | kindsOfType(type), 0)),
    ),
  enum: (_schema, value) => (Array.isArray(value) ? just(onlyMembers(value as Json[])) : always),
  const: (_schema, value) => just(onlyMembers([value as Json])),
  minimum: number(value => lowest(value, false)),
  maximum: number(value => highest(value, false)),
  exclusiveMinimum: number(value => lowest(value, true)),
  exclusiveMaximum: number(value => highest(value, true)),
  multipleOf: number(value =>
    onNumber(({ multiples }) => ({ multiples: value.coefficient > 0n ? [...multiples, value] : multiples })),
  ),
  minLength: count('minLength', limit => onString(({ min }) => ({ min: Math.max(min, limit) }))),
  maxLength: count('maxLength', limit => onString(({ max }) => ({ max: Math.min(max, limit) }))),
  pattern: (_schema, value) =>
    typeof value === 'string'
      ? just(onString(({ patterns }) => ({ patterns: [...patterns, value] })))
      : always,
  format,
  minItems: count('minItems', limit => onArray(({ min }) => ({ min: Math.max(min, limit) }))),
  maxItems: count('maxItems', limit => onArray(({ max }) => ({ max: Math.min(max, limit) }))),
  uniqueItems: (_schema, value) => (value === true ? just(onArray(() => ({ unique: true }))) : always),
  contains,
  items,
  prefixItems,
  minProperties: count('minProperties', limit => onObject(({ min }) => ({ min: Math.max(min, limit) }))),
  maxProperties: count('maxProperties', limit => onObject(({ max }) => ({ max: Math.min(max, limit) }))),
  required: (_schema, value) => just(...texts(value).map(requireName)),
  properties,
  patternProperties,
  additionalProperties,
  propertyNames: (_schema, value, { demands, scope }) =>
    typeof value === 'boolean' || isSchemaObject(value)
      ? just(onObject(({ names }) => ({ names: [...names, demands.meet(value, scope)] })))
      : always,
  dependentRequired,
  dependentSchemas: (schema, _value, reading) =>
    namedSchemas(schema, 'dependentSchemas').map(([trigger, member]) =>
      dependent(trigger, [demanded(samePlace(reading, member))]),
    ),
  allOf: (schema, _value, reading) => [
    [subschemas(schema, 'allOf').map(member => demanded(samePlace(reading, member)))],
  ],
  anyOf: (schema, _value, reading) => [
    subschemas(schema, 'anyOf').map(member => [demanded(samePlace(reading, member))]),
  ],
  oneOf,
  not: (schema, _value, { demands, scope }) => {
    const member = subschema(schema, 'not')
    return member === undefined ? always : just(demanded(demands.fail(member, scope), false))
  },
  if: conditional,
  $ref: reference('$ref'),
  $dynamicRef: reference('$dynamicRef'),
  unevaluatedProperties: unevaluated('names', 'unevaluatedProperties'),
  unevaluatedItems: unevaluated('items', 'unevaluatedItems'),
}

/** What keeping one keyword of a schema comes to. */
export const meetKeyword = (schema: SchemaObject, keyword: string, reading: Reading): readonly Choice[] =>
  Object.hasOwn(meets, keyword) ? (meets[keyword]?.(schema, schema[keyword], reading) ?? always) : always

export const loosely: Move = narrow(facts => ({ ...facts, loose: true }))
