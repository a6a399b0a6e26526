/** What clients of a mock use of the contract. */
import { expect, test } from 'vitest'
import type { Usage } from '../../../spec/index.ts'
import { postPlant, send, startMock } from '../client.ts'
import { callConsole, getJson } from './call-console.ts'

const usageOf = async (mock: Parameters<typeof getJson>[0]) =>
  (await getJson<Usage>(mock, 'usage')).operations['POST /plants']

test('the parts of requests are counted, and the places of responses listed by status', async () => {
  const mock = await startMock()
  await send(mock, postPlant('{"id":1,"name":"Fern","tag":"a"}'))
  await send(mock, postPlant('{"id":2,"name":"Ivy"}'))
  await send(mock, postPlant('{"id":"3"}'))
  await send(mock, { method: 'GET', path: '/nowhere' })
  expect(await getJson<Usage>(mock, 'usage')).toEqual({
    format: 'plantstore-usage',
    version: 1,
    operations: {
      'POST /plants': {
        requests: 3,
        sent: { body: 3, 'body/id': 3, 'body/name': 2, 'body/tag': 1 },
        served: { 200: ['', '/name', '/tag'], 400: ['', '/error', '/message'] },
      },
    },
  })
})

test('an operation with a request that was not kept whole, or cannot be read, is unclear', async () => {
  const mock = await startMock()
  await send(mock, postPlant('{"id":1,"name":"Fern"}'))
  expect(await usageOf(mock)).not.toHaveProperty('unclear')
  await send(mock, postPlant(`{"id":1,"name":"${'a'.repeat(70_000)}"}`))
  expect(await usageOf(mock)).toMatchObject({ requests: 2, sent: { 'body/id': 1 }, unclear: true })
  await callConsole(mock, 'requests', { method: 'DELETE' })
  expect(await usageOf(mock)).toBeUndefined()
  await send(mock, postPlant('{"id":1'))
  expect(await usageOf(mock)).toMatchObject({ requests: 1, sent: {}, unclear: true })
})

test('so is one with more requests than the journal keeps, unless they were reported before', async () => {
  const mock = await startMock()
  const sendMany = async (count: number): Promise<void> => {
    for (let sent = 0; sent < count; sent++) await send(mock, postPlant('{"id":1,"name":"Fern"}'))
  }
  await sendMany(300)
  expect(await usageOf(mock)).toMatchObject({ requests: 300, sent: { 'body/id': 300 } })
  await sendMany(300)
  const usage = await usageOf(mock)
  expect(usage).toMatchObject({ requests: 600, sent: { 'body/id': 600 } })
  expect(usage).not.toHaveProperty('unclear')
  await sendMany(501)
  expect(await usageOf(mock)).toMatchObject({ requests: 1101, unclear: true })
})
