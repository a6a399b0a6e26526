import type { Json } from '../../spec/index.ts'
import { decimal } from '../../spec/index.ts'
import { anyKind, anyNumber, kinds, kindsOfType } from './facts.ts'
import { type FailKeyword, failsOfParts, never, of } from './fail-parts.ts'
import { stringFormats } from './formats.ts'
import { integerRange } from './integer-range.ts'
import { countOf, namedSchemas, own, type SchemaObject, subschema, subschemas, texts } from './keywords.ts'
import type { Reading } from './meaning.ts'
import {
  atLeastItems,
  type Choice,
  type Clause,
  demanded,
  forbidName,
  highest,
  lowest,
  type Move,
  notMembers,
  onArray,
  onNumber,
  onObject,
  onString,
  requireName,
} from './moves.ts'
import { decimalOf } from './numbers.ts'

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

const reference: (keyword: '$ref' | '$dynamicRef') => FailKeyword = keyword => (_schema, value, reading) => {
  if (typeof value !== 'string') return never
  const target = reading.document.follow(reading.origin, keyword, reading.scope)
  return [[demanded(reading.demands.fail(target.schema, target.scope))]]
}

const fails: Readonly<Record<string, FailKeyword>> = {
  ...failsOfParts,
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
