import { expect, test } from 'vitest'
import { obligationsOf } from '../../../spec/index.ts'
import { contractOfBody } from '../contracts.ts'

const text = { type: 'string' }

/** The keywords of a body for which a value that breaks them has to be rejected. */
const rejected = async (schema: object): Promise<readonly string[]> =>
  obligationsOf(await contractOfBody(schema), 'declared').flatMap(({ family, subject }) =>
    family === 'reject' &&
    subject.kind === 'keyword' &&
    subject.location.place === '' &&
    subject.keyword !== 'type'
      ? [subject.keyword]
      : [],
  )

const limits: Readonly<Record<string, object>> = {
  string: { minLength: 1, maxLength: 2, pattern: '^a', format: 'date' },
  number: { minimum: 1, maximum: 7, exclusiveMinimum: 0, exclusiveMaximum: 8, multipleOf: 2 },
  array: { minItems: 1, maxItems: 3, uniqueItems: true, contains: { const: 1 }, unevaluatedItems: false },
  object: {
    required: ['a'],
    minProperties: 2,
    maxProperties: 3,
    propertyNames: { maxLength: 3 },
    additionalProperties: false,
    dependentRequired: { b: ['c'] },
    dependentSchemas: { c: { required: ['d'] } },
    properties: { a: {}, b: {}, c: {}, d: {}, long: {} },
  },
}
const all = Object.assign({}, ...Object.values(limits)) as object

test.each(Object.entries(limits))(
  'of all keywords only those about a %s can be broken by one',
  async (type, own) => {
    const keywords = Object.keys(own).filter(keyword => keyword !== 'properties')
    expect((await rejected({ ...all, type })).toSorted()).toEqual(keywords.toSorted())
  },
)

test.each<readonly [string, object, boolean]>([
  ['minProperties', { type: 'object', minProperties: 2, required: ['a', 'b'] }, false],
  ['minProperties', { type: 'object', minProperties: 2, required: ['a'] }, true],
  [
    'maxProperties',
    { type: 'object', maxProperties: 1, properties: { a: text }, additionalProperties: false },
    false,
  ],
  [
    'maxProperties',
    { type: 'object', maxProperties: 1, properties: { a: text, b: text }, additionalProperties: false },
    true,
  ],
  [
    'maxProperties',
    { type: 'object', maxProperties: 1, patternProperties: { a: text }, additionalProperties: false },
    true,
  ],
  ['propertyNames', { type: 'object', propertyNames: { type: 'string', description: 'A name.' } }, false],
  ['propertyNames', { type: 'object', propertyNames: true }, false],
  ['propertyNames', { type: 'object', propertyNames: false }, true],
  ['propertyNames', { type: 'object', propertyNames: { type: 'string', minLength: 2 } }, true],
  [
    'propertyNames',
    {
      type: 'object',
      propertyNames: { pattern: '^a' },
      properties: { ab: text },
      additionalProperties: false,
    },
    false,
  ],
  [
    'propertyNames',
    {
      type: 'object',
      propertyNames: { pattern: '^a' },
      properties: { b: text },
      additionalProperties: false,
    },
    true,
  ],
  ['contains', { type: 'array', contains: text, minContains: 0 }, false],
  ['contains', { type: 'array', contains: text, minContains: 0, maxContains: 2 }, true],
  ['unevaluatedItems', { type: 'array', prefixItems: [text], items: text, unevaluatedItems: false }, false],
  ['enum', { type: 'boolean', enum: [false, true] }, false],
  ['enum', { type: ['boolean', 'null'], enum: [true, null] }, true],
])('%s is a requirement only if a value breaks it alone: %j', async (keyword, schema, isBreakable) => {
  expect((await rejected(schema)).includes(keyword)).toBe(isBreakable)
})
