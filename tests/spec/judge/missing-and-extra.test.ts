import { expect, test } from 'vitest'
import { createResponseJudge, obligationsOf } from '../../../spec/index.ts'
import { contractOfBody, operationOf } from '../contracts.ts'
import { ids, json } from '../requests.ts'

const text = { type: 'string' }

// Validators report these at the property, and the requirement is the object's.
test.each<readonly [string, object, string, string]>([
  ['required/a', { required: ['a'], properties: { a: text } }, '{}', 'a/required'],
  [
    'dependentRequired',
    { properties: { a: text, b: text }, dependentRequired: { a: ['b'] } },
    '{"a":"x"}',
    'dependentRequired',
  ],
  [
    'additionalProperties',
    { properties: { a: text }, additionalProperties: false },
    '{"b":1}',
    'additionalProperties',
  ],
  [
    'unevaluatedProperties',
    { allOf: [{ properties: { a: text } }], unevaluatedProperties: false },
    '{"b":1}',
    'unevaluatedProperties',
  ],
])('%s is broken at the object, in requests and responses', async (keyword, schema, value, aspect) => {
  const contract = await contractOfBody({ type: 'object', properties: { p: { type: 'object', ...schema } } })
  const known = new Set(obligationsOf(contract, 'declared').map(({ id }) => id))
  const body = `{"p":${value}}`
  const id = keyword === 'required/a' ? 'a/request/body/p/a/required' : `a/request/body/p/${keyword}`
  expect(ids(contract, { method: 'POST', target: '/a', headers: json, body })).toEqual([id])
  const response = {
    status: 200,
    headers: [['content-type', 'application/json']] as const,
    body: new TextEncoder().encode(body),
  }
  const broken = createResponseJudge(contract, operationOf(contract, 'a'))(response, undefined).map(
    violation => violation.id,
  )
  expect(broken).toEqual([`a/response/200/body/p/${aspect}`])
  expect([id, ...broken].filter(each => !known.has(each))).toEqual([])
})
