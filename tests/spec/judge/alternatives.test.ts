/** A value that fits no alternative is told what it breaks of the one that it is meant to fit. */
import { expect, test } from 'vitest'
import { createRequestJudge, type RequestViolation } from '../../../spec/index.ts'
import { contractOfBody } from '../contracts.ts'
import { json } from '../requests.ts'

const text = { type: 'string' }
const kind = (value: string, properties: object): object => ({
  type: 'object',
  required: ['type', ...Object.keys(properties)],
  properties: { type: { const: value }, ...properties },
})
const schemas = {
  Card: kind('card', { last4: { type: 'string', pattern: '^[0-9]{4}$' } }),
  Invoice: kind('invoice', { due: { type: 'string', format: 'date' } }),
  Cat: {
    type: 'object',
    required: ['petType', 'lives'],
    properties: { petType: text, lives: { type: 'integer' } },
  },
  Dog: { type: 'object', required: ['petType', 'bark'], properties: { petType: text, bark: text } },
}
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` })
const schema = {
  type: 'object',
  properties: {
    payment: { oneOf: [ref('Card'), ref('Invoice')] },
    pet: {
      oneOf: [ref('Cat'), ref('Dog')],
      discriminator: { propertyName: 'petType', mapping: { dog: ref('Dog') } },
    },
    maybe: { oneOf: [{ type: 'null' }, ref('Card')] },
    size: {
      anyOf: [
        { type: 'integer', minimum: 1 },
        { type: 'string', minLength: 1 },
      ],
    },
    nested: { oneOf: [{ oneOf: [text, { type: 'integer' }, { type: 'null' }] }, { type: 'array' }] },
    either: { oneOf: [{ required: ['a'] }, { required: ['b'] }], type: 'object' },
  },
}
const contract = await contractOfBody(schema, { components: { schemas } })
const [operation] = contract.operations

const broken = (body: object): readonly RequestViolation[] => {
  if (operation === undefined) throw new Error('there is no operation')
  const request = {
    target: '/a',
    headers: Object.entries(json),
    body: new TextEncoder().encode(JSON.stringify(body)),
    path: {},
  }
  return createRequestJudge(contract, operation)(request, null).violations
}

test('what may be null besides is judged by its own keywords', () => {
  expect(broken({ maybe: null })).toEqual([])
  expect(broken({ maybe: { type: 'card' } })).toMatchObject([
    { id: 'a/request/body/maybe/last4/required', message: '/maybe/last4 is missing' },
  ])
  expect(broken({ maybe: 1 })).toMatchObject([{ id: 'a/request/body/maybe/type/number' }])
})

test.each([
  [{ payment: { type: 'cash' } }, '/payment/type must be one of "card", "invoice"', '/payment/type'],
  [{ payment: {} }, '/payment/type is missing', '/payment/type'],
  [{ payment: { type: 'card' } }, '/payment/last4 is missing', '/payment/last4'],
  [{ payment: { type: 'card', last4: '12345' } }, '/payment/last4 must match `^[0-9]{4}$`', '/payment/last4'],
  [{ payment: { type: 'invoice', due: 1 } }, '/payment/due must be a string', '/payment/due'],
  [{ payment: 'card' }, '/payment must fit exactly one alternative of `oneOf`', '/payment'],
  [{ pet: { petType: 'Fish' } }, '/pet/petType must be one of "Cat", "Dog"', '/pet/petType'],
  [{ pet: { petType: 'Cat' } }, '/pet/lives is missing', '/pet/lives'],
  [{ size: 0 }, '/size must be at least 1', '/size'],
  [{ size: '' }, '/size must have at least 1 character', '/size'],
  [{ size: true }, '/size must fit an alternative of `anyOf`', '/size'],
  [{ nested: true }, '/nested must fit exactly one alternative of `oneOf`', '/nested'],
  [{ either: {} }, '/either must fit exactly one alternative of `oneOf`', '/either'],
])('%j: %s', (body, message, place) => {
  const property = Object.keys(body)[0]
  expect(broken(body)).toMatchObject([
    {
      id: expect.stringMatching(`^a/request/body/${property}/(?:one|any)Of$`),
      message,
      at: { in: 'body', place },
    },
  ])
})
