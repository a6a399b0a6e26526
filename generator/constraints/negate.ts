import { type Decimal, decimal, type Json } from '../../spec/index.ts'
import { stringFormats } from '../domains/formats.ts'
import { integerRange } from '../domains/integer-range.ts'
import { decimalOf } from '../domains/numbers.ts'
import {
  countOf,
  ownProperty,
  type SchemaObject,
  stringsIn,
  subschema,
  subschemas,
} from '../read/keywords.ts'
import { branch, type NegateKeyword, negateChildren, noBranch } from './negate-children.ts'
import { anyKind, anyNumber, type KeywordContext, kinds, kindsOfType } from './normal-form.ts'
import {
  atLeast,
  atMost,
  type Branch,
  type Choice,
  forbidProperty,
  lowerBound,
  mustHold,
  notValues,
  onArray,
  onNumber,
  onString,
  type RewriteStep,
  type SizedKind,
  upperBound,
} from './rewrite-steps.ts'

const number =
  (step: (limit: Decimal) => RewriteStep): NegateKeyword =>
  (_schema, value) => {
    const limit = decimalOf(value)
    return limit === undefined ? noBranch : [branch(anyNumber, step(limit))]
  }

const below =
  (keyword: string, kind: SizedKind): NegateKeyword =>
  schema => {
    const limit = countOf(schema, keyword)
    return limit === undefined || limit < 1
      ? noBranch
      : [branch(kinds[kind], atMost(kind, Math.ceil(limit) - 1))]
  }

const above =
  (keyword: string, kind: SizedKind): NegateKeyword =>
  schema => {
    const limit = countOf(schema, keyword)
    return limit === undefined ? noBranch : [branch(kinds[kind], atLeast(kind, Math.floor(limit) + 1))]
  }

const type: NegateKeyword = (_schema, value, _context, detail) => {
  const allowed = (Array.isArray(value) ? value : [value]).reduce((mask, name) => mask | kindsOfType(name), 0)
  const wrong = detail === null ? anyKind : kindsOfType(detail)
  return [branch(wrong & ~allowed)]
}

const multipleOf: NegateKeyword = (_schema, value) => {
  const step = decimalOf(value) ?? decimal('0')
  if (step.coefficient <= 0n) return noBranch
  const notMultiple = onNumber(({ notMultiples }) => ({ notMultiples: [...notMultiples, step] }))
  return [branch(anyNumber, notMultiple)]
}

const pattern: NegateKeyword = (_schema, value) => {
  if (typeof value !== 'string') return noBranch
  const noMatch = onString(({ notPatterns }) => ({ notPatterns: [...notPatterns, value] }))
  return [branch(kinds.string, noMatch)]
}

const format: NegateKeyword = (_schema, value, { formats }) => {
  if (!formats || typeof value !== 'string') return noBranch
  const range = integerRange(value)
  if (range !== undefined)
    return [
      branch(kinds.integer, lowerBound(range.high, true)),
      branch(kinds.integer, upperBound(range.low, true)),
    ]
  if (!stringFormats.has(value)) return noBranch
  const noMember = onString(({ notFormats }) => ({ notFormats: [...notFormats, value] }))
  return [branch(kinds.string, noMember)]
}

const uniqueItems: NegateKeyword = (_schema, value) => {
  if (value !== true) return noBranch
  const repeated = onArray(() => ({ repeated: true }))
  return [branch(kinds.array, repeated, atLeast('array', 2))]
}

const conditional: NegateKeyword = (schema, _value, { constrain, scope }) => {
  const condition = subschema(schema, 'if')
  if (condition === undefined) return noBranch
  const [yes, no] = [subschema(schema, 'then'), subschema(schema, 'else')]
  return [
    ...(yes === undefined
      ? []
      : [[mustHold(constrain.satisfy(condition, scope)), mustHold(constrain.negate(yes, scope))]]),
    ...(no === undefined
      ? []
      : [[mustHold(constrain.negate(condition, scope)), mustHold(constrain.negate(no, scope))]]),
  ]
}

const oneOf: NegateKeyword = (schema, _value, { constrain, scope }) => {
  const members = subschemas(schema, 'oneOf')
  const none: Branch = members.map(member => mustHold(constrain.negate(member, scope)))
  const pairs = members.flatMap((first, at) =>
    members
      .slice(at + 1)
      .map(
        (second): Branch => [
          mustHold(constrain.satisfy(first, scope)),
          mustHold(constrain.satisfy(second, scope)),
        ],
      ),
  )
  return [none, ...pairs]
}

const reference: (keyword: '$ref' | '$dynamicRef') => NegateKeyword =
  keyword => (_schema, value, context) => {
    if (typeof value !== 'string') return noBranch
    const target = context.document.follow(context.origin, keyword, context.scope)
    return [[mustHold(context.constrain.negate(target.schema, target.scope))]]
  }

const negateAny: Readonly<Record<string, NegateKeyword>> = {
  ...negateChildren,
  type,
  enum: (_schema, value) => (Array.isArray(value) ? [[notValues(value as Json[])]] : noBranch),
  const: (_schema, value) => [[notValues([value as Json])]],
  minimum: number(limit => upperBound(limit, true)),
  maximum: number(limit => lowerBound(limit, true)),
  exclusiveMinimum: number(limit => upperBound(limit, false)),
  exclusiveMaximum: number(limit => lowerBound(limit, false)),
  multipleOf,
  minLength: below('minLength', 'string'),
  maxLength: above('maxLength', 'string'),
  pattern,
  format,
  minItems: below('minItems', 'array'),
  maxItems: above('maxItems', 'array'),
  uniqueItems,
  minProperties: below('minProperties', 'object'),
  maxProperties: above('maxProperties', 'object'),
  required: (_schema, value, _context, detail) =>
    stringsIn(value)
      .filter(name => detail === null || name === detail)
      .map(name => branch(kinds.object, forbidProperty(name))),
  allOf: (schema, _value, { constrain, scope }) =>
    subschemas(schema, 'allOf').map(member => [mustHold(constrain.negate(member, scope))]),
  anyOf: (schema, _value, { constrain, scope }) =>
    ownProperty(schema, 'anyOf') === undefined
      ? noBranch
      : [subschemas(schema, 'anyOf').map(member => mustHold(constrain.negate(member, scope)))],
  oneOf,
  not: (schema, _value, { constrain, scope }) => {
    const member = subschema(schema, 'not')
    return member === undefined ? noBranch : [[mustHold(constrain.satisfy(member, scope))]]
  },
  if: conditional,
  $ref: reference('$ref'),
  $dynamicRef: reference('$dynamicRef'),
}

/** Whether values that violate this keyword can be made. */
export const canBreak = (keyword: string): boolean => Object.hasOwn(negateAny, keyword)

/** The ways to violate one keyword of a schema, or one part of it (`detail`). */
export const negateKeyword = (
  schema: SchemaObject,
  keyword: string,
  detail: string | null,
  context: KeywordContext,
): Choice =>
  canBreak(keyword) ? (negateAny[keyword]?.(schema, schema[keyword], context, detail) ?? noBranch) : noBranch
