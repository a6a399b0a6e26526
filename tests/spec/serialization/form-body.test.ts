import { expect, test } from 'vitest'
import { type Json, loadContract, parseJson, writeForm, writeJson } from '../../../spec/index.ts'
import { contracts, documentWith, formFieldsOf, operationOf, writeDocument } from '../contracts.ts'
import { ids, judge } from '../requests.ts'

const { payments } = contracts
const fields = formFieldsOf(operationOf(payments, 'refund').body)
const form = { 'content-type': 'application/x-www-form-urlencoded', authorization: `Basic ${btoa('a:b')}` }
const refund = (body: string | null, headers: Readonly<Record<string, string>> = form) => ({
  method: 'POST',
  target: '/refunds',
  headers,
  body,
})

test.each([
  [{ amount: 5, reason: 'a b&c=d+é' }, 'amount=5&reason=a%20b%26c%3Dd%2B%C3%A9'],
  [{ lines: [1, 2] }, 'lines=1,2'],
  [{ tags: ['a', 'b,c'] }, 'tags=a&tags=b%2Cc'],
  [{ place: { town: 'x', code: 7 } }, 'place%5Btown%5D=x&place%5Bcode%5D=7'],
  [{ details: { by: 'me' } }, 'details=%7B%22by%22%3A%22me%22%7D'],
  [{ undeclared: 'x' }, 'undeclared=x'],
] as const)('the form of %j is %s, and parses to the same value', (value, text) => {
  expect(writeForm(fields, value as unknown as Json)).toBe(text)
  expect(writeJson(judge(payments, refund(text)).body as Json)).toBe(JSON.stringify(value))
})

test('a plus in a form is a space, and an integer keeps all its digits', () => {
  const { body, violations } = judge(payments, refund('amount=9223372036854775807&reason=a+b'))
  expect(violations).toEqual([])
  expect(body).toEqual(parseJson('{"amount":9223372036854775807,"reason":"a b"}'))
})

test.each([
  ['reason=a', ['body/amount/required']],
  ['amount=x&reason=a', ['body/amount/type/string']],
  ['amount=0&reason=a', ['body/amount/minimum']],
  ['amount=1&reason=', ['body/reason/minLength']],
  ['amount=1&reason=a&express=yes', ['body/express/type/string']],
  ['amount=1&reason=a&lines=1&lines=x', ['body/lines/*/type/string']],
  ['amount=1&reason=a&tags=a&tags=b&tags=c&tags=d', ['body/tags/maxItems']],
  ['amount=1&reason=a&place[x]=1', ['body/place/additionalProperties']],
  ['amount=1&reason=a&details=%7B%7D', ['body/details/by/required']],
  ['amount=1&reason=a&more=1', ['body/additionalProperties']],
  ['', ['body/amount/required', 'body/reason/required']],
] as const)('the form %s breaks %j', (body, expected) => {
  expect(ids(payments, refund(body)).toSorted()).toEqual(expected.map(id => `refund/request/${id}`))
})

test('an optional form may be empty, and another media type is rejected', () => {
  const note = { method: 'PATCH', target: '/notes/n1', headers: form, body: '' }
  expect(ids(payments, note)).toEqual([])
  expect(ids(payments, refund('{}', { ...form, 'content-type': 'application/json' }))).toEqual([
    'refund/request/content-type/undeclared',
  ])
  expect(ids(payments, refund(null, { authorization: form.authorization }))).toEqual([
    'refund/request/body/required/absent',
  ])
})

test.each([
  ['a list of lists', { a: { type: 'array', items: { type: 'array', items: {} } } }, {}],
  [
    'an object in an object of another style',
    { a: { type: 'object', properties: { b: { type: 'object' } } } },
    {},
  ],
  ['a text or an object', { a: { oneOf: [{ type: 'string' }, { type: 'object' }] } }, {}],
  ['no field at all', {}, {}],
  ['fields that depend on others', { a: { type: 'string' } }, { oneOf: [{ required: ['a'] }, {}] }],
])('a form with %s is not judged', async (what, properties, rest) => {
  const encoding = what.includes('style') ? { a: { style: 'form', explode: true } } : {}
  const content = {
    'application/x-www-form-urlencoded': { schema: { type: 'object', properties, ...rest }, encoding },
  }
  const path = {
    post: { operationId: 'send', requestBody: { content }, responses: { 200: { description: '' } } },
  }
  const contract = await loadContract({ from: writeDocument('form.json', documentWith({ '/a': path })) })
  expect(operationOf(contract, 'send').body?.media[0]?.format).toEqual({
    kind: 'opaque',
    reason: 'not all of its fields can be written',
  })
})
