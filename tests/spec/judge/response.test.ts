import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Contract,
  createResponseJudge,
  type HttpResponse,
  type Json,
  loadContract,
  obligationsOf,
  parseJson,
} from '../../../spec/index.ts'
import { contracts, documentWith, operationOf, writeDocument } from '../contracts.ts'

const response = (
  status: number,
  body: string | Uint8Array,
  type: string | null = 'application/json',
  headers: HttpResponse['headers'] = [],
): HttpResponse => ({
  status,
  headers: type === null ? headers : [['content-type', type], ...headers],
  body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
})

const violated = (contract: Contract, id: string, received: HttpResponse, sent?: Json): readonly string[] =>
  createResponseJudge(contract, operationOf(contract, id))(received, sent).map(violation =>
    violation.id.replace(`${id}/response/`, ''),
  )

test.each([
  [response(200, '{"name":"Fern"}'), []],
  [response(200, '{"name":"Fern","tag":"a","id":1}', 'Application/JSON; charset=utf-8'), []],
  [response(200, '{"name":5}'), ['200/body/name/type']],
  [response(200, '{}'), ['200/body/name/required']],
  [response(200, '[]'), ['200/body/type']],
  [response(200, '{"name":"a","name":"a"}'), ['200/duplicate-names']],
  [response(200, '\ufeff{"name":"a"}'), ['200/bom']],
  [response(200, Uint8Array.from([0x22, 0xff, 0x22])), ['200/encoding']],
  [response(200, ''), ['200/json']],
  [response(200, '{"name":"a"'), ['200/json']],
  [response(200, '{"name":"a"}', null), ['200/content-type']],
  [response(200, '{"name":"a"}', 'text/html'), ['200/content-type']],
  [response(400, '{"error":2147483647,"message":""}'), []],
  [response(400, '{"error":2147483648,"message":""}'), ['400/body/error/format']],
  [response(400, '{"error":1.5,"message":""}'), ['400/body/error/type']],
  [response(400, '{"error":1.0,"message":""}'), []],
  [response(400, '{}'), ['400/body/error/required', '400/body/message/required']],
  [response(401, '{}'), ['declared']],
  [response(500, 'Oops', 'text/plain'), ['declared']],
] as const)('the response %j of the plant store breaks %j', (received, expected) => {
  expect(violated(contracts.plantStore, 'createPlant', received)).toEqual(expected)
})

test('a response repeats what was sent, numbers by value, and may add properties', () => {
  const { plantStore } = contracts
  const sent = parseJson('{"id":1,"name":"Fern"}')
  expect(violated(plantStore, 'createPlant', response(200, '{"name":"Oak"}'), sent)).toEqual([
    '200/echo/name',
  ])
  expect(violated(plantStore, 'createPlant', response(200, '{"name":"Fern"}'), sent)).toEqual([])
  expect(violated(plantStore, 'createPlant', response(400, '{"error":1,"message":""}'), sent)).toEqual([])
  const loan = parseJson('{"copies":[9007199254740993],"fee":1.50}')
  const received = response(201, '{"loanId":1,"copies":[9007199254740993],"fee":1.5}', undefined, [
    ['Location', '/loans/1'],
  ])
  expect(violated(contracts.library, 'createLoan', received, loan)).toEqual([])
  const rounded = response(201, '{"loanId":1,"copies":[9007199254740992],"fee":1.5}', undefined, [
    ['Location', '/loans/1'],
  ])
  expect(violated(contracts.library, 'createLoan', rounded, loan)).toEqual(['201/echo/copies'])
})

const plants = await loadContract({
  from: fileURLToPath(new URL('../../state/plants.openapi.yaml', import.meta.url)),
})

test('a change may be merged into what there was', () => {
  const placed = (id: string, sent: string, got: string) =>
    violated(plants, id, response(200, `{"id":1,"name":"a",${got}}`), parseJson(sent))
  const shelf = '"place":{"room":"x","shelf":3}'
  expect(placed('changePlant', '{"place":{"room":"x"}}', shelf)).toEqual([])
  expect(placed('changePlant', '{"place":{"room":"y"}}', shelf)).toEqual(['200/echo/place'])
  expect(placed('changePlant', '{"place":{"room":"x"},"height":7}', shelf)).toEqual(['200/echo/height'])
  expect(placed('replacePlant', '{"place":{"room":"x"}}', shelf)).toEqual(['200/echo/place'])
})

test('a server may name what it creates, and add nothing else that could have been sent', async () => {
  const text = { type: 'string' }
  const properties = { id: text, name: text, note: text, mark: text, nextToken: text }
  const schema = { type: 'object', properties }
  const content = { 'application/json': { schema } }
  const paths = {
    '/things': {
      post: {
        operationId: 'add',
        parameters: [{ name: 'mark', in: 'query', schema: text }],
        requestBody: { content },
        responses: { 201: { description: 'ok', content } },
      },
    },
  }
  const contract = await loadContract({ from: writeDocument('things.json', documentWith(paths)) })
  const sent = parseJson('{"name":"a"}')
  expect(violated(contract, 'add', response(201, '{"id":"t1","name":"a"}'), sent)).toEqual([])
  expect(violated(contract, 'add', response(201, '{"name":"a","note":"b"}'), sent)).toEqual(['201/echo/note'])
  expect(violated(contract, 'add', response(201, '{"name":"a","mark":"query"}'), sent)).toEqual([])
  const page = parseJson('{"nextToken":"1"}')
  expect(violated(contract, 'add', response(201, '{"nextToken":"2"}'), page)).toEqual([])
  const named = parseJson('{"id":"t2","name":"a"}')
  expect(violated(contract, 'add', response(201, '{"id":"t1","name":"a"}'), named)).toEqual(['201/echo/id'])
})

test('a server may fill in null and defaults, and drop what is not declared, also in the objects of alternatives', async () => {
  const text = { type: 'string' }
  const card = {
    type: 'object',
    required: ['kind', 'number'],
    properties: { kind: { const: 'card' }, number: text, holder: { type: ['string', 'null'] } },
  }
  const cash = {
    type: 'object',
    required: ['kind'],
    properties: { kind: { const: 'cash' }, coins: { type: 'boolean', default: true } },
  }
  const properties = {
    note: { type: ['string', 'null'] },
    free: { type: 'object' },
    pay: { oneOf: [card, cash] },
    all: { type: 'array', items: { oneOf: [card, cash] } },
  }
  const content = { 'application/json': { schema: { type: 'object', properties } } }
  const post = {
    operationId: 'pay',
    requestBody: { content },
    responses: { 201: { description: 'ok', content } },
  }
  const contract = await loadContract({ from: writeDocument('pay.json', documentWith({ '/pay': { post } })) })
  const broken = (sent: object, got: object) =>
    violated(contract, 'pay', response(201, JSON.stringify(got)), parseJson(JSON.stringify(sent)))
  const sent = { kind: 'card', number: '1' }
  const filled = { ...sent, holder: null }
  expect(broken({ pay: sent, all: [sent] }, { note: null, free: null, pay: filled, all: [filled] })).toEqual([
    '201/body/free/type',
  ])
  expect(broken({ pay: { kind: 'cash' } }, { pay: { kind: 'cash', coins: true } })).toEqual([])
  expect(broken({ pay: { ...sent, coins: 7 } }, { pay: filled })).toEqual([])
  expect(broken({ pay: { ...sent, holder: 'a' } }, { pay: sent })).toEqual(['201/echo/pay'])
  expect(broken({ pay: { ...sent, holder: 'a' } }, { pay: { ...filled, number: '1' } })).toEqual([
    '201/echo/pay',
  ])
  expect(broken({ pay: sent }, { pay: { ...sent, other: 1 } })).toEqual(['201/echo/pay'])
  expect(broken({ all: [sent, sent] }, { all: [filled] })).toEqual(['201/echo/all'])
  expect(broken({ free: { a: 1 } }, { free: {} })).toEqual(['201/echo/free'])
})

const written: readonly (readonly [format: string, one: string, other: string, isSame: boolean])[] = [
  ['date-time', '2024-02-29T12:00:00Z', '2024-02-29T12:00:00+00:00', true],
  ['date-time', '2024-02-29T12:00:00.411Z', '2024-02-29t13:00:00.411000+01:00', true],
  ['date-time', '2024-02-29T12:00:00Z', '2024-02-29T12:00:00+01:00', false],
  ['date-time', '2024-02-29T12:00:00.1234567891Z', '2024-02-29T12:00:00.123456Z', false],
  ['date-time', '2024-02-29T12:00:00Z', 'yesterday', false],
  ['time', '12:00:00Z', '12:00:00.000+00:00', true],
  ['time', '12:00:00Z', '12:00:01Z', false],
  ['uuid', '123E4567-E89B-12D3-A456-426614174000', '123e4567-e89b-12d3-a456-426614174000', true],
  ['uuid', '123E4567-E89B-12D3-A456-426614174000', '023e4567-e89b-12d3-a456-426614174000', false],
  ['uri', 'https://example.com', 'https://example.com/', true],
  ['uri', 'https://example.com/a', 'https://example.com/A', false],
  ['decimal', '1.5', '1.50', true],
  ['decimal', '-0', '0.00', true],
  ['decimal', '1.5', '-1.5', false],
  ['decimal', '12345678901234567890.1', '12345678901234567890.2', false],
  ['', '1.5', '1.50', false],
]

test.each(written)('in the format "%s", %s and %s are the same: %s', async (format, one, other, isSame) => {
  const place = format === '' ? { type: 'string' } : { type: 'string', format }
  for (const at of [place, { anyOf: [place, { type: 'null' }] }]) {
    const schema = { type: 'object', properties: { at, all: { type: 'array', items: at } } }
    const content = { 'application/json': { schema } }
    const put = {
      operationId: 'put',
      requestBody: { content },
      responses: { 200: { description: 'ok', content } },
    }
    const contract = await loadContract({ from: writeDocument('at.json', documentWith({ '/at': { put } })) })
    const got = response(200, JSON.stringify({ at: other, all: [other] }))
    const echoes = violated(contract, 'put', got, { at: one, all: [one] }).filter(id => id.includes('/echo/'))
    expect(echoes).toEqual(isSame || other === 'yesterday' ? [] : ['200/echo/at', '200/echo/all'])
  }
})

test('JSON that is deeper than is read is no violation, whatever is in it', () => {
  const deep = `${'['.repeat(501)}${']'.repeat(501)}`
  expect(violated(contracts.plantStore, 'createPlant', response(200, deep))).toEqual([])
  expect(violated(contracts.plantStore, 'createPlant', response(200, `${deep}]`))).toEqual([])
  expect(violated(contracts.plantStore, 'createPlant', response(200, '[]]'))).toEqual(['200/json'])
})

test('in an envelope, a server adds to what was sent', async () => {
  const data = { type: 'object', properties: { name: { type: 'string' }, id: { type: 'string' } } }
  const content = { 'application/json': { schema: { type: 'object', properties: { data } } } }
  const paths = {
    '/things/a': {
      put: {
        operationId: 'change',
        requestBody: { content },
        responses: { 200: { description: 'ok', content } },
      },
    },
  }
  const contract = await loadContract({ from: writeDocument('envelope.json', documentWith(paths)) })
  const sent = parseJson('{"data":{"name":"a"}}')
  expect(violated(contract, 'change', response(200, '{"data":{"id":"1","name":"a"}}'), sent)).toEqual([])
  expect(violated(contract, 'change', response(200, '{"data":{"id":"1","name":"b"}}'), sent)).toEqual([
    '200/echo/data',
  ])
})

const books = '[{"isbn":"123-1234567890","title":"a","year":null,"related":[]}]'
const total = [['X-Total', '9223372036854775807']] as const

test.each([
  ['listBooks', response(200, books, undefined, total), []],
  ['listBooks', response(200, books), ['200/headers/x-total']],
  [
    'listBooks',
    response(200, books, undefined, [['x-total', '9223372036854775808']]),
    ['200/headers/x-total'],
  ],
  ['listBooks', response(200, books, undefined, [...total, ['X-Cursor', 'ABCD']]), ['200/headers/x-cursor']],
  ['listBooks', response(200, '[]', undefined, total), ['200/body/minItems']],
  ['listBooks', response(200, books.replace('123-', '12-'), undefined, total), ['200/body/*/isbn/pattern']],
  ['listBooks', response(200, books.replace('null', '2101'), undefined, total), ['200/body/*/year/maximum']],
  ['listBooks', response(418, '{"code":1,"message":""}'), []],
  ['listBooks', response(418, '{"code":1,"message":"","more":1}'), ['4XX/body/additionalProperties']],
  ['listBooks', response(503, '{"code":"1","message":""}'), ['default/body/code/type']],
  ['getBook', response(400, '{"code":1,"message":""}'), ['declared']],
  ['removeBook', response(204, '', null), []],
  ['get-books-bookId-text', response(200, '\ufefftext', 'text/plain; charset=utf-8'), []],
  ['get-books-bookId-text', response(200, '{}', 'application/json'), ['200/content-type']],
  [
    'createLoan',
    response(201, '{"loanId":1,"copies":[]}', undefined, [['location', '/loans/x']]),
    ['201/headers/location'],
  ],
] as const)('library, %s: the response %j breaks %j', (id, received, expected) => {
  expect(violated(contracts.library, id, received)).toEqual(expected)
})

test('each media type of a response has its own schema', async () => {
  const schema = (name: string) => ({ schema: { type: 'object', required: [name] } })
  const contract = await loadContract({
    from: writeDocument(
      'media.json',
      documentWith({
        '/a': {
          get: {
            operationId: 'a',
            responses: {
              200: {
                description: 'ok',
                content: {
                  'application/json': schema('a'),
                  'application/vnd.b+json': schema('b'),
                  'text/*': {},
                },
              },
            },
          },
        },
      }),
    ),
  })
  expect(violated(contract, 'a', response(200, '{"a":1}'))).toEqual([])
  expect(violated(contract, 'a', response(200, '{"b":1}', 'application/vnd.b+json'))).toEqual([])
  expect(violated(contract, 'a', response(200, '{"a":1}', 'application/vnd.b+json'))).toHaveLength(1)
  expect(violated(contract, 'a', response(200, 'x', 'text/plain'))).toEqual([])
})

test('a declared Content-Type header is ignored, and an operation without responses allows any response', async () => {
  const headers = { 'Content-Type': { required: true, schema: { type: 'integer' } } }
  const contract = await loadContract({
    from: writeDocument(
      'headers.json',
      documentWith({
        '/a': { get: { operationId: 'a', responses: { 200: { description: 'ok', headers } } } },
        '/b': { get: { operationId: 'b' } },
      }),
    ),
  })
  expect(violated(contract, 'a', response(200, '', 'text/html'))).toEqual([])
  expect(violated(contract, 'b', response(599, 'x', 'text/html'))).toEqual([])
})

test('every violation of a response is an obligation', () => {
  const known = new Set(
    Object.values(contracts)
      .flatMap(contract => obligationsOf(contract))
      .map(({ id }) => id),
  )
  const texts = fc.oneof(
    fc.json(),
    fc.constantFrom(
      books,
      books.replace('"a"', '1'),
      '{"lines":[{"sku":1}],"orderId":5}',
      '{"loanId":0.5,"copies":[null]}',
    ),
  )
  const statuses = fc.constantFrom(200, 201, 204, 400, 404, 422, 500)
  const types = fc.constantFrom(null, 'application/json', 'application/problem+json', 'text/plain')
  fc.assert(
    fc.property(statuses, types, texts, (status, type, text) => {
      for (const contract of Object.values(contracts))
        for (const operation of contract.operations)
          for (const { id, expected, actual } of createResponseJudge(contract, operation)(
            response(status, text, type),
            undefined,
          )) {
            expect(known).toContain(id)
            expect(`${expected}${actual}`).not.toContain('undefined')
          }
    }),
    { numRuns: 60 },
  )
})
