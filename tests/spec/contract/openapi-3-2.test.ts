/** What OpenAPI 3.2 adds is tested, or named as not tested. */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { createMock } from '../../../mock/index.ts'
import {
  type Contract,
  createRequestJudge,
  isShown,
  loadContract,
  parseJson,
  writeParameter,
} from '../../../spec/index.ts'
import { operationOf, writeDocument } from '../contracts.ts'

const responses = { 200: { summary: 'it went well' }, 400: { description: 'it did not' } }
const document = (paths: object, rest: object = {}): object => ({
  openapi: '3.2.0',
  $self: 'https://example.com/api',
  info: { title: 'New', version: '1' },
  tags: [{ name: 'a', summary: 'A', parent: 'b', kind: 'nav' }],
  paths,
  ...rest,
})

const load = (paths: object, rest: object = {}, strictDocument = true): Promise<Contract> =>
  loadContract({
    from: writeDocument('new.json', JSON.stringify(document(paths, rest), null, 1)),
    strictDocument,
  })

const search = {
  query: {
    operationId: 'search',
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
        },
      },
    },
    responses,
  },
  additionalOperations: { LINK: { operationId: 'link', responses } },
}

test('QUERY and other methods are operations, which the mock answers and the suite tests', async () => {
  const contract = await load({ '/a': search })
  expect(contract.operations.map(({ id, method }) => [id, method])).toEqual([
    ['search', 'QUERY'],
    ['link', 'LINK'],
  ])
  const mock = await createMock({ contract })
  try {
    const ledger = await verify({ contract, include: ['*'], target: mock.url, seed: 1, cases: 60 })
    expect(ledger.findings).toEqual([])
    const methods = new Set(
      ledger.exchanges.map(({ request }) => ('method' in request ? request.method : '')),
    )
    expect([...methods]).toEqual(expect.arrayContaining(['QUERY', 'LINK']))
  } finally {
    await mock.close()
  }
})

test('in OpenAPI 3.1, query is no method', async () => {
  const { operations, warnings } = await load(
    { '/a': { ...search, get: { responses } } },
    { openapi: '3.1.0' },
    false,
  )
  expect(operations.map(({ method }) => method)).toEqual(['GET'])
  expect(warnings.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      '/a has no field "query" in OpenAPI 3.1',
      '/a has no field "additionalOperations" in OpenAPI 3.1',
    ]),
  )
})

test('what is right and not supported is named as not tested, and is no error', async () => {
  const querystring = {
    name: 'all',
    in: 'querystring',
    content: { 'application/json': { schema: {} } },
  }
  const contract = await load({
    '/a': {
      get: {
        operationId: 'a',
        parameters: [querystring],
        responses: { 200: { content: { 'multipart/mixed': { itemSchema: { type: 'object' } } } } },
      },
      post: { operationId: 'b', parameters: [{ ...querystring, required: true }], responses },
      additionalOperations: { FROBNICATE: { operationId: 'c', responses } },
    },
  })
  expect(contract.operations.map(({ id, parameters }) => [id, parameters.length])).toEqual([['a', 0]])
  expect(contract.notTested.map(({ message }) => message)).toEqual([
    'a parameter of the whole query string (in: querystring) is supported as application/x-www-form-urlencoded only: the optional parameter is left out',
    'the items of this stream (itemSchema) are not tested',
  ])
  expect(
    contract.leftOut.map(({ method, isFault, problems }) => [method, isFault, problems[0]?.message]),
  ).toEqual([
    [
      'POST',
      false,
      'a parameter of the whole query string (in: querystring) is supported as application/x-www-form-urlencoded only',
    ],
    ['FROBNICATE', false, 'the method FROBNICATE is not supported'],
  ])
})

test('a form that is the whole query string, and cookies as they are', async () => {
  const form = {
    type: 'object',
    required: ['limit'],
    properties: { limit: { type: 'integer' }, q: { type: 'string' } },
  }
  const parameters = [
    {
      name: 'all',
      in: 'querystring',
      required: true,
      content: { 'application/x-www-form-urlencoded': { schema: form } },
    },
    { name: 'c', in: 'cookie', style: 'cookie', schema: { type: 'string' } },
  ]
  const contract = await load({ '/a': { get: { operationId: 'a', parameters, responses } } })
  const [operation] = contract.operations
  const [all, cookie] = operation?.parameters ?? []
  if (operation === undefined || all === undefined || cookie === undefined)
    throw new Error('nothing was read')
  expect(writeParameter(all, parseJson('{"limit":7,"q":"a b"}')).query).toBe('limit=7&q=a%20b')
  expect(writeParameter(cookie, 'a%b').cookie).toBe('c=a%b')
  expect([isShown(cookie, null, 'a'), isShown(cookie, null, 'a,b')]).toEqual([true, false])
  expect([isShown(cookie, null, 'a%b'), isShown(cookie, null, 'a;b'), isShown(cookie, null, 'é')]).toEqual([
    true,
    false,
    false,
  ])
  const judge = createRequestJudge(contract, operation)
  const broken = (target: string, sent: string): readonly string[] =>
    judge({ target, headers: [['Cookie', sent]], body: null, path: {} }, null).violations.map(({ id }) => id)
  expect(broken('/a?limit=7&q=x', 'c=a%2Fb')).toEqual([])
  expect(broken('/a?limit=x', 'c=1')).toEqual(['a/request/query/all/limit/type/string'])
  expect(broken('/a?q=x', 'c=1')).toEqual(['a/request/query/all/limit/required'])
  expect(broken('/a', 'c=1')).toEqual(['a/request/query/all/required'])
})

test.each([
  ['POST', 'POST must be the field post of the path'],
  ['A B', '"A B" is no method of HTTP'],
])('the additional operation %s is left out', async (method, reason) => {
  const { leftOut } = await load(
    { '/a': { get: { responses }, additionalOperations: { [method]: { responses } } } },
    {},
    false,
  )
  expect(leftOut.map(({ isFault, problems }) => [isFault, problems[0]?.message])).toEqual([[true, reason]])
})

test('a media type may be a reference, also to another file, and a document may be named by its $self', async () => {
  const from = writeDocument(
    'new.json',
    JSON.stringify(
      document(
        {
          '/a': {
            get: {
              operationId: 'a',
              responses: {
                200: {
                  content: {
                    'application/json': { $ref: '#/components/mediaTypes/Shared' },
                    'application/vnd.a+json': { $ref: 'media.yaml' },
                  },
                },
              },
            },
          },
        },
        {
          components: {
            schemas: { A: { type: 'integer' } },
            mediaTypes: { Shared: { schema: { $ref: 'https://example.com/api#/components/schemas/A' } } },
          },
        },
      ),
    ),
  )
  writeFileSync(
    join(dirname(from), 'media.yaml'),
    'schema: { $ref: "https://example.com/api#/components/schemas/A" }\n',
  )
  const contract = await loadContract({ from, strictDocument: true })
  const [ok] = operationOf(contract, 'a').responses
  expect(ok?.media.map(({ type }) => type)).toEqual(['application/json', 'application/vnd.a+json'])
  for (const { schema } of ok?.media ?? [])
    expect(contract.requests.schemas.validator(schema ?? '')('a')).toMatchObject([{ keyword: 'type' }])
})
