/** Servers that conform to contracts with features that the plant store's has not: none of them may be blamed. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { createMock } from '../../../mock/index.ts'
import type { Ledger } from '../../../spec/index.ts'
import { conclusionSoFar } from '../../conclusion-so-far.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const ok = { description: 'ok' }
const failed = { description: 'rejected' }
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

type Answer = (request: IncomingMessage, body: unknown) => readonly [status: number, body?: unknown]

/** Starts a server that reads JSON and answers 400 to anything else. */
const serve = async (answer: Answer): Promise<string> => {
  const server = createServer(async (request, response) => {
    const [status, body] = await request
      .toArray()
      .then(chunks => {
        const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
        const isJson = /^application\/json *(?:;|$)/i.test(request.headers['content-type'] ?? '')
        if (request.method !== 'GET' && !isJson) throw new TypeError('not JSON')
        return answer(request, text === '' ? undefined : JSON.parse(text))
      })
      .catch((): readonly [number, unknown?] => [400])
    response.writeHead(status, body === undefined ? {} : { 'Content-Type': 'application/json' })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const verified = async (target: string, document: string): Promise<Ledger> => {
  const contract = writeDocument('api.json', document)
  return verify({ target, contract, include: ['*'], seed: 4, strict: true, sustained: 0, cases: 600 })
}

const expectConformant = (ledger: Ledger): void => {
  expect(ledger.findings).toEqual([])
  expect(conclusionSoFar(ledger)).toBe('conformant')
}

test('a server that makes the id and never shows the password', async () => {
  let id = 0
  const target = await serve(({ method, url }, body) => {
    if (url?.split('?')[0] !== '/users' || method !== 'POST') return [404]
    if (!isObject(body) || typeof body.name !== 'string' || typeof body.password !== 'string') return [400]
    id += 1
    return [201, { id, name: body.name }]
  })
  const User = {
    type: 'object',
    required: ['id', 'name', 'password'],
    properties: {
      id: { type: 'integer', readOnly: true },
      name: { type: 'string' },
      password: { type: 'string', writeOnly: true },
    },
  }
  const post = {
    operationId: 'addUser',
    requestBody: { required: true, ...json(ref('User')) },
    responses: { 201: { ...ok, ...json(ref('User')) }, 400: failed },
  }
  const document = documentWith({ '/users': { post } }, { components: { schemas: { User } } })
  const ledger = await verified(target, document)
  expectConformant(ledger)
  const ids = ledger.start.obligations.map(each => each.id)
  expect(ids).toContain('addUser/response/201/echo/name')
  expect(ids).not.toContain('addUser/response/201/echo/password')
  expect(ids.filter(each => each.includes('/request/body/id'))).toEqual([])
})

test('a server that tells kinds apart by a discriminator', async () => {
  const target = await serve((_request, body) => {
    if (!isObject(body)) return [400]
    if (body.kind === 'cat') return Number.isInteger(body.lives) ? [200] : [400]
    return body.kind === 'Dog' && (body.bark === undefined || typeof body.bark === 'string') ? [200] : [400]
  })
  const kind = { type: 'string' }
  const Pet = {
    oneOf: [ref('Cat'), ref('Dog')],
    discriminator: { propertyName: 'kind', mapping: { cat: 'Cat' } },
  }
  const Cat = {
    type: 'object',
    required: ['kind', 'lives'],
    properties: { kind, lives: { type: 'integer', format: 'int32' } },
  }
  const Dog = { type: 'object', required: ['kind'], properties: { kind, bark: { type: 'string' } } }
  const post = {
    operationId: 'addPet',
    requestBody: { required: true, ...json(Pet) },
    responses: { 200: ok, 400: failed },
  }
  expectConformant(
    await verified(target, documentWith({ '/pets': { post } }, { components: { schemas: { Cat, Dog } } })),
  )
})

test('a server that updates: the answer has what the request left out', async () => {
  const stored = { id: 7, title: 'a', pages: 3 }
  const target = await serve(({ method }, body) => {
    if (method !== 'PATCH' || !isObject(body)) return [400]
    const { title = stored.title, pages = stored.pages } = body
    return typeof title === 'string' &&
      Number.isInteger(pages) &&
      Number(pages) < 2 ** 31 &&
      Number(pages) >= -(2 ** 31)
      ? [200, { ...stored, title, pages }]
      : [400]
  })
  const Book = {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      title: { type: 'string' },
      pages: { type: 'integer', format: 'int32' },
    },
  }
  const change = {
    type: 'object',
    properties: { title: Book.properties.title, pages: Book.properties.pages },
  }
  const patch = {
    operationId: 'change',
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    requestBody: { required: true, ...json(change) },
    responses: { 200: { ...ok, ...json(Book) }, 400: failed },
  }
  expectConformant(await verified(target, documentWith({ '/books/{id}': { patch } })))
})

/** What a document's own mock shows of the suite and of itself. */
const verifiedMock = async (document: string): Promise<Ledger> => {
  const warnings: string[] = []
  const contract = writeDocument('api.json', document)
  const mock = await createMock({ contract, tokens: ['secret'], warn: warning => warnings.push(warning) })
  onTestFinished(mock.close)
  const ledger = await verify({
    target: mock.url,
    token: 'secret',
    contract,
    seed: 4,
    strict: true,
    sustained: 0,
    cases: 300,
  })
  expect(warnings).toEqual([])
  return ledger
}

test('a required list or object in the query is not empty', async () => {
  const get = {
    operationId: 'list',
    parameters: [
      { name: 'tags', in: 'query', required: true, schema: { type: 'array', items: { type: 'string' } } },
      {
        name: 'filter',
        in: 'query',
        required: true,
        style: 'deepObject',
        explode: true,
        schema: { type: 'object', properties: { town: { type: 'string' } } },
      },
    ],
    responses: { 200: ok, 400: failed },
  }
  expectConformant(await verifiedMock(documentWith({ '/a': { get } })))
})

test('an operation without any valid body is untested, and the reason says so', async () => {
  const impossible = { allOf: [{ type: 'string' }, { type: 'integer' }] }
  const post = {
    operationId: 'never',
    requestBody: { required: true, ...json(impossible) },
    responses: { 200: ok, 400: failed },
  }
  const ledger = await verifiedMock(
    documentWith({ '/a': { post }, '/b': { get: { responses: { 200: ok } } } }),
  )
  expect(ledger.findings).toEqual([])
  const verdict = ledger.entries.find(({ obligation }) => obligation.id === 'never/request/valid')?.verdict
  expect(verdict).toMatchObject({
    kind: 'untested',
    reason: expect.stringContaining('no valid body was found'),
  })
})

test.each([
  [
    'two schemes for bearer tokens',
    {
      a: { type: 'http', scheme: 'bearer' },
      b: { type: 'openIdConnect', openIdConnectUrl: 'https://example.com' },
    },
  ],
  [
    'a bearer token and an API key in the same header',
    { a: { type: 'apiKey', in: 'header', name: 'Authorization' }, b: { type: 'http', scheme: 'bearer' } },
  ],
])('%s are one Authorization header', async (_name, securitySchemes) => {
  const get = { operationId: 'get', security: [{ a: [], b: [] }], responses: { 200: ok, 401: failed } }
  expectConformant(await verifiedMock(documentWith({ '/a': { get } }, { components: { securitySchemes } })))
})

test('a path may have a parameter twice', async () => {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
  const get = { operationId: 'get', parameters: [id], responses: { 200: ok, 400: failed } }
  expectConformant(await verifiedMock(documentWith({ '/a/{id}/b/{id}': { get } })))
})

test('the mock has properties that are required without being declared', async () => {
  const schema = { type: 'object', required: ['a', 'count'], properties: { a: { type: 'string' } } }
  const get = { operationId: 'get', responses: { 200: { ...ok, ...json(schema) } } }
  expectConformant(await verifiedMock(documentWith({ '/a': { get } })))
})

test('a value in the path that another operation matches better is not sent to this one', async () => {
  const kind = { name: 'kind', in: 'path', required: true, schema: { enum: ['small', 'large'] } }
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
  const document = documentWith({
    '/a/{id}': { get: { operationId: 'one', parameters: [id], responses: { 200: ok, 400: failed } } },
    '/a/{id}.{kind}': {
      get: { operationId: 'both', parameters: [id, kind], responses: { 200: ok, 400: failed } },
    },
    '/a/b': { post: { operationId: 'add', responses: { 200: ok } } },
  })
  expect((await verifiedMock(document)).findings).toEqual([])
})

test('a 204 has no content, even if the document declares some', async () => {
  const get = { operationId: 'get', responses: { 204: { ...ok, ...json({ type: 'string' }) } } }
  expectConformant(await verifiedMock(documentWith({ '/a': { get } })))
})

test('things that PUT creates below what no operation creates', async () => {
  const instances = new Map<string, unknown>()
  const target = await serve(({ method, url }, body) => {
    const key = url?.split('?')[0] ?? ''
    if (!/^\/accounts\/[a-z0-9-]{1,40}\/things\/[a-z0-9-]{1,40}$/.test(key)) return [404]
    if (method === 'GET') return instances.has(key) ? [200, instances.get(key)] : [404]
    if (method !== 'PUT') return [405]
    if (!isObject(body) || typeof body.label !== 'string') return [400]
    const isNew = !instances.has(key)
    instances.set(key, { label: body.label })
    return [isNew ? 201 : 200, instances.get(key)]
  })
  const Thing = {
    type: 'object',
    required: ['label'],
    properties: { label: { type: 'string' } },
  }
  const instance = { description: 'the thing', ...json(ref('Thing')) }
  const name = (parameter: string) => ({
    name: parameter,
    in: 'path',
    required: true,
    schema: { type: 'string', pattern: '^[a-z0-9-]{1,40}$' },
  })
  const document = documentWith(
    {
      '/accounts/{account}/things/{thing}': {
        parameters: [name('account'), name('thing')],
        get: { operationId: 'getThing', responses: { 200: instance, 404: failed, default: failed } },
        put: {
          operationId: 'putThing',
          requestBody: { required: true, ...json(ref('Thing')) },
          responses: { 200: instance, 201: instance, 400: failed, default: failed },
        },
      },
    },
    { components: { schemas: { Thing } } },
  )
  const { entries, findings } = await verified(target, document)
  const verdictOf = (id: string) => entries.find(({ obligation }) => obligation.id === id)?.verdict
  expect(findings).toEqual([])
  expect(verdictOf('putThing/request/valid')?.kind).toBe('passed')
  expect(verdictOf('getThing/request/valid')?.kind).toBe('passed')
  expect(verdictOf('putThing/state/read-back')?.kind).toBe('passed')
})
