/** Made-up responses are cached by everything they depend on: what differs in any of it gets a response of its own. */
import { expect, test } from 'vitest'
import type { MockOptions } from '../../../mock/index.ts'
import { header, loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { jsonOf, send, startMock } from '../client.ts'

const text = { type: 'string' }
const Product = {
  type: 'object',
  required: ['id', 'name', 'odd'],
  properties: { id: text, name: text, odd: text },
}
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const id = { name: 'id', in: 'path', required: true, schema: text }
const shop = {
  '/products': {
    get: {
      operationId: 'listProducts',
      parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
      responses: { 200: { description: 'ok', ...json({ type: 'array', items: Product }) } },
    },
    post: {
      operationId: 'createProduct',
      requestBody: json({ type: 'object', properties: { name: text } }),
      responses: {
        201: {
          description: 'made',
          headers: { Location: { required: true, schema: text } },
          ...json(Product),
        },
      },
    },
  },
  '/products/{id}': {
    get: {
      operationId: 'getProduct',
      parameters: [id],
      responses: { 200: { description: 'ok', ...json(Product) } },
    },
    delete: { operationId: 'deleteProduct', parameters: [id], responses: { 204: { description: 'gone' } } },
  },
}

const start = async (options: MockOptions = {}) => {
  const contract = await loadContract({
    from: writeDocument(
      'shop.json',
      JSON.stringify({ ...JSON.parse(documentWith(shop)), servers: [{ url: '/v1' }] }),
    ),
  })
  const mock = await startMock({ contract, ...options })
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET', body?: string) =>
    send(mock, { method, path, headers, ...(body === undefined ? {} : { body }) })
  return { ask }
}

test('the same request gets the same bytes, and another one gets others', async () => {
  const { ask } = await start()
  const paths = ['/products/a', '/products/b', '/products?limit=2', '/products?limit=3', '/products']
  const first = await Promise.all(paths.map(path => ask(path)))
  const again = await Promise.all(paths.map(path => ask(path)))
  expect(again.map(({ body }) => body)).toEqual(first.map(({ body }) => body))
  expect(new Set(first.map(({ body }) => Buffer.from(body).toString())).size).toBe(paths.length)
})

test('what a client prefers counts as well', async () => {
  const { ask } = await start()
  const all = jsonOf(await ask('/products')) as { name: string }[]
  const one = await ask('/products', { Prefer: 'seed=other' })
  expect(jsonOf(one)).not.toEqual(all)
  expect(jsonOf(await ask('/products'))).toEqual(all)
})

test('a Location leads to where its client asked, whoever asked before', async () => {
  const { ask } = await start()
  const locations: (string | null)[] = []
  for (const path of ['/products', '/v1/products', '/products']) {
    const made = await ask(path, { 'Content-Type': 'application/json' }, 'POST', '{}')
    locations.push(header(made.headers, 'location'))
  }
  expect(locations[0]).toMatch(/^\/products\/./)
  expect(locations[1]).toMatch(/^\/v1\/products\/./)
  expect(locations[2]).toBe(locations[0])
})

test('a function that answers an operation is called each time', async () => {
  let count = 0
  const { ask } = await start({
    values: { getProduct: () => ({ id: 'a', name: 'Fern', odd: `odd ${count++}` }) },
  })
  const odds = [await ask('/products/a'), await ask('/products/a')].map(response => jsonOf(response))
  expect(odds[0]).not.toEqual(odds[1])
})

test('what is kept is not what was made up before', async () => {
  const { ask } = await start({ stateful: true })
  const made = await ask('/products', { 'Content-Type': 'application/json' }, 'POST', '{"name":"Fern"}')
  const { id: name } = jsonOf(made) as { id: string }
  expect(jsonOf(await ask(`/products/${name}`))).toEqual(jsonOf(made))
  await ask(`/products/${name}`, {}, 'DELETE')
  expect((await ask(`/products/${name}`)).body).not.toEqual(made.body)
})
