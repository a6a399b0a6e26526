import { expect, test } from 'vitest'
import type { Entry } from '../../mock/index.ts'
import { ask, exchange, postPlant, startMock } from './ask.ts'

test('the journal holds what was asked, what was answered, and what was wrong with it', async () => {
  const mock = await startMock()
  await ask(mock, postPlant('{"id":1,"name":"Fern"}'))
  await ask(mock, postPlant('{"id":"1"}'))
  await ask(mock, { method: 'GET', path: '/nowhere' })
  const [kept, broken, elsewhere] = mock.journal.entries()
  expect(kept).toMatchObject({
    number: 1,
    method: 'POST',
    target: '/plants',
    status: 200,
    operation: 'createPlant',
  })
  expect(Buffer.from(kept?.body ?? []).toString()).toBe('{"id":1,"name":"Fern"}')
  expect(kept?.breaches).toEqual([])
  expect(broken?.breaches.map(({ id }) => id)).toEqual([
    'createPlant/request/body/name/required',
    'createPlant/request/body/id/type/numeral',
  ])
  expect(elsewhere).toMatchObject({ status: 404, operation: null, breaches: [] })
})

test('what is no request is in the journal as well', async () => {
  const mock = await startMock()
  await exchange(mock, 'NONSENSE\r\n\r\n')
  expect(mock.journal.entries().map(({ status }) => status)).toEqual([400])
})

test('only the last 500 requests are held, oldest first, and large bodies are cut', async () => {
  const mock = await startMock()
  const heard: Entry[] = []
  const stop = mock.journal.listen(entry => heard.push(entry))
  for (let number = 0; number < 502; number++) await ask(mock, { method: 'GET', path: `/${number}` })
  expect(mock.journal.entries().map(({ target }) => target)).toEqual(
    Array.from({ length: 500 }, (_, index) => `/${index + 2}`),
  )
  expect(heard).toHaveLength(502)
  stop()
  await ask(mock, postPlant(`{"id":1,"name":"${'x'.repeat(100_000)}"}`))
  expect(mock.journal.entries().at(-1)?.body).toHaveLength(65_536)
  expect(heard).toHaveLength(502)
  mock.journal.clear()
  expect(mock.journal.entries()).toEqual([])
})

test('a body that is too large is told as such', async () => {
  const mock = await startMock({ maxBodyBytes: 10 })
  await ask(mock, postPlant('{"id":1,"name":"Fern"}'))
  const [entry] = mock.journal.entries()
  expect(entry?.breaches.map(({ message }) => message)).toEqual(['the body is too large'])
})

test("the mock's own paths are not for pages of other origins", async () => {
  const mock = await startMock()
  const from = (Origin: string) =>
    ask(mock, { method: 'GET', path: '/__plantstore/health', headers: { Origin } })
  expect((await from('http://shop.example')).status).toBe(403)
  expect((await from(mock.url)).status).toBe(200)
})
