/** The base path of `servers`, below which a document is served besides its own paths. */
import { expect, test } from 'vitest'
import { OptionError } from '../../../mock/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { jsonOf, send, startMock } from '../client.ts'

const get = { get: { responses: { 204: { description: 'ok' } } } }
const shop = (servers: readonly object[], ...paths: readonly string[]) =>
  loadContract({
    from: writeDocument(
      'shop.json',
      documentWith(Object.fromEntries(['/products', ...paths].map(path => [path, get])), { servers }),
    ),
  })
const twice = [{ url: 'https://api.shop.example/v1/' }, { url: 'http://localhost:3000/v1' }]

test.each<[string, readonly object[], string]>([
  ['of two servers that have the same', twice, '/v1'],
  ['of a relative server', [{ url: '/api/v2' }], '/api/v2'],
  [
    'with the default of a variable',
    [{ url: 'https://{region}.shop.example/{version}', variables: { version: { default: 'v3' } } }],
    '/v3',
  ],
])('the base path %s is served as well', async (_name, servers, base) => {
  const mock = await startMock({ contract: await shop(servers) })
  expect(mock.documents[0]?.basePath).toBe(base)
  for (const path of ['/products', `${base}/products`, `${base}/products?page=2`])
    expect((await send(mock, { method: 'GET', path })).status).toBe(204)
  for (const path of [base, `${base}s/products`, `${base}${base}/products`])
    expect((await send(mock, { method: 'GET', path })).status).toBe(404)
  expect(mock.journal.entries().map(({ target }) => target)).toContain(`${base}/products?page=2`)
})

test.each<[string, readonly object[], readonly string[]]>([
  ['servers differ', [...twice, { url: 'https://old.shop.example' }], []],
  ['a declared path begins with it', twice, ['/v1/orders']],
  ['there are no servers', [], []],
])('nothing is served below a base path if %s', async (_name, servers, paths) => {
  const mock = await startMock({ contract: await shop(servers, ...paths) })
  expect(mock.documents[0]?.basePath).toBe('')
  expect((await send(mock, { method: 'GET', path: '/v1/products' })).status).toBe(404)
})

test('the option names another path, or none', async () => {
  const contract = await shop(twice, '/v2/orders')
  const none = await startMock({ contract, basePath: 'none' })
  const response = await send(none, { method: 'GET', path: '/v1/products' })
  expect([response.status, jsonOf(response)]).toMatchObject([
    404,
    {
      detail:
        'this path is not declared: the mock serves /products, without the base path /v1 of servers; --base-path /v1 serves it there as well',
    },
  ])
  const other = await startMock({ contract, basePath: '/v2/' })
  // A declared path is meant as it stands.
  for (const path of ['/v2/products', '/v2/orders', '/v2/v2/orders'])
    expect((await send(other, { method: 'GET', path })).status).toBe(204)
  await expect(startMock({ contract, basePath: 'v2' })).rejects.toThrow(OptionError)
})

test('it stands behind the prefix of a mounted document', async () => {
  const mock = await startMock({ documents: { '/shop': await shop(twice) } })
  for (const path of ['/shop/products', '/shop/v1/products'])
    expect((await send(mock, { method: 'GET', path })).status).toBe(204)
  expect((await send(mock, { method: 'GET', path: '/v1/products' })).status).toBe(404)
})
