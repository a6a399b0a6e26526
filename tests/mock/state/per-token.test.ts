import { expect, test } from 'vitest'
import { startShop } from '../resources/shop.ts'

const created = async (url: string, headers: Readonly<Record<string, string>>): Promise<string> => {
  const response = await fetch(`${url}/products`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name: 'Fern', price: 3 }),
  })
  expect(response.status).toBe(201)
  return ((await response.json()) as { readonly id: string }).id
}

test('each token has data of its own with --per-token', async () => {
  const mock = await startShop({ perToken: true, seedData: { '/products': [] } })
  try {
    const ann = { authorization: 'Bearer token-of-ann' }
    const id = await created(mock.url, ann)
    const statusFor = async (headers: Readonly<Record<string, string>>): Promise<number> =>
      (await fetch(`${mock.url}/products/${id}`, { headers })).status
    expect(await statusFor(ann)).toBe(200)
    expect(await statusFor({ authorization: 'Bearer token-of-bob' })).toBe(404)
    expect(await statusFor({})).toBe(404)
    // A client that names itself is that client, whatever its token.
    expect(await statusFor({ ...ann, 'plantstore-client': 'test 1' })).toBe(404)
    expect(JSON.stringify(mock.state?.snapshot())).not.toContain('token-of-ann')
  } finally {
    await mock.close()
  }
})

test('without it all tokens share what is kept', async () => {
  const mock = await startShop({ stateful: true, seedData: { '/products': [] } })
  try {
    const id = await created(mock.url, { authorization: 'Bearer token-of-ann' })
    const other = await fetch(`${mock.url}/products/${id}`, {
      headers: { authorization: 'Bearer token-of-bob' },
    })
    expect(other.status).toBe(200)
  } finally {
    await mock.close()
  }
})
