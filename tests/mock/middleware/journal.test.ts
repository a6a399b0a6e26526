import { expect, test } from 'vitest'
import { createHandler, type Entry } from '../../../mock/index.ts'
import { exchange, postPlant, send, startMock } from '../client.ts'

test('the journal has requests, their responses and their violations', async () => {
  const mock = await startMock()
  await send(mock, postPlant('{"id":1,"name":"Fern"}'))
  await send(mock, postPlant('{"id":"1"}'))
  await send(mock, { method: 'GET', path: '/nowhere' })
  const [valid, invalid, undeclared] = mock.journal.entries()
  expect(valid).toMatchObject({
    number: 1,
    method: 'POST',
    target: '/plants',
    status: 200,
    operation: 'createPlant',
  })
  expect(Buffer.from(valid?.body ?? []).toString()).toBe('{"id":1,"name":"Fern"}')
  expect(valid?.violations).toEqual([])
  expect(invalid?.violations.map(({ id }) => id)).toEqual([
    'createPlant/request/body/name/required',
    'createPlant/request/body/id/type/numeral',
  ])
  expect(undeclared).toMatchObject({ status: 404, operation: null, violations: [] })
})

test('unreadable requests are in the journal as well', async () => {
  const mock = await startMock()
  await exchange(mock, 'NONSENSE\r\n\r\n')
  expect(mock.journal.entries().map(({ status }) => status)).toEqual([400])
})

test('the journal keeps the last 500 requests, oldest first, and cuts large bodies', async () => {
  const handler = await createHandler()
  const { journal } = handler
  const heard: Entry[] = []
  const stop = journal.listen(entry => heard.push(entry))
  for (let number = 0; number < 502; number++) await handler(new Request(`http://a.test/${number}`))
  expect(journal.entries().map(({ target }) => target)).toEqual(
    Array.from({ length: 500 }, (_, index) => `/${index + 2}`),
  )
  expect(heard).toHaveLength(502)
  stop()
  const body = `{"id":1,"name":"${'x'.repeat(100_000)}"}`
  await handler(new Request('http://a.test/plants', { method: 'POST', body }))
  expect(journal.entries().at(-1)?.body).toHaveLength(65_536)
  expect(heard).toHaveLength(502)
  journal.clear()
  expect(journal.entries()).toEqual([])
})

test('an entry that was read stays as it is, whatever the journal writes over it', async () => {
  const handler = await createHandler()
  const { journal } = handler
  const post = (name: string) =>
    handler(
      new Request('http://a.test/plants', {
        method: 'POST',
        headers: { Authorization: 'Bearer t', 'Content-Type': 'application/json', 'X-Name': name },
        body: `{"id":1,"name":"${name}"}`,
      }),
    )
  await post('Aloe')
  await post('x'.repeat(3000))
  await post('Fern')
  const read = journal.entries()
  const before = structuredClone(read)
  const textOf = (body: Uint8Array | null | undefined): string => Buffer.from(body ?? []).toString()
  expect(read.map(({ body }) => textOf(body))).toEqual(
    ['Aloe', 'x'.repeat(3000), 'Fern'].map(name => `{"id":1,"name":"${name}"}`),
  )
  expect(read.map(({ headers }) => headers.find(([name]) => name.toLowerCase() === 'x-name')?.[1])).toEqual([
    'Aloe',
    'x'.repeat(3000),
    'Fern',
  ])
  expect(textOf(read[2]?.responseBody)).toContain('"name":"Fern"')
  for (let number = 0; number < 500; number++) await post(`Moss ${number}`)
  expect(read).toEqual(before)
  const names = journal.entries().map(({ body }) => JSON.parse(textOf(body)).name)
  expect(names).toEqual(Array.from({ length: 500 }, (_, number) => `Moss ${number}`))
})

test('a body that is too large is a violation', async () => {
  const mock = await startMock({ maxBodyBytes: 10 })
  await send(mock, postPlant('{"id":1,"name":"Fern"}'))
  const [entry] = mock.journal.entries()
  expect(entry?.violations.map(({ message }) => message)).toEqual(['the body is too large'])
})

test('pages of other origins cannot use the admin routes', async () => {
  const mock = await startMock()
  const from = (Origin: string) =>
    send(mock, { method: 'GET', path: '/__plantstore/health', headers: { Origin } })
  expect((await from('http://shop.example')).status).toBe(403)
  expect((await from(mock.url)).status).toBe(200)
})
