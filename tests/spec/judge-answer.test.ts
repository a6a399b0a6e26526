import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Answer,
  type Contract,
  createAnswerJudge,
  type Json,
  loadContract,
  obligationsOf,
  parseJson,
} from '../../spec/index.ts'
import { contracts, documentWith, operationOf, writeDocument } from './contracts.ts'

const answer = (
  status: number,
  body: string | Uint8Array,
  type: string | null = 'application/json',
  headers: Answer['headers'] = [],
): Answer => ({
  status,
  headers: type === null ? headers : [['content-type', type], ...headers],
  body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
})

const flaws = (contract: Contract, id: string, given: Answer, sent?: Json): readonly string[] =>
  createAnswerJudge(contract, operationOf(contract, id))(given, sent).map(flaw =>
    flaw.id.replace(`${id}/response/`, ''),
  )

test.each([
  [answer(200, '{"name":"Fern"}'), []],
  [answer(200, '{"name":"Fern","tag":"a","id":1}', 'Application/JSON; charset=utf-8'), []],
  [answer(200, '{"name":5}'), ['200/body/name/type']],
  [answer(200, '{}'), ['200/body/name/required']],
  [answer(200, '[]'), ['200/body/type']],
  [answer(200, '{"name":"a","name":"a"}'), ['200/duplicate-names']],
  [answer(200, '\ufeff{"name":"a"}'), ['200/bom']],
  [answer(200, Uint8Array.from([0x22, 0xff, 0x22])), ['200/encoding']],
  [answer(200, ''), ['200/json']],
  [answer(200, '{"name":"a"'), ['200/json']],
  [answer(200, '{"name":"a"}', null), ['200/content-type']],
  [answer(200, '{"name":"a"}', 'text/html'), ['200/content-type']],
  [answer(400, '{"error":2147483647,"message":""}'), []],
  [answer(400, '{"error":2147483648,"message":""}'), ['400/body/error/format']],
  [answer(400, '{"error":1.5,"message":""}'), ['400/body/error/type']],
  [answer(400, '{"error":1.0,"message":""}'), []],
  [answer(400, '{}'), ['400/body/error/required', '400/body/message/required']],
  [answer(401, '{}'), ['declared']],
  [answer(500, 'Oops', 'text/plain'), ['declared']],
] as const)('of the plant store the answer %j has the flaws %j', (given, wanted) => {
  expect(flaws(contracts.plantStore, 'createPlant', given)).toEqual(wanted)
})

test('an answer carries what was sent: numbers by value, and may add what was not', () => {
  const { plantStore } = contracts
  const sent = parseJson('{"id":1,"name":"Fern"}')
  expect(flaws(plantStore, 'createPlant', answer(200, '{"name":"Oak"}'), sent)).toEqual(['200/echo/name'])
  expect(flaws(plantStore, 'createPlant', answer(200, '{"name":"Fern"}'), sent)).toEqual([])
  expect(flaws(plantStore, 'createPlant', answer(400, '{"error":1,"message":""}'), sent)).toEqual([])
  const loan = parseJson('{"copies":[9007199254740993],"fee":1.50}')
  const given = answer(201, '{"loanId":1,"copies":[9007199254740993],"fee":1.5}', undefined, [
    ['Location', '/loans/1'],
  ])
  expect(flaws(contracts.library, 'createLoan', given, loan)).toEqual([])
  const rounded = answer(201, '{"loanId":1,"copies":[9007199254740992],"fee":1.5}', undefined, [
    ['Location', '/loans/1'],
  ])
  expect(flaws(contracts.library, 'createLoan', rounded, loan)).toEqual(['201/echo/copies'])
})

const books = '[{"isbn":"123-1234567890","title":"a","year":null,"related":[]}]'
const total = [['X-Total', '9223372036854775807']] as const

test.each([
  ['listBooks', answer(200, books, undefined, total), []],
  ['listBooks', answer(200, books), ['200/headers/x-total']],
  ['listBooks', answer(200, books, undefined, [['x-total', '9223372036854775808']]), ['200/headers/x-total']],
  ['listBooks', answer(200, books, undefined, [...total, ['X-Cursor', 'ABCD']]), ['200/headers/x-cursor']],
  ['listBooks', answer(200, '[]', undefined, total), ['200/body/minItems']],
  ['listBooks', answer(200, books.replace('123-', '12-'), undefined, total), ['200/body/*/isbn/pattern']],
  ['listBooks', answer(200, books.replace('null', '2101'), undefined, total), ['200/body/*/year/maximum']],
  ['listBooks', answer(418, '{"code":1,"message":""}'), []],
  ['listBooks', answer(418, '{"code":1,"message":"","more":1}'), ['4XX/body/additionalProperties']],
  ['listBooks', answer(503, '{"code":"1","message":""}'), ['default/body/code/type']],
  ['getBook', answer(400, '{"code":1,"message":""}'), ['declared']],
  ['removeBook', answer(204, '', null), []],
  ['get-books-bookId-text', answer(200, '\ufefftext', 'text/plain; charset=utf-8'), []],
  ['get-books-bookId-text', answer(200, '{}', 'application/json'), ['200/content-type']],
  [
    'createLoan',
    answer(201, '{"loanId":1,"copies":[]}', undefined, [['location', '/loans/x']]),
    ['201/headers/location'],
  ],
] as const)('of the library %s the answer %j has the flaws %j', (id, given, wanted) => {
  expect(flaws(contracts.library, id, given)).toEqual(wanted)
})

test('each media type of an answer is held to its own schema', async () => {
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
  expect(flaws(contract, 'a', answer(200, '{"a":1}'))).toEqual([])
  expect(flaws(contract, 'a', answer(200, '{"b":1}', 'application/vnd.b+json'))).toEqual([])
  expect(flaws(contract, 'a', answer(200, '{"a":1}', 'application/vnd.b+json'))).toHaveLength(1)
  expect(flaws(contract, 'a', answer(200, 'x', 'text/plain'))).toEqual([])
})

test('what a declared Content-Type header says is ignored, and no answers promised are none broken', async () => {
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
  expect(flaws(contract, 'a', answer(200, '', 'text/html'))).toEqual([])
  expect(flaws(contract, 'b', answer(599, 'x', 'text/html'))).toEqual([])
})

test('whatever an answer holds, its flaws are obligations', () => {
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
          for (const { id, wanted, got } of createAnswerJudge(contract, operation)(
            answer(status, text, type),
            undefined,
          )) {
            expect(known).toContain(id)
            expect(`${wanted}${got}`).not.toContain('undefined')
          }
    }),
    { numRuns: 60 },
  )
})
