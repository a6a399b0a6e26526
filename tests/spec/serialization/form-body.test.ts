import { expect, test } from 'vitest'
import { type Contract, type Json, loadContract, parseJson, writeJson } from '../../../spec/index.ts'
import { writeForm } from '../../../spec/serialization/form-body.ts'
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
  expect(writeForm({ fields }, value as unknown as Json)).toBe(text)
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
  ['a list of lists', { type: 'array', items: { type: 'array', items: {} } }],
  ['an object in an object of another style', { type: 'object', properties: { b: { type: 'object' } } }],
  ['a text or an object', { oneOf: [{ type: 'string' }, { type: 'object' }] }],
])('a field that is %s is not judged, and those beside it are', async (what, a) => {
  const encoding = what.includes('style') ? { a: { style: 'form', explode: true } } : {}
  const schema = { type: 'object', properties: { a, b: { type: 'integer' } } }
  const contract = await formContract({ schema, encoding })
  expect(operationOf(contract, 'send').body?.media[0]?.format).toMatchObject({ kind: 'form', unread: ['a'] })
  expect(contract.notTested.map(({ message }) => message)).toEqual([
    'the field a of application/x-www-form-urlencoded requests (no style can write it) is not tested',
  ])
  expect(broken(contract, 'a=x&b=1')).toEqual([])
  expect(broken(contract, 'a=x&b=y')).toEqual(['body/b/type/string'])
})

test('a form without declared fields, and one whose fields depend on others, are judged', async () => {
  const open = await formContract({ schema: { type: 'object', additionalProperties: { type: 'integer' } } })
  expect(broken(open, 'x=1&y=2')).toEqual([])
  expect(broken(open, 'x=1&y=z')).toEqual(['body/*/type/string'])
  const choice = (kind: string, type: string) => ({
    properties: { kind: { const: kind }, n: { type } },
    required: ['kind', 'n'],
  })
  const either = await formContract({
    schema: { type: 'object', oneOf: [choice('a', 'integer'), choice('b', 'boolean')] },
  })
  expect(broken(either, 'kind=a&n=1')).toEqual([])
  expect(broken(either, 'kind=b&n=true')).toEqual([])
  expect(broken(either, 'kind=b&n=1')).toEqual(['body/oneOf'])
})

test('what has no equals sign is no form, unless it is a field', async () => {
  const contract = await formContract({ schema: { type: 'object', properties: { a: { type: 'string' } } } })
  expect(broken(contract, 'a')).toEqual([])
  expect(broken(contract, 'a/b/c')).toEqual(['body/form'])
  expect(broken(contract, '{"a":"x"}')).toEqual(['body/form'])
})

const formContract = (media: object): Promise<Contract> => {
  const requestBody = { required: true, content: { 'application/x-www-form-urlencoded': media } }
  const path = { post: { operationId: 'send', requestBody, responses: { 200: { description: '' } } } }
  return loadContract({ from: writeDocument('form.json', documentWith({ '/a': path })) })
}

const broken = (contract: Contract, body: string): readonly string[] =>
  ids(contract, { method: 'POST', target: '/a', headers: form, body }).map(id =>
    id.replace('send/request/', ''),
  )
