import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { emptyFolder } from '../../folder.ts'
import { exchange, jsonOf, postPlant, send, startMock } from '../client.ts'

/** A document with one path, whose response is the title, and whose failures have a shape of their own. */
const documentOf = (title: string, path: string, more = ''): string => {
  const file = join(emptyFolder(), `${title}.yaml`)
  writeFileSync(
    file,
    `
openapi: 3.1.0
info: { title: ${title}, version: "1" }
${more}
paths:
  ${path}:
    get:
      operationId: list
      parameters: [{ name: page, in: query, schema: { type: integer } }]
      responses:
        "200": { description: d, content: { application/json: { schema: { type: string }, example: ${title} } } }
        "400":
          description: d
          content:
            application/json:
              schema: { type: object, required: [${title}Fault], properties: { ${title}Fault: { type: string }, detail: { type: string } } }
              example: { ${title}Fault: f }
`,
  )
  return file
}

const get = (path: string) => ({ method: 'GET', path })

test('each document responds below its prefix, and the longest prefix wins', async () => {
  const mock = await startMock({
    contract: documentOf('root', '/items'),
    documents: { '/a': documentOf('short', '/b/items'), '/a/b': documentOf('long', '/items') },
  })
  const body = async (path: string) => jsonOf(await send(mock, get(path)))
  expect(await body('/items')).toBe('root')
  expect(await body('/a/b/items')).toBe('long')
  expect(await body('/a/b/items?page=1')).toBe('long')
  // `/a/bb` is not below `/a/b`; nor is `/ab` below `/a`.
  expect(await body('/a/b/b/items')).toMatchObject({ longFault: expect.anything() })
  expect(await body('/a/bb/items')).toMatchObject({ shortFault: expect.anything() })
  expect(await body('/ab/items')).toMatchObject({ rootFault: expect.anything() })
  expect((await send(mock, get('/a/b/items?page=x'))).status).toBe(400)
})

test('a path below no prefix gets a 404 in the shape of the first document, even if that declares the path', async () => {
  const mock = await startMock({
    documents: { '/one': documentOf('one', '/items'), '/two/': documentOf('two', '/') },
  })
  const outside = await send(mock, get('/items'))
  expect(outside.status).toBe(404)
  expect(jsonOf(outside)).toMatchObject({
    oneFault: expect.anything(),
    detail: 'this path is not declared: did you mean /one/items?',
  })
  expect(jsonOf(await send(mock, get('/nowhere')))).toMatchObject({
    detail: 'this path is not declared: the documents are served below /one, /two',
  })
  expect(jsonOf(await send(mock, get('/two/nowhere')))).toMatchObject({ twoFault: expect.anything() })
  expect(jsonOf(await send(mock, get('/two')))).toBe('two')
  expect(jsonOf(await send(mock, get('/two?page=1')))).toBe('two')
  expect((await send(mock, { method: 'POST', path: '/two/' })).status).toBe(405)
  expect(await exchange(mock, 'NONSENSE\r\n\r\n')).toContain('oneFault')
})

test('requests with an absolute URL, as clients of a proxy send them, reach the same documents', async () => {
  const mock = await startMock({ documents: { '/one': documentOf('one', '/items') } })
  const response = await exchange(
    mock,
    'GET http://shop.example/one/items HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n',
  )
  expect(response).toMatch(/^HTTP\/1\.1 200 [\s\S]*"one"$/)
})

test('a document with the base path of its `servers` as its prefix is served only there', async () => {
  const servers = 'servers: [{ url: "https://api.example/v1" }]'
  const mock = await startMock({ documents: { '/v1': documentOf('based', '/items', servers) } })
  expect((await send(mock, get('/v1/items'))).status).toBe(200)
  expect((await send(mock, get('/items'))).status).toBe(404)
})

test('operations of the same id get different ids, in the journal and for `breaks`', async () => {
  const documents = { '/one': documentOf('one', '/items'), '/my/two': documentOf('two', '/items') }
  const mock = await startMock({ documents, breaks: 'my.two.list/response/200/content-type' })
  expect((await fetch(`${mock.url}/one/items`)).headers.get('content-type')).toBe('application/json')
  expect((await fetch(`${mock.url}/my/two/items?page=x`)).status).toBe(400)
  expect((await fetch(`${mock.url}/my/two/items`)).headers.get('content-type')).not.toBe('application/json')
  const [first, second] = mock.journal.entries()
  expect(first).toMatchObject({ operation: 'list', target: '/one/items' })
  expect(second).toMatchObject({ operation: 'my.two.list', target: '/my/two/items?page=x' })
  expect(second?.violations[0]?.id).toMatch(/^my\.two\.list\//)
})

test('scenarios can be for operations of any document', async () => {
  const documents = { '/one': documentOf('one', '/items'), '/two': documentOf('two', '/items') }
  const mock = await startMock({ documents, scenarios: { 'two.list': { status: 400, message: 'chosen' } } })
  expect((await send(mock, get('/one/items'))).status).toBe(200)
  expect(jsonOf(await send(mock, get('/two/items')))).toMatchObject({ detail: 'chosen' })
  await mock.scenarios.set('list', { breaks: 'list/response/200/content-type' })
  expect((await fetch(`${mock.url}/one/items`)).headers.get('content-type')).not.toBe('application/json')
  await expect(mock.scenarios.set('three.list', { status: 400 })).rejects.toThrow(
    'there is no operation three.list',
  )
})

test('health lists all documents', async () => {
  const mock = await startMock({
    contract: documentOf('root', '/items'),
    documents: { '/one': documentOf('one', '/items') },
  })
  const health = await fetch(`${mock.url}/__plantstore/health`)
  expect(await health.json()).toEqual({
    status: 'ok',
    contract: 'root 1',
    operations: 1,
    more: [{ prefix: '/one', contract: 'one 1', operations: 1 }],
  })
  expect(mock.documents.map(({ prefix, contract }) => `${prefix} ${contract.title}`)).toEqual([
    ' root',
    '/one one',
  ])
})

test('a document can be a loaded contract, and the plant store is still the default', async () => {
  const contract = await loadContract({ from: documentOf('one', '/plants') })
  const mock = await startMock({ contract: documentOf('root', '/items'), documents: { '/one': contract } })
  expect(jsonOf(await send(mock, get('/one/plants')))).toBe('one')
  const alone = await createMock()
  onTestFinished(alone.close)
  expect((await send(alone, postPlant('{"id":1,"name":"Fern"}'))).status).toBe(200)
})

test.each([
  ['billing', '"billing" is not a valid path prefix: write it as /billing'],
  ['/a b', '"/a b" is not a valid path prefix: write it as /billing'],
  ['/a?b', '"/a?b" is not a valid path prefix: write it as /billing'],
  ['/__plantstore/x', 'the prefix /__plantstore is reserved for the mock: choose another'],
])('the prefix %s is rejected in one line', async (prefix, message) => {
  await expect(createMock({ documents: { [prefix]: documentOf('one', '/items') } })).rejects.toThrow(message)
})

test('two documents with one prefix are rejected', async () => {
  const [contract, other] = [documentOf('one', '/items'), documentOf('two', '/items')]
  await expect(createMock({ contract, documents: { '/': other } })).rejects.toThrow(
    'two documents have the prefix /',
  )
})
