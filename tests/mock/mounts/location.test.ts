import { setupServer } from 'msw/node'
import { expect, onTestFinished, test } from 'vitest'
import { createHandlers } from '../../../mock/mounts/msw.ts'
import { startMock } from '../client.ts'
import { type Instance, shop } from '../resources/shop.ts'

test('Location and links lead to where a client finds the document, below prefixes and base paths', async () => {
  const made = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"name":"Fern","price":3}',
  }
  const handlers = await createHandlers({ contract: shop, server: 'https://shop.test/api' })
  const network = setupServer(...handlers)
  network.listen()
  onTestFinished(() => network.close())
  const created = await fetch('https://shop.test/api/products', made)
  const { id } = (await created.json()) as Instance
  expect(created.headers.get('location')).toBe(`/api/products/${id}`)
  expect((await fetch(new URL(created.headers.get('location') ?? '', created.url))).status).toBe(200)
  const mounted = await startMock({ documents: { '/shop': shop }, basePath: '/v1' })
  const below = await fetch(`${mounted.url}/shop/v1/products`, made)
  const location = below.headers.get('location') ?? ''
  expect(location).toMatch(/^\/shop\/v1\/products\/./)
  expect((await fetch(mounted.url + location)).status).toBe(200)
  expect((await fetch(`${mounted.url}/shop/products`, made)).headers.get('location')).toMatch(
    /^\/shop\/products\/./,
  )
})
