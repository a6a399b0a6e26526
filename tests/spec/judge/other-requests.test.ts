import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRequestJudge, obligationsOf } from '../../../spec/index.ts'
import { contractOfBody, contracts } from '../contracts.ts'
import { bearer, ids, json, judge, type Sent } from '../requests.ts'

const key = { 'X-Library-Key': 'right' }
const loan = { copies: [1], borrower: { card: 'abc' } }
const postLoan = (change: object, headers: Sent['headers'] = { ...json, ...key }): Sent => ({
  method: 'POST',
  target: '/loans',
  headers,
  body: JSON.stringify({ ...loan, ...change }),
})
const get = (target: string, headers: Sent['headers'] = key): Sent => ({ method: 'GET', target, headers })

test.each([
  [postLoan({}), []],
  [postLoan({}, { ...json, ...bearer }), []],
  [postLoan({}, json), ['auth/absent']],
  [postLoan({}, { ...json, 'X-Library-Key': '' }), ['auth/empty']],
  [postLoan({ copies: [] }), ['request/body/copies/minItems']],
  [postLoan({ copies: [1, 1] }), ['request/body/copies/uniqueItems']],
  [postLoan({ copies: [0] }), ['request/body/copies/*/minimum']],
  [postLoan({ copies: ['1'] }), ['request/body/copies/*/type/numeral']],
  [postLoan({ borrower: {} }), ['request/body/borrower/oneOf']],
  [postLoan({ borrower: { card: 'ab' } }), ['request/body/borrower/oneOf']],
  [postLoan({ branch: 'east' }), ['request/body/branch/enum']],
  [postLoan({ branch: 3 }), []],
  [postLoan({ until: '2026-02-30' }), ['request/body/until/format']],
  [postLoan({ fee: 0 }), ['request/body/fee/exclusiveMinimum']],
  [postLoan({ fee: 0.125 }), ['request/body/fee/multipleOf']],
  [postLoan({ fee: 19.99 }), []],
  [postLoan({ address: {} }), ['request/body/address/town/required']],
  [postLoan({ address: { town: 'a', code: 'x' } }), ['request/body/address/code/pattern']],
  [postLoan({ notes: { a: 1 } }), ['request/body/notes/*/type/number']],
  [postLoan({ more: 1 }), ['request/body/additionalProperties']],
  [get('/books'), []],
  [get('/books?limit=101'), ['request/query/limit/maximum']],
  [get('/books?limit=ten'), ['request/query/limit/type/string']],
  [get('/books?limit=1.5'), ['request/query/limit/type/string']],
  // A server may take the last one, or the first.
  [get('/books?limit=5&limit=6'), []],
  [get('/books?limit=x&limit=6'), []],
  [get('/books?limit=x&limit=y'), ['request/query/limit/type/string']],
  [get('/books?subject=a&subject=b&shelf=1,2&near=1%201.5&order=title%7Cyear&loaned=true'), []],
  [get('/books?order=title|pages'), ['request/query/order/*/enum']],
  [get('/books?shelf=1,x'), ['request/query/shelf/*/type/string']],
  [get('/books?filter[year]=x'), ['request/query/filter/year/type/string']],
  [get('/books?filter[pages]=1'), ['request/query/filter/additionalProperties']],
  [get('/books?page={}'), ['request/query/page/n/required']],
  [get('/books?page={"n":1}&since=&loaned=false'), []],
  [get('/books?since=now'), ['request/query/since/type/string']],
  [get('/books?loaned=yes'), ['request/query/loaned/type/string']],
  [get('/books', { ...key, 'X-Trace': 'ab, 0f' }), []],
  [
    get('/books', [
      ['X-Library-Key', 'k'],
      ['X-Trace', 'ab'],
      ['x-trace', 'zz'],
    ]),
    ['request/header/X-Trace/*/pattern'],
  ],
  [get('/books/9223372036854775807', {}), []],
  [get('/books/9223372036854775808', {}), ['request/path/bookId/format/above']],
  [get('/books/seven', {}), ['request/path/bookId/type/string']],
  [get('/books/%zz', {}), ['request/path/bookId/type/string']],
  [{ method: 'PUT', target: '/shelves/abc', headers: { ...bearer, 'If-Match': '""' } }, []],
  [{ method: 'PUT', target: '/shelves/abc', headers: bearer }, ['request/header/If-Match/required']],
  [
    { method: 'PUT', target: '/shelves/A', headers: { ...bearer, 'If-Match': '""' } },
    ['request/path/shelf/pattern'],
  ],
] as const)('library: %j breaks %j', (sent, broken) => {
  const found = ids(contracts.library, sent as Sent)
  expect(found.map(id => id.replace(/^[^/]+\//, ''))).toEqual(broken)
})

const basic = { Authorization: `Basic ${Buffer.from('me:secret').toString('base64')}` }
const order = { lines: [{ sku: 'a', quantity: 1, price: 2.5 }], priority: 'low', note: null }
const postOrder = (change: object, headers: Sent['headers'] = { ...json, ...basic }): Sent => ({
  method: 'POST',
  target: '/orders',
  headers,
  body: JSON.stringify({ ...order, ...change }),
})
const uuid = '550e8400-e29b-41d4-a716-446655440000'

test.each([
  [postOrder({}), []],
  [postOrder({}, json), ['auth/absent']],
  [postOrder({}, { ...json, Authorization: 'Basic %%%' }), ['auth/malformed']],
  [postOrder({}, { ...json, Authorization: 'Bearer abc' }), ['auth/wrong-scheme']],
  [postOrder({}, { ...json, Authorization: 'abc' }), ['auth/wrong-scheme']],
  [postOrder({ note: 5 }), ['request/body/note/type/number']],
  [postOrder({ priority: 'none' }), ['request/body/priority/enum']],
  [
    postOrder({ lines: [{ sku: 'a', quantity: 1, price: 0 }] }),
    ['request/body/lines/*/price/exclusiveMinimum'],
  ],
  [postOrder({ lines: [{ sku: 'a', quantity: 1, price: 1_000_000 }] }), []],
  [postOrder({ lines: [{ sku: '', quantity: 1 }] }), ['request/body/lines/*/sku/minLength']],
  [postOrder({ lines: [{ sku: 'a', quantity: 2 ** 31 }] }), ['request/body/lines/*/quantity/format/above']],
  [{ method: 'PATCH', target: `/orders/${uuid}?dry=`, headers: basic }, []],
  [{ method: 'PATCH', target: '/orders/7', headers: basic }, ['request/path/orderId/format']],
] as const)('orders: %j breaks %j', (sent, broken) => {
  const found = ids(contracts.orders, sent as Sent)
  expect(found.map(id => id.replace(/^[^/]+\//, ''))).toEqual(broken)
})

test('a key in the query with invalid percent-encoding is a wrong key, not an error', async () => {
  const contract = await contractOfBody(
    { type: 'object' },
    {
      security: [{ k: [] }],
      components: { securitySchemes: { k: { type: 'apiKey', in: 'query', name: 'k' } } },
    },
  )
  const sent: Sent = { method: 'POST', target: '/a?k=%zz', headers: json, body: '{}' }
  expect(ids(contract, sent)).toEqual([])
  expect(ids(contract, sent, ['right'])).toEqual(['a/auth/wrong-token'])
})

test('the narrower of two declared media types judges the body', async () => {
  const contract = await contractOfBody({ type: 'object' })
  const [operation] = contract.operations
  if (operation?.body == null) throw new Error('no body')
  const wide = {
    ...operation.body.media[0],
    type: '*/*',
    schema: null,
    pointer: '',
    format: { kind: 'opaque', reason: '' } as const,
  }
  const body = { ...operation.body, media: [wide, ...operation.body.media] }
  const found = createRequestJudge(contract, { ...operation, body })(
    {
      target: '/a',
      headers: [['content-type', 'application/json']],
      body: new TextEncoder().encode('[]'),
      path: {},
    },
    null,
  )
  expect(found.violations.map(({ id }) => id)).toEqual(['a/request/body/type/array'])
})

test('every violation of a body is an obligation, reported once and in words', () => {
  const known = new Set(
    [...obligationsOf(contracts.plantStore), ...obligationsOf(contracts.library)].map(({ id }) => id),
  )
  const member = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(0, 1, 0.5, 'a', [], [1, 1], {}, null),
  )
  const names = ['id', 'name', 'tag', 'copies', 'borrower', 'branch', 'until', 'fee', 'address', 'notes', 'x']
  const bodies = fc.oneof(
    fc.dictionary(fc.constantFrom(...names), member, { noNullPrototype: true }),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(bodies, body => {
      const text = JSON.stringify(body)
      for (const { violations } of [
        judge(contracts.plantStore, {
          method: 'POST',
          target: '/plants',
          headers: { ...json, ...bearer },
          body: text,
        }),
        judge(contracts.library, { ...postLoan({}), body: text }),
      ]) {
        expect(violations.filter(({ id }) => !known.has(id))).toEqual([])
        expect(new Set(violations.map(({ id }) => id)).size).toBe(violations.length)
        for (const { message } of violations) expect(message).toMatch(/^(\/|the body)[^\n]+$/)
      }
    }),
    { numRuns: 300 },
  )
})

test('every violation of a query is an obligation', () => {
  const known = new Set(obligationsOf(contracts.library).map(({ id }) => id))
  const names = [
    'limit',
    'subject',
    'shelf',
    'order',
    'near',
    'filter[year]',
    'filter[x]',
    'page',
    'since',
    'loaned',
  ]
  const values = fc.oneof(
    fc.webQueryParameters(),
    fc.constantFrom('1', '0', '1.5', '-1', 'true', '', '{}', 'null', 'a,b', '%', '1e400'),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(...names), values)), pairs => {
      const target = `/books?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`
      expect(ids(contracts.library, get(target)).filter(id => !known.has(id))).toEqual([])
    }),
    { numRuns: 300 },
  )
})
