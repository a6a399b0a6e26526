/** A Postman collection as a document for the mock: an operation for each method and path, with what was saved for it. */
import { writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createMock } from '../../../../mock/index.ts'
import { DocumentError, type Json, loadContract } from '../../../../spec/index.ts'
import { writeDocument } from '../../contracts.ts'

type Saved = {
  readonly code: number
  readonly body: Json
  readonly headers?: Readonly<Record<string, string>>
}
type Item = {
  readonly method: string
  readonly url: string
  readonly body?: Json
  readonly auth?: object
  readonly saved?: readonly Saved[]
}

const json = { key: 'Content-Type', value: 'application/json' }
const plain = { key: 'Content-Type', value: 'text/plain' }

const itemOf = ({ method, url, body, auth, saved = [] }: Item) => ({
  name: `${method} ${url}`,
  request: {
    method,
    url,
    ...(auth === undefined ? {} : { auth }),
    ...(body === undefined ? {} : { header: [json], body: { mode: 'raw', raw: JSON.stringify(body) } }),
  },
  response: saved.map(({ code, body: answer, headers = {} }) => ({
    name: String(code),
    code,
    header: [json, ...Object.entries(headers).map(([key, value]) => ({ key, value }))],
    body: JSON.stringify(answer),
  })),
})

const collectionOf = (items: readonly Item[]) => ({
  info: { name: 'Todos', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
  item: [{ name: 'All', item: items.map(itemOf) }],
})

const fileOf = (collection: object): string => writeDocument('todos.json', JSON.stringify(collection))

const contractOf = (items: readonly Item[]) =>
  loadContract({ from: fileOf(collectionOf(items)), mayBeCollection: true })

const bearer = { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}' }] }

const todos: readonly Item[] = [
  {
    method: 'GET',
    url: '{{base}}/{{version}}/todos/:id?limit=3',
    saved: [
      {
        code: 200,
        body: { id: 7, title: 'Water the fern' },
        headers: { 'X-Page': '2', Server: 'nginx', Date: 'Sat, 28 Nov 2026 16:00:00 GMT' },
      },
    ],
  },
  {
    method: 'GET',
    url: '{{base}}/{{version}}/todos/:id',
    saved: [{ code: 404, body: { error: 'none' } }],
  },
  { method: 'POST', url: '{{base}}/{{version}}/todos', body: { title: 'b' }, auth: bearer },
]

test('requests of one method and path are one operation, with the responses that were saved for them', async () => {
  const { operations, title, convertedFrom } = await contractOf(todos)
  expect({ title, convertedFrom }).toEqual({ title: 'Todos', convertedFrom: 'a Postman collection' })
  expect(operations.map(({ id }) => id)).toEqual(['get-version-todos-id', 'post-version-todos'])
  const [read, create] = operations
  expect(read?.responses.map(({ status }) => status)).toEqual(['200', '404'])
  expect(read?.parameters.map(({ in: place, name, required }) => [place, name, required])).toEqual([
    ['path', 'version', true],
    ['path', 'id', true],
    ['query', 'limit', false],
  ])
  expect(create?.security.flat()).toMatchObject([{ kind: 'bearer' }])
  expect(create?.responses.map(({ status }) => status)).toEqual(['default'])
})

test('headers that servers and proxies set by themselves are not declared', async () => {
  const { operations } = await contractOf(todos)
  const names = operations[0]?.responses[0]?.headers.map(({ name }) => name.toLowerCase())
  expect(names).toEqual(['x-page'])
})

test('an operation stands where its first request does', async () => {
  const contract = await contractOf(todos)
  const [, create] = contract.operations
  expect(contract.place(create?.pointer ?? '').pointer).toBe('/item/0/item/2/request')
})

test('a collection as the API of Postman wraps it', async () => {
  const from = fileOf({ collection: collectionOf(todos) })
  const { operations } = await loadContract({ from, mayBeCollection: true })
  expect(operations).toHaveLength(2)
})

test('nothing is judged by a collection', async () => {
  const refused = loadContract({ from: fileOf(collectionOf(todos)) })
  await expect(refused).rejects.toThrow(DocumentError)
  await expect(refused).rejects.toThrow(/says what was sent and not what is allowed.*--examples/)
})

test('what is saved of any shape is answered, on demand by its status', async () => {
  const values = fc.jsonValue({ maxDepth: 2 }).map(value => JSON.parse(JSON.stringify(value)) as Json)
  const saved = fc.uniqueArray(
    fc.record({ code: fc.constantFrom(200, 201, 400, 404, 409, 500), body: values }),
    { selector: ({ code }) => code, minLength: 1, maxLength: 3 },
  )
  await fc.assert(
    fc.asyncProperty(saved, async responses => {
      const from = fileOf(collectionOf([{ method: 'GET', url: 'http://localhost/things', saved: responses }]))
      const mock = await createMock({ contract: from, port: 0 })
      try {
        for (const { code, body } of responses) {
          const response = await fetch(`${mock.url}/things`, { headers: { Prefer: `code=${code}` } })
          expect([response.status, await response.json()]).toEqual([code, body])
        }
      } finally {
        await mock.close()
      }
    }),
    { numRuns: 25 },
  )
})

test('a mock reads a collection again when it changes', async () => {
  const from = fileOf(collectionOf(todos))
  const mock = await createMock({ contract: from, port: 0, watch: true })
  onTestFinished(mock.close)
  const ask = async () => (await fetch(`${mock.url}/more`)).status
  expect(await ask()).toBe(404)
  const more: Item = { method: 'GET', url: 'http://localhost/more', saved: [{ code: 200, body: {} }] }
  writeFileSync(from, JSON.stringify(collectionOf([...todos, more])))
  await expect.poll(ask, { timeout: 10_000 }).toBe(200)
})

test('no file is read that a collection refers to', async () => {
  const secret = writeDocument(
    'secret.json',
    JSON.stringify({ code: 200, header: [plain], body: 'top secret' }),
  )
  const [item] = collectionOf(todos).item[0]?.item ?? []
  const collection = { ...collectionOf([]), item: [{ ...item, response: [{ $ref: secret }] }] }
  const { document } = await loadContract({ from: fileOf(collection), mayBeCollection: true })
  expect(JSON.stringify(document)).not.toContain('top secret')
})

test('whatever is wrong with a collection is told as that', async () => {
  const whole = collectionOf(todos)
  const places = [
    ['info'],
    ['item', 0],
    ['item', 0, 'item', 0],
    ['item', 0, 'item', 0, 'request'],
    ['item', 0, 'item', 0, 'request', 'url'],
    ['item', 0, 'item', 0, 'response'],
    ['item', 0, 'item', 0, 'response', 0],
    ['item', 0, 'item', 0, 'response', 0, 'header'],
    ['item', 0, 'item', 0, 'response', 0, 'code'],
    ['item', 0, 'item', 2, 'request', 'body'],
    ['item', 0, 'item', 2, 'request', 'auth'],
  ]
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), fc.jsonValue({ maxDepth: 2 }), async (place, value) => {
      const broken = structuredClone(whole) as unknown as Record<string | number, unknown>
      const parent = place.slice(0, -1).reduce((node, key) => node[key] as typeof broken, broken)
      parent[place.at(-1) as string] = value
      const loaded = await loadContract({ from: fileOf(broken), mayBeCollection: true }).catch(
        (error: unknown) => error,
      )
      expect(loaded instanceof DocumentError || !(loaded instanceof Error)).toBe(true)
    }),
    { numRuns: 150 },
  )
})

test('a method that OpenAPI has no field for, and a parameter that is saved twice', async () => {
  const { operations, warnings } = await contractOf([
    { method: 'COPY', url: 'http://localhost/files/:id?to=a&to=b', saved: [{ code: 201, body: {} }] },
  ])
  expect(warnings).toEqual([])
  expect(operations.map(({ method, path }) => [method, path])).toEqual([['COPY', '/files/{id}']])
  expect(operations[0]?.parameters.map(({ name }) => name)).toEqual(['id', 'to'])
})
