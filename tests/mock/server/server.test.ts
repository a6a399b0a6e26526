import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createMock, ListenError } from '../../../mock/index.ts'
import { createResponseJudge, DocumentError, loadContract, type Operation } from '../../../spec/index.ts'
import { cpuTime } from '../../cpu-time.ts'
import { contracts, documentWith, writeDocument } from '../../spec/contracts.ts'
import { exchange, jsonOf, postPlant, send, startMock } from '../client.ts'

const plant = '{"id":1,"name":"Fern"}'

test('a mock responds while it is open, and its port is free afterwards', async () => {
  const mock = await createMock()
  expect(jsonOf(await send(mock, postPlant(plant)))).toEqual({ name: 'Fern' })
  await mock.close()
  await mock.close()
  await expect(fetch(mock.url)).rejects.toThrow()
  const again = await startMock({ port: Number(new URL(mock.url).port) })
  expect(again.url).toBe(mock.url)
})

test('closing does not wait for clients that keep their connections open', async () => {
  const mock = await createMock({ limits: { closeMs: 60_000 } })
  const idle = exchange(mock, 'POST /plants HTTP/1.1\r\nHost: a\r\n\r\n')
  const unused = exchange(mock, '')
  await send(mock, postPlant(plant))
  const began = performance.now()
  await mock.close()
  expect(performance.now() - began).toBeLessThan(30_000)
  expect(await idle).toMatch(/^HTTP\/1\.1 400 /)
  expect(await unused.catch(() => '')).toBe('')
})

test('closing waits for requests that have begun, but no longer than `closeMs`', async () => {
  const mock = await createMock({ limits: { closeMs: 300 } })
  const { port } = new URL(mock.url)
  const begun = 'POST /plants HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n'
  const [soon, never] = [connect(Number(port)), connect(Number(port))]
  const texts = [soon, never].map(socket => text(socket).catch((error: Error) => error.message))
  for (const socket of [soon, never]) {
    socket.write(begun)
    await new Promise(resolve => socket.once('readable', resolve))
  }
  const closed = mock.close()
  soon.write('{}')
  expect(await texts[0]).toMatch(/^HTTP\/1\.1 100 [\s\S]*HTTP\/1\.1 400 [\s\S]*Connection: close/)
  await closed
  expect(await texts[1]).toBe('HTTP/1.1 100 Continue\r\n\r\n')
})

test('two mocks of two documents do not mix', async () => {
  const [plants, library] = await Promise.all([startMock(), startMock({ contract: contracts.library })])
  expect(plants.contract.title).toBe('Plant Store')
  expect(library.contract.title).toBe('Library')
  const responses = await Promise.all([
    send(plants, { method: 'GET', path: '/books/1' }),
    send(library, { method: 'GET', path: '/books/1' }),
    send(library, postPlant(plant)),
  ])
  expect(responses.map(({ status }) => status)).toEqual([404, 200, 404])
})

test('a port that is in use is an error that says what to do', async () => {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  await expect(createMock({ port })).rejects.toThrow(
    new ListenError(`port ${port} is in use: choose another with --port, or --port 0 for any free one`),
  )
})

test.each([
  [
    { port: 70_000 },
    '70000 is not a valid port: choose one from 1 to 65535 with --port, or --port 0 for any free one',
  ],
  [{ host: '192.0.2.1' }, '192.0.2.1 is not an address of this machine: choose another with --host'],
])('the address %j is an error that says what to do', async (options, message) => {
  await expect(createMock(options)).rejects.toThrow(new ListenError(message))
})

test('an unusable document is an error, and nothing listens', async () => {
  await expect(createMock({ contract: 'no-such-file.yaml' })).rejects.toThrow(DocumentError)
})

test('later requests are faster than the first, which loads what it needs', async () => {
  const mock = await startMock({ contract: contracts.library })
  const request = { method: 'GET', path: '/books', headers: { 'X-Library-Key': 'a' } }
  await send(mock, request)
  const began = cpuTime()
  for (let count = 0; count < 20; count++) await send(mock, request)
  expect(cpuTime() - began).toBeLessThan(1000)
})

/** A mock of one `GET /a` with this response, and its warnings. */
const mockOf = async (response: object, rest: object = {}) => {
  const warnings: string[] = []
  const contract = writeDocument(
    'one.json',
    documentWith(
      { '/a': { get: { operationId: 'a', responses: { 200: { description: 'ok', ...response } } } } },
      rest,
    ),
  )
  const mock = await startMock({ contract, warn: message => warnings.push(message) })
  return { warnings, get: () => send(mock, { method: 'GET', path: '/a' }) }
}

const content = (schema: object, more: object = {}) => ({
  content: { 'application/json': { schema, ...more } },
})

test('an example of the document is sent if it conforms to its schema', async () => {
  const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer', maximum: 5 } } }
  const good = await mockOf(content(schema, { example: { n: 4 } }))
  expect(jsonOf(await good.get())).toEqual({ n: 4 })
  const bad = await mockOf(content(schema, { example: { n: 9 } }))
  const response = jsonOf(await bad.get()) as { n: number }
  expect(response.n).toBeLessThanOrEqual(5)
})

test.each([
  [
    'const, dependent and nested definitions',
    {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { const: 7 }, b: { $ref: '#/$defs/b' } },
      $defs: { b: { type: ['string', 'null'], minLength: 30 } },
    },
  ],
  ['a pattern', { type: 'string', pattern: '^[A-F]{3}-[0-9]{2}$' }],
  ['a narrow range', { type: 'number', minimum: 1, maximum: 1.5, multipleOf: 0.5 }],
  [
    'a recursive schema that can end',
    {
      type: 'object',
      required: ['v'],
      properties: { v: { type: 'integer' }, next: { $ref: '#/components/schemas/Chain' } },
    },
  ],
  [
    'a choice',
    {
      oneOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
        { type: 'string', format: 'date-time' },
      ],
    },
  ],
])('a response is generated for %s', async (_what, schema) => {
  const chain = { type: 'object', properties: { next: { $ref: '#/components/schemas/Chain' } } }
  const text = JSON.stringify(schema).replaceAll('#/$defs', '#/components/schemas/S/$defs')
  const { get, warnings } = await mockOf(content({ $ref: '#/components/schemas/S' }), {
    components: { schemas: { S: JSON.parse(text), Chain: chain } },
  })
  expect((await get()).status).toBe(200)
  expect(warnings).toEqual([])
})

test.each([
  [
    'alternatives that overlap',
    {
      oneOf: [
        { type: 'object', properties: { a: { type: 'string' } } },
        { type: 'object', required: ['b'], properties: { b: { type: 'integer' } } },
      ],
    },
  ],
  [
    'alternatives that differ in annotations alone',
    {
      oneOf: ['missing', 'unknown'].map(error => ({
        type: 'object',
        required: ['error'],
        properties: { error: { type: 'string', default: error } },
      })),
    },
  ],
  ['a format and a pattern', { type: 'string', format: 'date', pattern: '^2021' }],
  [
    'a property that makes the whole invalid',
    {
      type: 'object',
      required: ['name', 'code'],
      properties: { name: { type: 'string' }, code: { type: 'string', format: 'uuid', pattern: '^0{8}' } },
    },
  ],
])('the response conforms to a schema with %s', async (_what, schema) => {
  const { get, warnings } = await mockOf(content(schema))
  const contract = await loadContract({
    from: writeDocument(
      'one.json',
      documentWith({ '/a': { get: { responses: { 200: { description: 'ok', ...content(schema) } } } } }),
    ),
  })
  const judge = createResponseJudge(contract, contract.operations[0] as Operation)
  for (let count = 0; count < 3; count++) {
    const { status, headers, body } = await get()
    expect(judge({ status, headers, body }, undefined)).toEqual([])
  }
  expect(warnings).toEqual([])
})

test.each([
  ['that no value matches', { type: 'integer', minimum: 5, maximum: 4 }],
  ['without an end', { $ref: '#/components/schemas/Endless' }],
])('for a schema %s there is still a response, and one warning', async (_what, schema) => {
  const Endless = {
    type: 'object',
    required: ['next'],
    properties: { next: { $ref: '#/components/schemas/Endless' } },
  }
  const { get, warnings } = await mockOf(content(schema), { components: { schemas: { Endless } } })
  for (let count = 0; count < 3; count++) expect((await get()).status).toBe(200)
  expect(warnings).toEqual([
    'the mock cannot make a conforming response for a 200, so its response there breaks the contract: add an example to the document',
  ])
})

test('headers are written as text, and match their schemas', async () => {
  const headers = {
    'X-Number': { required: true, schema: { type: 'integer', format: 'int64', minimum: 7 } },
    'X-Text': { required: true, schema: { type: 'string', pattern: '^[a-c]{5}$' } },
    'X-List': { required: true, schema: { type: 'array', minItems: 2, items: { type: 'integer' } } },
    'X-Pairs': {
      required: true,
      explode: true,
      schema: { type: 'object', required: ['k'], properties: { k: { enum: [7] } }, maxProperties: 1 },
    },
    'X-Json': { required: true, content: { 'application/json': { schema: { enum: [{ z: 1 }] } } } },
    'Set-Cookie': { required: true, schema: { type: 'string', pattern: '^sid=[0-9]' } },
    'Content-Type': { required: true, schema: { type: 'string', const: 'ignored' } },
  }
  const { get, warnings } = await mockOf({ headers })
  expect(Object.fromEntries((await get()).headers)).toMatchObject({
    'x-number': expect.stringMatching(/^\d+$/),
    'x-text': expect.stringMatching(/^[a-c]{5}$/),
    'x-list': expect.stringMatching(/^-?\d+(,-?\d+)+$/),
    'x-pairs': 'k=7',
    'x-json': '{"z":1}',
    'set-cookie': expect.stringMatching(/^sid=\d/),
  })
  expect(warnings).toEqual([])
})

test('a declared Content-Length is that of the response, whatever its schema and examples say', async () => {
  const { get } = await mockOf({
    ...content({ type: 'object', required: ['a'], properties: { a: { const: 'text' } } }),
    headers: { 'Content-Length': { schema: { type: 'string' }, example: '279' } },
  })
  const { body, headers } = await get()
  expect(Object.fromEntries(headers)['content-length']).toBe(String(body.length))
})

test('a value that a header line cannot represent does not break the response', async () => {
  const { get } = await mockOf({
    headers: { 'X-Bad': { schema: { type: 'string', enum: ['a\r\nb', '植物'] } } },
  })
  expect((await get()).status).toBe(200)
})
