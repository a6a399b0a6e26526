/** What users of Prism bring with them: documents with usual faults, and switches in the query. */
import { expect, test } from 'vitest'
import { header, loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { jsonOf, send, startMock } from '../client.ts'

const text = { type: 'string' }
const failure = { type: 'object', required: ['message'], properties: { message: text } }
const json = (schema: object, rest: object = {}) => ({ content: { 'application/json': { schema, ...rest } } })
const ok = { 200: { description: 'ok' } }

const start = async (paths: object, rest: object = {}) => {
  const contract = await loadContract({ from: writeDocument('brought.json', documentWith(paths, rest)) })
  const said: string[] = []
  const mock = await startMock({ contract, warn: message => void said.push(message) })
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    send(mock, { method: 'GET', path, headers })
  return { contract, get, said }
}

test.each([
  ['/fixed.{format}', '/fixed.json', 'format'],
  ['/test:{rpc}', '/test:run', 'rpc'],
  ['/resources/{resource_id}', '/resources/a%20b', 'resource_id'],
])('the parameter of %s need not be declared', async (path, sent, name) => {
  const { contract, get } = await start({ [path]: { get: { responses: ok } } })
  expect(contract.leftOut).toEqual([])
  expect(contract.warnings.map(({ message }) => message)).toEqual([
    `the path parameter "${name}" of ${path} is not declared: any text is taken for its value`,
  ])
  expect(contract.operations[0]?.parameters).toMatchObject([{ name, in: 'path', required: true }])
  expect((await get(sent)).status).toBe(200)
})

test('a response of Swagger 2.0 with examples and no schema is the example', async () => {
  const swagger = {
    swagger: '2.0',
    info: { title: 'a', version: '1' },
    produces: ['application/json'],
    paths: {
      '/a': {
        get: {
          responses: {
            200: { description: 'ok', examples: { 'application/json': { a: 1 }, 'text/plain': 'one' } },
            404: { description: 'no' },
          },
        },
      },
    },
  }
  const contract = await loadContract({ from: writeDocument('swagger.json', JSON.stringify(swagger)) })
  const mock = await startMock({ contract })
  const made = await send(mock, { method: 'GET', path: '/a' })
  expect([header(made.headers, 'content-type'), jsonOf(made)]).toEqual(['application/json', { a: 1 }])
  const plain = await send(mock, { method: 'GET', path: '/a', headers: { Accept: 'text/plain' } })
  expect([header(plain.headers, 'content-type'), new TextDecoder().decode(plain.body)]).toEqual([
    'text/plain',
    'one',
  ])
})

test('XML of which the document does not say how it is written has the defaults of OpenAPI', async () => {
  const Cat = {
    type: 'object',
    required: ['name'],
    properties: { name: text, tags: { type: 'array', items: text } },
  }
  const schema = { $ref: '#/components/schemas/Cat' }
  const content = {
    'application/json': { schema },
    'application/xml': { schema, example: { name: 'Tom', tags: ['a', 'b'] } },
  }
  const { get } = await start(
    { '/cat': { get: { responses: { 200: { description: 'ok', content } } } } },
    { components: { schemas: { Cat } } },
  )
  const made = await get('/cat', { Accept: 'application/xml' })
  expect(header(made.headers, 'content-type')).toBe('application/xml')
  expect(new TextDecoder().decode(made.body)).toContain(
    '<Cat><name>Tom</name><tags>a</tags><tags>b</tags></Cat>',
  )
})

test('an operation that declares only failures answers with one of them', async () => {
  const responses = {
    405: { description: 'no', ...json(failure) },
    500: { description: 'no', ...json(failure) },
  }
  const { get } = await start({ '/a': { get: { responses } } })
  const made = await get('/a')
  expect(made.status).toBe(405)
  expect(jsonOf(made)).toEqual({
    message: 'the document declares no success of get-a: this is the first response that it declares',
  })
})

test.each(['digest', 'negotiate', 'hoba'])(
  'the scheme %s needs a header with its name at least',
  async scheme => {
    const { get } = await start(
      { '/a': { get: { security: [{ s: [] }], responses: { ...ok, 401: { description: 'no' } } } } },
      { components: { securitySchemes: { s: { type: 'http', scheme } } } },
    )
    const status = async (Authorization?: string) =>
      (await get('/a', Authorization === undefined ? {} : { Authorization })).status
    expect(await status()).toBe(401)
    expect(await status('Bearer a')).toBe(401)
    expect(await status(`${scheme.toUpperCase()} username="a"`)).toBe(200)
  },
)

test('a key of content that is no media type is told, and the next one counts', async () => {
  const content = { description: 'a slip', 'application/json': { schema: { type: 'integer' }, example: 7 } }
  const { contract, get } = await start({
    '/a': { get: { responses: { 200: { description: 'ok', content } } } },
  })
  expect(contract.warnings.map(({ message }) => message)).toEqual([
    '"description" is no media type: it is left out',
  ])
  const made = await get('/a')
  expect([header(made.headers, 'content-type'), jsonOf(made)]).toEqual(['application/json', 7])
})

test('a body of which no key of content is a media type leaves out its operation', async () => {
  const requestBody = { content: { json: { schema: { type: 'object' } } } }
  const { contract } = await start({ '/a': { get: { responses: ok }, post: { requestBody, responses: ok } } })
  expect(contract.leftOut).toMatchObject([
    { method: 'POST', problems: [{ message: '"json" is no media type, such as application/json' }] },
  ])
})

const switched = {
  '/a': {
    get: {
      parameters: [{ name: 'q', in: 'query', schema: text }],
      responses: {
        200: {
          description: 'ok',
          ...json(text, { examples: { one: { value: 'first' }, two: { value: 'second' } } }),
        },
        404: { description: 'no', ...json(failure, { example: { message: 'gone' } }) },
      },
    },
  },
  '/own': {
    get: {
      parameters: [{ name: '__code', in: 'query', schema: text }],
      responses: { ...ok, 404: { description: 'no' } },
    },
  },
}

test('__code, __example and __dynamic in a query are preferences, and are named once', async () => {
  const { get, said } = await start(switched)
  expect((await get('/a?__code=404')).status).toBe(404)
  expect(jsonOf(await get('/a?q=x&__example=two'))).toBe('second')
  expect(jsonOf(await get('/a?__dynamic=true'))).not.toBe('first')
  expect(jsonOf(await get('/a'))).toBe('first')
  expect((await get('/a?__code=999')).status).not.toBe(200)
  // The header counts more.
  expect(jsonOf(await get('/a?__example=two', { Prefer: 'example=one' }))).toBe('first')
  expect(said).toEqual([expect.stringContaining('__code in a query is read as Prism reads it')])
})

test('where the document declares such a parameter, it is one', async () => {
  const { get, said } = await start(switched)
  expect((await get('/own?__code=404')).status).toBe(200)
  expect(said).toEqual([])
})
