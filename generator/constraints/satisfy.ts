import type { Decimal, Json } from '../../spec/index.ts'
import { drawnFormats } from '../domains/formats.ts'
import { integerRange } from '../domains/integer-range.ts'
import { decimalOf } from '../domains/numbers.ts'
import { countOf, type SchemaObject, stringsIn, subschema, subschemas } from '../read/keywords.ts'
import { inPlace, type KeywordContext, kindsOfType } from './normal-form.ts'
import {
  atLeast,
  atMost,
  type Choice,
  lowerBound,
  mustHold,
  onArray,
  onlyKinds,
  onlyValues,
  onNumber,
  onString,
  type RewriteStep,
  requireProperties,
  upperBound,
} from './rewrite-steps.ts'
import { noChoice, oneBranch, type SatisfyKeyword, satisfyChildren } from './satisfy-children.ts'

const number =
  (step: (limit: Decimal) => RewriteStep): SatisfyKeyword =>
  (_schema, value) => {
    const limit = decimalOf(value)
    return limit === undefined ? noChoice : oneBranch(step(limit))
  }

const count =
  (keyword: string, step: (limit: number) => RewriteStep): SatisfyKeyword =>
  schema => {
    const limit = countOf(schema, keyword)
    return limit === undefined ? noChoice : oneBranch(step(limit))
  }

const format: SatisfyKeyword = (_schema, value) => {
  const range = integerRange(value)
  // The range bounds whole numbers; that no fraction is allowed is up to `type`.
  const bounds = range === undefined ? [] : [lowerBound(range.low, false), upperBound(range.high, false)]
  const isDrawn = typeof value === 'string' && drawnFormats.has(value)
  const texts = isDrawn ? [onString(({ formats }) => ({ formats: [...formats, value] }))] : []
  return bounds.length + texts.length === 0 ? noChoice : oneBranch(...bounds, ...texts)
}

const reference: (keyword: '$ref' | '$dynamicRef') => SatisfyKeyword =
  keyword => (_schema, value, context) => {
    if (typeof value !== 'string') return noChoice
    const target = context.document.follow(context.origin, keyword, context.scope)
    return oneBranch(mustHold(inPlace(context, target.schema, target.scope)))
  }

const conditional: SatisfyKeyword = (schema, _value, context) => {
  const condition = subschema(schema, 'if')
  const [yes, no] = [subschema(schema, 'then'), subschema(schema, 'else')]
  const { constrain, scope, document } = context
  if (condition === undefined) return noChoice
  if (yes === undefined && no === undefined && !document.hasUnevaluated) return noChoice
  return [
    [
      [
        mustHold(constrain.satisfy(condition, scope)),
        ...(yes === undefined ? [] : [mustHold(inPlace(context, yes))]),
      ],
      [
        mustHold(constrain.negate(condition, scope), false),
        ...(no === undefined ? [] : [mustHold(inPlace(context, no))]),
      ],
    ],
  ]
}

const oneOf: SatisfyKeyword = (schema, _value, context) => {
  const members = subschemas(schema, 'oneOf')
  return [
    members.map((chosen, at) => [
      mustHold(inPlace(context, chosen)),
      ...members.flatMap((other, index) =>
        index === at ? [] : [mustHold(context.constrain.negate(other, context.scope), false)],
      ),
    ]),
  ]
}

const satisfyAny: Readonly<Record<string, SatisfyKeyword>> = {
  ...satisfyChildren,
  type: (_schema, value) =>
    oneBranch(
      onlyKinds((Array.isArray(value) ? value : [value]).reduce((mask, type) => mask | kindsOfType(type), 0)),
    ),
  enum: (_schema, value) => (Array.isArray(value) ? oneBranch(onlyValues(value as Json[])) : noChoice),
  const: (_schema, value) => oneBranch(onlyValues([value as Json])),
  minimum: number(limit => lowerBound(limit, false)),
  maximum: number(limit => upperBound(limit, false)),
  exclusiveMinimum: number(limit => lowerBound(limit, true)),
  exclusiveMaximum: number(limit => upperBound(limit, true)),
  multipleOf: number(step =>
    onNumber(({ multiples }) => ({ multiples: step.coefficient > 0n ? [...multiples, step] : multiples })),
  ),
  minLength: count('minLength', limit => atLeast('string', limit)),
  maxLength: count('maxLength', limit => atMost('string', limit)),
  pattern: (_schema, value) =>
    typeof value === 'string'
      ? oneBranch(onString(({ patterns }) => ({ patterns: [...patterns, value] })))
      : noChoice,
  format,
  minItems: count('minItems', limit => atLeast('array', limit)),
  maxItems: count('maxItems', limit => atMost('array', limit)),
  uniqueItems: (_schema, value) => (value === true ? oneBranch(onArray(() => ({ unique: true }))) : noChoice),
  minProperties: count('minProperties', limit => atLeast('object', limit)),
  maxProperties: count('maxProperties', limit => atMost('object', limit)),
  required: (_schema, value) => oneBranch(requireProperties(stringsIn(value))),
  allOf: (schema, _value, context) => [
    [subschemas(schema, 'allOf').map(member => mustHold(inPlace(context, member)))],
  ],
  anyOf: (schema, _value, context) => [
    subschemas(schema, 'anyOf').map(member => [mustHold(inPlace(context, member))]),
  ],
  oneOf,
  not: (schema, _value, { constrain, scope }) => {
    const member = subschema(schema, 'not')
    return member === undefined ? noChoice : oneBranch(mustHold(constrain.negate(member, scope), false))
  },
  if: conditional,
  $ref: reference('$ref'),
  $dynamicRef: reference('$dynamicRef'),
}

/** What satisfying one keyword of a schema comes to. */
export const satisfyKeyword = (
  schema: SchemaObject,
  keyword: string,
  context: KeywordContext,
): readonly Choice[] =>
  Object.hasOwn(satisfyAny, keyword)
    ? (satisfyAny[keyword]?.(schema, schema[keyword], context) ?? noChoice)
    : noChoice
