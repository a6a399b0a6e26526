/** If neither the document nor the samples have a conforming response, values are made for it: for a body, and for a header. */
import { expect, test } from 'vitest'
import { loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { jsonOf, send, startMock } from '../client.ts'

const responseOf = async (response: object) => {
  const paths = {
    '/a': { get: { operationId: 'get', responses: { 200: { description: 'ok', ...response } } } },
  }
  const contract = await loadContract({ from: writeDocument('odd.json', documentWith(paths)) })
  const { status, headers, body } = await send(await startMock({ contract }), { method: 'GET', path: '/a' })
  expect(status).toBe(200)
  return { headers: new Headers(headers.map(([name, value]) => [name, value])), body }
}
const shown = (schema: object) => ({ content: { 'application/json': { schema } } })

// A warning, which the mock gives if it sends what breaks the contract, fails the test.
test.each<[string, object]>([
  [
    'a property that another one requires',
    {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'integer' }, b: { type: 'string', minLength: 4 } },
      dependentRequired: { a: ['b'] },
    },
  ],
  [
    'a list of items that have to be different',
    {
      type: 'array',
      items: { enum: [1, 2, 3, 4] },
      minItems: 4,
      uniqueItems: true,
    },
  ],
  [
    'an item that has to be among others',
    {
      type: 'array',
      items: { type: 'integer' },
      contains: { minimum: 1_000_000 },
      minItems: 3,
    },
  ],
  [
    'one alternative and not the other',
    {
      oneOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
        { type: 'object', required: ['b'], properties: { b: { type: 'integer' } } },
      ],
      properties: { c: { type: 'string' } },
    },
  ],
  [
    'names of a pattern',
    {
      type: 'object',
      minProperties: 2,
      patternProperties: { '^x-': { type: 'integer', multipleOf: 7 } },
      additionalProperties: false,
    },
  ],
  [
    'what depends on another value',
    {
      type: 'object',
      required: ['kind'],
      properties: { kind: { const: 'box' } },
      if: { properties: { kind: { const: 'box' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['depth'], properties: { depth: { type: 'integer', minimum: 41, maximum: 43 } } },
    },
  ],
  ['what it must not be', { type: 'string', not: { enum: ['string', 'lorem', ''] }, minLength: 1 }],
])('a body with %s', async (_name, schema) => {
  const { body } = await responseOf(shown(schema))
  expect(body.length).toBeGreaterThan(0)
  jsonOf({ status: 200, headers: [], body })
})

test.each<[string, object, RegExp]>([
  ['a pattern', { type: 'string', pattern: '^[A-Z]{3}-[0-9]{4}$' }, /^[A-Z]{3}-\d{4}$/],
  ['a limit', { type: 'integer', minimum: 4711, maximum: 4713 }, /^471[123]$/],
  ['a list', { type: 'array', items: { type: 'integer', minimum: 90 }, minItems: 2 }, /^\d{2,},\d{2,}/],
  ['a length', { type: 'string', minLength: 30, maxLength: 32 }, /^.{30,32}$/],
])('a required header with %s', async (_name, schema, form) => {
  const { headers } = await responseOf({
    headers: { 'X-Odd': { required: true, schema } },
    ...shown({ type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }),
  })
  expect(headers.get('x-odd')).toMatch(form)
})
