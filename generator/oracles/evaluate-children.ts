import { type Json, type JsonObject, step } from '../../spec/index.ts'
import {
  countOf,
  isSchemaObject,
  namedSchemas,
  ownProperty,
  type Schema,
  type SchemaObject,
  subschema,
  subschemas,
} from '../read/keywords.ts'
import { regExpOf } from '../read/regexp.ts'
import { type Evaluate, type Evaluation, type Fail, isDecided } from './evaluation.ts'

/** Evaluates the keywords that apply schemas to the properties of an object. */
export const evaluateProperties = (
  schema: SchemaObject,
  value: JsonObject,
  evaluation: Evaluation,
  evaluate: Evaluate,
  fail: Fail,
): boolean => {
  const evaluated = evaluation.evaluated?.names
  const children = createChildren<string>(name => value[name] as Json, evaluated, evaluation, evaluate, fail)
  const declared = ownProperty(schema, 'properties')
  if (isSchemaObject(declared))
    for (const [name, member] of namedSchemas(schema, 'properties'))
      if (Object.hasOwn(value, name)) children.apply('properties', member, name)
  const patterns = namedSchemas(schema, 'patternProperties')
  for (const [pattern, member] of patterns)
    for (const name of Object.keys(value))
      if (regExpOf(pattern).test(name)) children.apply('patternProperties', member, name)
  const additional = subschema(schema, 'additionalProperties')
  if (additional !== undefined)
    for (const name of Object.keys(value))
      if (
        !(isSchemaObject(declared) && Object.hasOwn(declared, name)) &&
        !patterns.some(([pattern]) => regExpOf(pattern).test(name))
      )
        children.apply('additionalProperties', additional, name)
  const names = subschema(schema, 'propertyNames')
  if (names !== undefined)
    for (const name of Object.keys(value))
      if (!evaluate(names, name, { ...atChild(evaluation, name), violations: null }))
        children.fail('propertyNames')
  const rest = subschema(schema, 'unevaluatedProperties')
  if (rest !== undefined && evaluated !== undefined)
    for (const name of Object.keys(value))
      if (!evaluated.has(name)) children.apply('unevaluatedProperties', rest, name)
  return children.areValid()
}

/** Evaluates the keywords that apply schemas to the items of an array. */
export const evaluateItems = (
  schema: SchemaObject,
  value: readonly Json[],
  evaluation: Evaluation,
  evaluate: Evaluate,
  fail: Fail,
): boolean => {
  const evaluated = evaluation.evaluated?.items
  const children = createChildren<number>(
    index => value[index] as Json,
    evaluated,
    evaluation,
    evaluate,
    fail,
  )
  const prefix = subschemas(schema, 'prefixItems')
  for (let index = 0; index < Math.min(prefix.length, value.length); index += 1)
    children.apply('prefixItems', prefix[index] as Schema, index)
  const items = subschema(schema, 'items')
  if (items !== undefined)
    for (let index = prefix.length; index < value.length; index += 1) children.apply('items', items, index)
  const contained = subschema(schema, 'contains')
  if (contained !== undefined) {
    let count = 0
    value.forEach((item, index) => {
      if (!evaluate(contained, item, { ...atChild(evaluation, index), violations: null })) return
      count += 1
      evaluated?.add(index)
    })
    const most = countOf(schema, 'maxContains') ?? Number.POSITIVE_INFINITY
    if (count < (countOf(schema, 'minContains') ?? 1) || count > most) children.fail('contains')
  }
  const rest = subschema(schema, 'unevaluatedItems')
  if (rest !== undefined && evaluated !== undefined)
    for (let index = 0; index < value.length; index += 1)
      if (!evaluated.has(index)) children.apply('unevaluatedItems', rest, index)
  return children.areValid()
}

const createChildren = <Key extends string | number>(
  childAt: (key: Key) => Json,
  evaluated: Set<Key> | undefined,
  evaluation: Evaluation,
  evaluate: Evaluate,
  fail: Fail,
) => {
  let valid = true
  return {
    areValid: () => valid,
    fail: (keyword: string): void => {
      valid = fail(keyword, '')
    },
    apply: (keyword: string, schema: Schema, key: Key): void => {
      if (isDecided(valid, evaluation)) return
      evaluated?.add(key)
      // `false` forbids the child: the parent violates the keyword, not the child.
      if (schema === false) valid = fail(keyword, '')
      else if (!evaluate(schema, childAt(key), atChild(evaluation, key))) valid = false
    },
  }
}

const atChild = (evaluation: Evaluation, key: string | number): Evaluation => ({
  ...evaluation,
  evaluated: null,
  instance: evaluation.violations === null ? '' : step(evaluation.instance, key),
})
