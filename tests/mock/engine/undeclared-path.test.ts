/** A path that is not declared is told what may be meant instead. */
import { expect, test } from 'vitest'
import { loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { jsonOf, send, startMock } from '../client.ts'

const get = (parameters: readonly string[] = []) => ({
  get: {
    parameters: parameters.map(name => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    responses: { 200: { description: 'ok' } },
  },
})
const paths = {
  '/products': get(),
  '/products/{productId}': get(['productId']),
  '/products/{productId}/reviews': get(['productId']),
  '/baskets/': get(),
  '/orders': get(),
}
const servers = [{ url: 'https://api.shop.example/v1/' }, { url: '/api' }]
const contract = await loadContract({ from: writeDocument('shop.json', documentWith(paths, { servers })) })

test.each([
  [
    '/v1/products/7?x=1',
    ': the mock serves /products/7, without the base path /v1 of servers; --base-path /v1 serves it there as well',
  ],
  [
    '/api/orders',
    ': the mock serves /orders, without the base path /api of servers; --base-path /api serves it there as well',
  ],
  ['/products/7/', ': did you mean /products/7?'],
  ['/baskets', ': did you mean /baskets/?'],
  ['/product', ': did you mean /products?'],
  ['/Orders', ': did you mean /orders?'],
  ['/products/7/review', ': did you mean /products/{productId}/reviews?'],
  ['/v1/nowhere', ''],
  ['/something/else', ''],
  ['/', ''],
])('%s: this path is not declared%s', async (path, hint) => {
  const mock = await startMock({ contract })
  const response = await send(mock, { method: 'GET', path })
  expect([response.status, jsonOf(response)]).toMatchObject([
    404,
    { detail: `this path is not declared${hint}` },
  ])
})

test('an escape of a character that needs none means the character', async () => {
  const mock = await startMock({ contract })
  expect((await send(mock, { method: 'GET', path: '/%70roducts/%37' })).status).toBe(200)
  expect((await send(mock, { method: 'GET', path: '/products%2F7' })).status).toBe(404)
})
