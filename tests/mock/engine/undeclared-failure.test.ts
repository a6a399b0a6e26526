/** A failure that the document does not declare has the shape of those that it does, and else that of RFC 9457. */
import { expect, test } from 'vitest'
import { type HttpResponse, header, loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { bearer, exchange, head, json, jsonOf, send, startMock } from '../client.ts'

const problem = {
  type: 'object',
  required: ['type', 'title', 'status', 'fault'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    fault: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
    detail: { type: 'string' },
    instance: { type: 'string' },
  },
}
const user = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
const ok = { 200: { description: 'ok' } }
const failing = (status: number, schema: object, headers = {}) => ({
  ...ok,
  [status]: { description: 'no', headers, content: { 'application/problem+json': { schema } } },
})
const login = {
  requestBody: { required: true, content: { 'application/json': { schema: user } } },
  security: [{ key: [] }],
}

/** `POST /login` declares no failure; `others` does. */
const startWith = async (others: object) => {
  const paths = {
    '/login': { post: { ...login, responses: ok } },
    '/odd': { get: { responses: failing(500, { type: 'object', properties: { odd: { type: 'string' } } }) } },
    ...others,
  }
  const components = { securitySchemes: { key: { type: 'http', scheme: 'bearer' } }, schemas: { problem } }
  const text = documentWith(paths, { components })
  return startMock({ contract: await loadContract({ from: writeDocument('login.json', text) }) })
}

const ref = { $ref: '#/components/schemas/problem' }
const retry = { 'Retry-After': { required: true, schema: { type: 'integer' } } }
const shaped = {
  '/a': { get: { responses: failing(404, ref, retry) } },
  '/b': { get: { responses: failing(503, ref) } },
}
const seen = (response: HttpResponse) => [
  response.status,
  header(response.headers, 'content-type'),
  jsonOf(response),
]
const post = (path: string, headers: Readonly<Record<string, string>> = {}) => ({
  method: 'POST',
  path,
  headers: { ...json, ...bearer, ...headers },
  body: '{}',
})

test('the shape is the one that most operations declare, without the headers of its status', async () => {
  const mock = await startWith(shaped)
  const response = await send(mock, post('/login'))
  expect(seen(response)).toEqual([
    400,
    'application/problem+json',
    {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: '/name is missing',
      instance: '/login',
      fault: { message: '/name is missing' },
    },
  ])
  expect(header(response.headers, 'retry-after')).toBe(null)
})

test.each([
  ['missing credentials', { ...post('/login'), headers: json }, 401],
  ['another media type', post('/login', { 'Content-Type': 'text/plain' }), 415],
  [
    'a preferred status that is not declared',
    { ...post('/login', { Prefer: 'code=404' }), body: '{"name":"a"}' },
    400,
  ],
  ['an undeclared path', post('/nowhere'), 404],
  ['an undeclared method', post('/a'), 405],
])('%s: the failure has that shape', async (_, request, status) => {
  const response = await send(await startWith(shaped), request)
  expect(response.status).toBe(status)
  expect(jsonOf(response)).toMatchObject({ status, fault: { message: expect.any(String) } })
})

test('an operation’s own failures come first', async () => {
  const own = { type: 'object', required: ['msg'], properties: { msg: { type: 'string' } } }
  const mock = await startWith({ ...shaped, '/own': { post: { ...login, responses: failing(503, own) } } })
  expect(seen(await send(mock, post('/own')))).toEqual([
    400,
    'application/problem+json',
    { msg: '/name is missing' },
  ])
})

test('a scenario’s undeclared status has it as well', async () => {
  const mock = await startWith(shaped)
  await mock.scenarios.set('post-login', { status: 503, undeclared: true, message: 'back soon' })
  const response = await send(mock, post('/login'))
  expect([response.status, jsonOf(response)]).toEqual([
    503,
    expect.objectContaining({ status: 503, title: 'Service Unavailable', fault: { message: 'back soon' } }),
  ])
})

test('a document without any failure gets problem details, with all reasons and their places', async () => {
  const paths = {
    '/a': {
      post: {
        ...login,
        security: [],
        parameters: [{ name: 'n', in: 'query', required: true, schema: { type: 'integer' } }],
        responses: ok,
      },
    },
  }
  const contract = await loadContract({ from: writeDocument('bare.json', documentWith(paths)) })
  const mock = await startMock({ contract })
  const details = ['the query parameter n must be an integer', '/name is missing']
  expect(seen(await send(mock, post('/a?n=x')))).toEqual([
    400,
    'application/problem+json',
    {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: details.join('; '),
      code: 31,
      errors: [
        { detail: details[0], in: 'query', name: 'n' },
        { detail: details[1], in: 'body', pointer: '/name' },
      ],
    },
  ])
  expect(seen(await send(mock, post('/nowhere')))).toMatchObject([
    404,
    'application/problem+json',
    { code: 40 },
  ])
  const text = await exchange(mock, head('NONSENSE'))
  expect(text).toContain('Content-Type: application/problem+json')
  expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ title: 'Bad Request', status: 400 })
})
