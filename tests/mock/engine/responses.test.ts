import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'
import {
  createResponseJudge,
  type HttpResponse,
  header,
  isJsonMedia,
  loadContract,
  mediaType,
  type Operation,
  responseFor,
  valueAt,
} from '../../../spec/index.ts'
import { contracts, documentWith, operationOf, writeDocument } from '../../spec/contracts.ts'
import { bearer, json, jsonOf, send, startMock } from '../client.ts'

type Name = keyof typeof contracts

const key = { 'X-Library-Key': 'any' }
const basic = { Authorization: `Basic ${btoa('me:secret')}` }
const uuid = '550e8400-e29b-41d4-a716-446655440000'
const loan = '{"copies":[9223372036854775806,9007199254740993],"borrower":{"guest":true},"fee":1.50}'
const order = '{"lines":[{"sku":"a","quantity":1,"price":2.5}],"priority":"low","note":null}'
const patch = { ...basic, 'Content-Type': 'application/merge-patch+json' }

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const payment = '{"amount":5,"currency":"EUR","means":{"kind":"transfer","account":"DE123"}}'

// One request for each declared response that a request can cause.
const rows: readonly (readonly [Name, string, number, string, Readonly<Record<string, string>>, string?])[] =
  [
    [
      'plantStore',
      'createPlant',
      200,
      '/plants',
      { ...bearer, ...json },
      '{"id":1,"name":"Fern","tag":"green"}',
    ],
    ['plantStore', 'createPlant', 200, '/plants', { ...bearer, ...json }, '{"id":1,"name":"Fern"}'],
    ['plantStore', 'createPlant', 400, '/plants', { ...bearer, ...json }, '{"id":1}'],
    ['plantStore', 'createPlant', 400, '/plants', json, '{"id":1,"name":"Fern"}'],
    ['library', 'listBooks', 200, '/books', key],
    ['library', 'listBooks', 400, '/books?limit=0', key],
    ['library', 'listBooks', 401, '/books', {}],
    ['library', 'getBook', 200, '/books/1', {}],
    ['library', 'getBook', 404, '/books/x', {}],
    ['library', 'removeBook', 204, '/books/1', bearer],
    ['library', 'removeBook', 401, '/books/1', {}],
    ['library', 'removeBook', 400, '/books/x', bearer],
    ['library', 'get-books-bookId-text', 200, '/books/1/text', {}],
    ['library', 'get-books-bookId-text', 400, '/books/x/text', {}],
    ['library', 'createLoan', 201, '/loans', { ...key, ...json }, loan],
    ['library', 'createLoan', 400, '/loans', { ...key, ...json }, '{}'],
    ['library', 'createLoan', 401, '/loans', json, loan],
    [
      'library',
      'putShelf',
      200,
      '/shelves/abc',
      { ...bearer, ...json, 'If-Match': '"1"' },
      '{"label":"a","inside":[{"label":"b"}]}',
    ],
    ['library', 'putShelf', 200, '/shelves/abc', { ...bearer, 'If-Match': '"1"' }],
    ['library', 'putShelf', 400, '/shelves/abc', bearer],
    ['library', 'sendFeedback', 202, '/feedback', form, 'text=a'],
    ['library', 'sendFeedback', 415, '/feedback', json, '{}'],
    ['orders', 'placeOrder', 201, '/orders', { ...basic, ...json }, order],
    ['orders', 'placeOrder', 422, '/orders', { ...basic, ...json }, '{}'],
    ['orders', 'placeOrder', 401, '/orders', json, order],
    ['orders', 'patch-orders-orderId', 200, `/orders/${uuid}`, patch, '{"note":"soon"}'],
    ['orders', 'patch-orders-orderId', 200, `/orders/${uuid}`, basic],
    ['orders', 'patch-orders-orderId', 400, '/orders/7', patch, '{}'],
    ['payments', 'pay', 201, '/payments', { ...basic, ...json }, payment],
    ['payments', 'pay', 400, '/payments', { ...basic, ...json }, payment.replace('transfer', 'card')],
    ['payments', 'pay', 401, '/payments', json, payment],
    ['payments', 'refund', 200, '/refunds', { ...basic, ...form }, 'amount=5&reason=a+b&lines=1,2'],
    ['payments', 'refund', 400, '/refunds', { ...basic, ...form }, 'amount=five&reason=a'],
    ['payments', 'changeNote', 204, '/notes/n1', { ...basic, ...form }, 'pinned=true'],
    ['payments', 'changeNote', 400, '/notes/n1', { ...basic, ...form }, 'pinned=maybe'],
  ]

test('every operation of the documents has a row', () => {
  for (const [name, { operations }] of Object.entries(contracts))
    for (const { id } of operations) expect(rows.some(row => row[0] === name && row[1] === id)).toBe(true)
})

/** The validator of a response, by an Ajv without any code of this project. */
const plainAjv = (name: Name, operation: Operation, response: HttpResponse): ValidateFunction | null => {
  const clause = responseFor(operation, response.status)
  const type = mediaType(header(response.headers, 'content-type'))
  const media = clause?.media.find(declared => declared.type === type)
  if (media?.schema == null || type === null || !isJsonMedia(type)) return null
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ;(formats as unknown as (instance: Ajv2020) => void)(ajv)
  return ajv.compile({
    ...(valueAt(contracts[name].document, media.schema) as object),
    paths: contracts[name].document.paths,
    components: contracts[name].document.components,
  })
}

const complete = rows.map(
  ([name, id, status, path, headers, body = null]) => [name, id, status, path, headers, body] as const,
)

test.each(complete)(
  '%s: %s answers %d to %s, and the response conforms',
  async (name, id, status, path, headers, body) => {
    const operation = operationOf(contracts[name], id)
    const mock = await startMock({ contract: contracts[name] })
    const response = await send(mock, {
      method: operation.method,
      path,
      headers,
      ...(body === null ? {} : { body }),
    })
    expect(response.status).toBe(status)
    expect(createResponseJudge(mock.contract, operation)(response, undefined)).toEqual([])
    const validate = plainAjv(name, operation, response)
    if (validate !== null) {
      validate(JSON.parse(Buffer.from(response.body).toString()))
      expect(validate.errors).toBeNull()
    }
  },
)

test('a response carries what was sent, digit for digit', async () => {
  const mock = await startMock({ contract: contracts.library })
  const response = await send(mock, {
    method: 'POST',
    path: '/loans',
    headers: { ...key, ...json },
    body: loan,
  })
  expect(Buffer.from(response.body).toString()).toContain(
    '"copies":[9223372036854775806,9007199254740993],"fee":1.50',
  )
})

test('the largest int64 is a valid id, and the next number is not', async () => {
  const mock = await startMock({ contract: contracts.library })
  const largest = await send(mock, { method: 'GET', path: '/books/9223372036854775807' })
  expect(Buffer.from(largest.body).toString()).toContain('"bookId":9223372036854775807,')
  const next = await send(mock, { method: 'GET', path: '/books/9223372036854775808' })
  expect([next.status, jsonOf(next)]).toEqual([
    404,
    { code: 31, message: 'the path parameter bookId must be an int64' },
  ])
})

test('optional properties that were not sent are not made up', async () => {
  const mock = await startMock()
  const response = await send(mock, {
    method: 'POST',
    path: '/plants',
    headers: { ...bearer, ...json },
    body: '{"id":1,"name":""}',
  })
  expect(jsonOf(response)).toEqual({ name: '' })
})

test('equal requests get equal responses, also from another mock, and whatever Accept says', async () => {
  const request = { method: 'GET', path: '/books', headers: key }
  const first = await startMock({ contract: contracts.library })
  const second = await startMock({ contract: contracts.library })
  const texts = new Set<string>()
  for (const mock of [first, second, first])
    for (const Accept of ['*/*', 'text/html', 'application/json', '%%%']) {
      const response = await send(mock, { ...request, headers: { ...key, Accept } })
      expect(response.status).toBe(200)
      texts.add(Buffer.from(response.body).toString())
    }
  expect(texts.size).toBe(1)
})

test('HEAD gets the response to GET, without the body', async () => {
  const mock = await startMock({ contract: contracts.library })
  const get = await send(mock, { method: 'GET', path: '/books/7' })
  const head = await send(mock, { method: 'HEAD', path: '/books/7' })
  expect(head.status).toBe(200)
  expect(head.body).toHaveLength(0)
  expect(header(head.headers, 'content-length')).toBe(String(get.body.length))
})

test('examples may have members that name a schema in JSON Schema', async () => {
  const example = { $id: 'x-1', $anchor: 'a', name: 'Fern' }
  const instance = { type: 'object', example, properties: { name: { type: 'string' } } }
  const schema = {
    type: 'object',
    required: ['one', 'other'],
    properties: { one: instance, other: { ...instance } },
  }
  const content = { 'application/json': { schema } }
  const paths = { '/a': { get: { responses: { 200: { description: 'ok', content } } } } }
  const contract = await loadContract({ from: writeDocument('id.json', documentWith(paths)) })
  const mock = await startMock({ contract })
  const response = await send(mock, { method: 'GET', path: '/a' })
  expect([response.status, jsonOf(response)]).toEqual([200, { one: example, other: example }])
})

test('a schema that refers to nothing but itself has no notes of the library in its values', async () => {
  const schema = { $ref: '#/components/schemas/Loop' }
  const contract = await loadContract({
    from: writeDocument(
      'loop.json',
      documentWith(
        {
          '/a': {
            get: { responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } } },
          },
        },
        { components: { schemas: { Loop: schema } } },
      ),
    ),
  })
  const mock = await startMock({ contract, warn: () => undefined })
  expect(jsonOf(await send(mock, { method: 'GET', path: '/a' }))).toEqual({})
})
