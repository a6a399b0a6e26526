import { expect, test } from 'vitest'
import { loadContract } from '../../../spec/index.ts'
import { contractOfBody, documentWith, writeDocument } from '../../spec/contracts.ts'
import { withoutCase } from './without-case.ts'

const text = { type: 'string' }
const integer = { type: 'integer' }

/** Keywords that plain values of their places do not meet. */
const schemas: Readonly<Record<string, object>> = {
  contains: { type: 'array', items: integer, contains: { minimum: 5 }, minContains: 2, maxContains: 3 },
  'contains of objects': {
    type: 'array',
    items: { type: 'object', required: ['kind'], properties: { kind: { enum: ['a', 'b'] } } },
    contains: { properties: { kind: { const: 'a' } } },
  },
  maxContains: { type: 'array', items: integer, contains: { minimum: 5 }, minContains: 0, maxContains: 2 },
  'propertyNames of a pattern': { type: 'object', propertyNames: { pattern: '^[a-z]+$' } },
  'propertyNames of a length': {
    type: 'object',
    propertyNames: { maxLength: 4 },
    additionalProperties: integer,
  },
  'propertyNames of a list': {
    type: 'object',
    propertyNames: { enum: ['a', 'b'] },
    additionalProperties: text,
  },
  'propertyNames of a format': {
    type: 'object',
    propertyNames: { format: 'uuid' },
    additionalProperties: integer,
  },
  minProperties: { type: 'object', additionalProperties: integer, minProperties: 2, maxProperties: 4 },
  unevaluatedProperties: {
    type: 'object',
    allOf: [{ properties: { a: text } }],
    properties: { b: integer },
    unevaluatedProperties: false,
  },
  'unevaluatedProperties of alternatives': {
    anyOf: ['a', 'b'].map(name => ({ type: 'object', required: [name], properties: { [name]: text } })),
    unevaluatedProperties: false,
  },
  unevaluatedItems: { type: 'array', prefixItems: [text, integer], unevaluatedItems: false },
  dependentRequired: {
    type: 'object',
    properties: { a: text, b: text, c: text },
    dependentRequired: { a: ['b', 'c'] },
  },
  dependentSchemas: {
    type: 'object',
    properties: { card: text, address: text },
    dependentSchemas: { card: { required: ['address'], properties: { address: { minLength: 3 } } } },
  },
  'dependentSchemas of undeclared properties': {
    type: 'object',
    properties: { a: text, b: text },
    dependentSchemas: { a: { required: ['b'] }, b: { required: ['n'], properties: { n: integer } } },
  },
  'dependentSchemas of a list that both rule': {
    type: 'object',
    required: ['kind'],
    properties: { kind: { enum: ['a', 'b'] }, n: integer, t: text },
    dependentSchemas: { n: { properties: { kind: { const: 'a' } } } },
  },
}

const places: Readonly<Record<string, (schema: object) => object>> = {
  'the body': schema => schema,
  'a property': schema => ({ type: 'object', required: ['p', 'o'], properties: { p: schema, o: integer } }),
  'an optional property': schema => ({ type: 'object', properties: { p: schema } }),
  'an item': schema => ({ type: 'object', properties: { list: { type: 'array', items: schema } } }),
  'an undeclared property': schema => ({ type: 'object', additionalProperties: schema }),
  'a part': schema => ({ allOf: [schema, { description: 'all' }] }),
}

const cases = Object.keys(schemas).flatMap(keyword =>
  Object.keys(places).map(place => [keyword, place] as const),
)

test.each(cases)('%s in %s: every requirement has a request that tests it', async (keyword, place) => {
  const contract = await contractOfBody(places[place]?.(schemas[keyword] ?? {}) ?? {})
  expect(withoutCase(contract)).toEqual([])
})

test.each(['a', 'b', null])('a required form of optional fields always has some (%s)', async only => {
  const properties = only === null ? undefined : { [only]: text }
  const contract = await loadContract({
    from: writeDocument(
      'form.json',
      documentWith({
        '/a': {
          post: {
            operationId: 'a',
            requestBody: {
              required: true,
              content: {
                'application/x-www-form-urlencoded': {
                  schema: { type: 'object', properties, additionalProperties: text },
                },
              },
            },
            responses: { 200: { description: 'ok' }, 400: { description: 'no' } },
          },
        },
      }),
    ),
  })
  expect(withoutCase(contract)).toEqual([])
})
