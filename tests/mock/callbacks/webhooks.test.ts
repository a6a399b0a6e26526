/** Webhooks of the document, sent on demand to real servers. */
import { expect, test } from 'vitest'
import { createWatch, type MockOptions } from '../../../mock/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { startMock } from '../client.ts'
import { receiver, seen } from './receiver.ts'

const shipped = {
  type: 'object',
  required: ['id', 'carrier'],
  properties: { id: { type: 'integer' }, carrier: { type: 'string', enum: ['post'] } },
}
const receipt = { type: 'object', required: ['seen'], properties: { seen: { type: 'boolean' } } }
const content = (schema: object): object => ({ content: { 'application/json': { schema } } })
const operation = {
  summary: 'An order is on its way',
  requestBody: { required: true, ...content(shipped) },
  responses: { 200: { description: 'ok', ...content(receipt) } },
}

const start = async (
  options: MockOptions = {},
  webhooks: object = { shipped: { post: operation, put: operation } },
) =>
  startMock({
    contract: await loadContract({
      from: writeDocument('hooks.json', documentWith(undefined, webhooks === null ? {} : { webhooks })),
    }),
    ...options,
  })

test('a webhook goes where the call says, with a body that conforms, and is in the journal', async () => {
  const { url, received } = await receiver(seen)
  const mock = await start()
  const outcome = await mock.webhook('shipped', { url: `${url}/hook`, headers: { 'X-Signature': 'abc' } })
  expect(outcome).toEqual({ status: 200, reason: null, violations: [] })
  expect(received).toMatchObject([
    { url: '/hook', body: { id: expect.any(Number), carrier: 'post' }, headers: { 'x-signature': 'abc' } },
  ])
  expect(mock.journal.entries()).toMatchObject([
    {
      method: 'POST',
      target: `${url}/hook`,
      status: 200,
      operation: 'shipped',
      scenario: 'webhook',
      violations: [],
    },
  ])
})

test('a body of your own is judged before it is sent, and the answer afterwards', async () => {
  const { url, received } = await receiver(response => response.writeHead(500).end())
  const mock = await start()
  const watch = createWatch(mock)
  await expect(mock.webhook('shipped', { url, body: { id: 1, carrier: 'pigeon' } })).rejects.toThrow(
    'the webhook shipped breaks the contract: /carrier must be one of "post"; change it, or add undeclared: true',
  )
  expect(received).toEqual([])
  const { status, violations } = await mock.webhook('shipped.put', { url, body: { id: 1 }, undeclared: true })
  expect([status, violations.map(({ message }) => message)]).toEqual([
    500,
    ['answered 500, an undeclared status; expected: a declared status: 200'],
  ])
  expect(received.map(({ body }) => body)).toEqual([{ id: 1 }])
  expect(() => watch.check()).toThrow('shipped.put/response/declared')
})

test('over HTTP they are listed and sent', async () => {
  const { url, received } = await receiver(seen)
  const mock = await start()
  const call = async (path: string, init?: RequestInit): Promise<unknown> => {
    const response = await fetch(`${mock.url}/__plantstore/webhooks${path}`, init)
    return [response.status, await response.json()]
  }
  const post = (path: string, body: object | string): Promise<unknown> =>
    call(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) })
  const summary = 'An order is on its way'
  expect(await call('')).toEqual([
    200,
    [
      { id: 'shipped.put', method: 'PUT', summary },
      { id: 'shipped', method: 'POST', summary },
    ],
  ])
  expect(await post('/shipped', { url, body: { id: 7, carrier: 'post' } })).toEqual([
    200,
    { status: 200, reason: null, violations: [] },
  ])
  expect(received.map(({ body }) => body)).toEqual([{ id: 7, carrier: 'post' }])
  expect(await post('/shiped', { url })).toEqual([
    400,
    { message: 'there is no webhook shiped: did you mean shipped?' },
  ])
  expect(await post('/shipped', '[]')).toEqual([400, { message: expect.stringContaining('name the URL') }])
  expect(await post('/shipped', {})).toEqual([400, { message: 'the webhook shipped needs a url to go to' }])
  expect(await post('/shipped', { url: 'http://93.184.216.34/' })).toMatchObject([
    200,
    { status: 0, reason: expect.stringContaining('not sent: 93.184.216.34 is neither') },
  ])
})

test('a document without webhooks says so', async () => {
  const mock = await start({}, {})
  await expect(mock.webhook('a', { url: 'http://127.0.0.1/' })).rejects.toThrow(
    'there is no webhook a: the document declares none',
  )
})
