/** What a mock that keeps resources does with keys and conditions, where the document declares them. */
import { expect, onTestFinished, test } from 'vitest'
import { createMock, type MockOptions } from '../../../mock/index.ts'
import { orderContract } from '../../idempotency/orders.ts'

type Asked = {
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

const start = async (options: Partial<MockOptions> = {}) => {
  const mock = await createMock({
    contract: await orderContract(),
    stateful: true,
    seedData: { '/orders': [] },
    ...options,
  })
  onTestFinished(() => mock.close())
  const ask = async (line: string, { key, headers = {}, body }: Asked = {}) => {
    const [method = '', path = ''] = line.split(' ')
    const response = await fetch(mock.url + path, {
      method,
      headers: {
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      tag: response.headers.get('etag') ?? '',
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
  return { mock, ask }
}

const fern = { item: 'Fern', count: 2 }

test('the same request with the same key is done once, also at the same time', async () => {
  const { ask } = await start()
  const all = await Promise.all([1, 2, 3].map(() => ask('POST /orders', { key: 'key-number-1', body: fern })))
  expect(new Set(all.map(each => JSON.stringify(each))).size).toBe(1)
  // Members in another order are the same body.
  const again = await ask('POST /orders', { key: 'key-number-1', body: { count: 2, item: 'Fern' } })
  expect(again).toEqual(all[0])
  expect((await ask('GET /orders')).body).toHaveLength(1)
})

test('another body with a used key is rejected, and creates nothing', async () => {
  const { ask } = await start()
  await ask('POST /orders', { key: 'key-number-1', body: fern })
  const other = await ask('POST /orders', { key: 'key-number-1', body: { item: 'Moss' } })
  expect(other).toMatchObject({
    status: 422,
    body: { status: 422, detail: 'another request has taken this key' },
  })
  expect((await ask('GET /orders')).body).toHaveLength(1)
})

test('an operation, a client and a mock that was reset have keys of their own', async () => {
  const { ask, mock } = await start()
  const asked = { key: 'key-number-1', body: fern }
  const first = await ask('POST /orders', asked)
  const note = await ask('POST /notes', {
    headers: { 'x-request-id': 'key-number-1' },
    body: { text: 'Fern' },
  })
  expect(note).toMatchObject({ status: 201, body: { text: 'Fern' } })
  const ofOther = await ask('POST /orders', {
    ...asked,
    body: { item: 'Moss' },
    headers: { 'plantstore-client': 'b' },
  })
  expect(ofOther.status).toBe(201)
  mock.state?.reset()
  expect((await ask('POST /orders', { key: 'key-number-1', body: { item: 'Moss' } })).status).toBe(
    first.status,
  )
})

test('If-None-Match gets 304 as long as nothing changes', async () => {
  const { ask } = await start()
  const { body, tag } = await ask('POST /orders', { key: 'key-number-1', body: fern })
  const path = `/orders/${body.orderId}`
  const get = (condition: string) => ask(`GET ${path}`, { headers: { 'if-none-match': condition } })
  expect(tag).toMatch(/^"[0-9a-f]{16}"$/)
  for (const condition of [tag, `"x", W/${tag}`, '*'])
    expect(await get(condition)).toEqual({ status: 304, tag, body: undefined })
  expect(await get('"x"')).toMatchObject({ status: 200, tag, body: fern })
  await ask(`PATCH ${path}`, { body: { count: 3 } })
  const changed = await get(tag)
  expect(changed).toMatchObject({ status: 200, body: { item: 'Fern', count: 3 } })
  expect(changed.tag).not.toBe(tag)
})

test('If-Match has to hold, and 428 is for requests without it', async () => {
  const { ask } = await start()
  const { body, tag } = await ask('POST /orders', { key: 'key-number-1', body: fern })
  const path = `/orders/${body.orderId}`
  const when = (condition: string, item = 'Moss') => ({ headers: { 'if-match': condition }, body: { item } })
  expect(await ask(`PUT ${path}`, { body: fern })).toMatchObject({ status: 428, body: { status: 428 } })
  for (const condition of ['"x"', `W/${tag}`, 'x'])
    expect((await ask(`PUT ${path}`, when(condition))).status).toBe(412)
  expect((await ask(`GET ${path}`)).tag).toBe(tag)
  const put = await ask(`PUT ${path}`, when(`"x", ${tag}`))
  expect(put).toMatchObject({ status: 200, body: { item: 'Moss' } })
  expect((await ask(`PATCH ${path}`, when(tag))).status).toBe(412)
  expect((await ask(`PATCH ${path}`, when('*', 'Oak'))).body).toMatchObject({ item: 'Oak' })
  expect((await ask(`DELETE ${path}`, { headers: { 'if-match': put.tag } })).status).toBe(412)
  expect((await ask(`DELETE ${path}`, { headers: { 'if-match': '*' } })).status).toBe(204)
  // What is not there is not found, whatever the condition.
  expect((await ask(`PUT ${path}`, when('*'))).status).toBe(404)
})

test('a mock that keeps nothing heeds neither', async () => {
  const { ask } = await start({ stateful: false, seedData: undefined })
  await ask('POST /orders', { key: 'key-number-1', body: fern })
  expect((await ask('POST /orders', { key: 'key-number-1', body: { item: 'Moss' } })).status).toBe(201)
  expect((await ask('GET /orders/1', { headers: { 'if-none-match': '*' } })).status).toBe(200)
})
