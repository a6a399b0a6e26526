import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { expect, onTestFinished, test } from 'vitest'
import type { Entry, Mock, Scenario } from '../../../mock/index.ts'
import { errorCodes, header } from '../../../spec/index.ts'
import { contracts } from '../../spec/contracts.ts'
import { exchange, json, jsonOf, postPlant, send, startMock } from '../client.ts'

const plant = (id: number | string = 1): string => `{"id":${id},"name":"Fern"}`
const withScenario = (scenario: Scenario): Promise<Mock> =>
  startMock({ scenarios: { createPlant: scenario } })
const statuses = async (mock: Mock, count: number): Promise<readonly number[]> => {
  const found: number[] = []
  for (let number = 0; number < count; number++)
    found.push((await send(mock, postPlant(plant(number)))).status)
  return found
}
/** Resolves when a socket is closed, also by a reset, which `once` would report as an error. */
const closing = (socket: Socket): Promise<void> => new Promise(done => socket.once('close', () => done()))
const last = (mock: Mock): Entry => mock.journal.entries().at(-1) as Entry
const bytes = (body: string, ...lines: readonly string[]): string =>
  [
    'POST /plants HTTP/1.1',
    'Host: a',
    'Authorization: Bearer a',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    ...lines,
    '',
    body,
  ].join('\r\n')

/** Resolves when the journal has this many requests. */
const answered = (mock: Mock, count: number): Promise<void> =>
  new Promise(resolve => {
    const stop = mock.journal.listen(({ number }) => {
      if (number < count) return
      stop()
      resolve()
    })
  })

test('a chosen failure has the chosen status, code and text, whatever the request', async () => {
  const mock = await withScenario({ status: 400, code: 7, message: 'sold out' })
  for (const body of [plant(), '{"id":"x"}', '']) {
    const response = await send(mock, postPlant(body))
    expect([response.status, jsonOf(response)]).toEqual([400, { error: 7, message: 'sold out' }])
  }
  expect(last(mock)).toMatchObject({ operation: 'createPlant', scenario: '400 code 7' })
  expect(last(mock).violations.map(({ id }) => id)).toEqual(['createPlant/request/body/required/empty'])
})

test('a code alone makes every response the declared failure', async () => {
  const mock = await withScenario({ code: -2_147_483_648 })
  const response = await send(mock, postPlant(plant()))
  expect([response.status, jsonOf(response)]).toMatchObject([400, { error: -2_147_483_648 }])
})

test('any request gets a chosen success, which echoes what it can', async () => {
  const mock = await withScenario({ status: 200 })
  const response = await send(mock, { method: 'POST', path: '/plants', headers: json, body: plant() })
  expect([response.status, jsonOf(response)]).toEqual([200, { name: 'Fern' }])
})

test('a status that may be undeclared has the shape of the declared failure', async () => {
  const mock = await withScenario({ status: 503, undeclared: true })
  const response = await send(mock, postPlant(plant()))
  expect(response.status).toBe(503)
  expect(jsonOf(response)).toEqual({ error: 51, message: 'a scenario chose this failure' })
})

test('every 401 has a challenge', async () => {
  const mock = await withScenario({ status: 401, undeclared: true })
  const response = await send(mock, postPlant(plant()))
  expect([response.status, header(response.headers, 'www-authenticate')]).toEqual([
    401,
    expect.stringMatching(/^Bearer realm="Plant Store"/),
  ])
})

test('a scenario affects every n-th request, and no other', async () => {
  const mock = await withScenario({ status: 400, every: 3 })
  expect(await statuses(mock, 7)).toEqual([200, 200, 400, 200, 200, 400, 200])
})

test('requests over the limit get the declared failure, with the time to wait', async () => {
  const mock = await withScenario({ limit: { requests: 2, seconds: 3600 } })
  expect(await statuses(mock, 4)).toEqual([200, 200, 400, 400])
  const response = await send(mock, postPlant(plant()))
  expect(Number(header(response.headers, 'retry-after'))).toBeGreaterThan(3590)
  expect(jsonOf(response)).toEqual({
    error: 50,
    message: expect.stringMatching(/^the limit of 2 requests in 3600 s is reached: try again in 3\d{3} s$/),
  })
  expect(last(mock).scenario).toBe('400 over the limit')
})

test('a limit ends after its time', async () => {
  const mock = await withScenario({ limit: { requests: 1, seconds: 0.2 } })
  expect(await statuses(mock, 1)).toEqual([200])
  await expect.poll(() => statuses(mock, 1), { timeout: 5000 }).toEqual([400])
  await expect.poll(() => statuses(mock, 1), { timeout: 5000 }).toEqual([200])
})

test('over the limit the status is 429 if that is declared or may be undeclared', async () => {
  const limit = { requests: 1, seconds: 3600 }
  const plants = await withScenario({ limit, undeclared: true, code: 9 })
  await statuses(plants, 1)
  const response = await send(plants, postPlant(plant()))
  expect([response.status, jsonOf(response)]).toMatchObject([429, { error: 9 }])
  const library = await startMock({ contract: contracts.library, scenarios: { listBooks: { limit } } })
  const books = { method: 'GET', path: '/books' }
  await send(library, books)
  expect((await send(library, books)).status).toBe(429)
})

test('a second thing with the same identity is rejected, however its number is written', async () => {
  const mock = await withScenario({ duplicates: 'reject' })
  const ids = ['7', '8', '7.0', '"7"', '9223372036854775807', '9223372036854775806', '9223372036854775807']
  const found: number[] = []
  for (const id of ids) found.push((await send(mock, postPlant(plant(id)))).status)
  expect(found).toEqual([200, 200, 400, 400, 200, 200, 400])
  expect(jsonOf(await send(mock, postPlant(plant(8))))).toEqual({
    error: 24,
    message: '/id 8 is already taken',
  })
})

test('a request that was rejected for another reason takes no identity', async () => {
  const mock = await withScenario({ duplicates: 'reject' })
  expect((await send(mock, postPlant('{"id":4}'))).status).toBe(400)
  expect((await send(mock, { ...postPlant(plant(5)), headers: {} })).status).toBe(400)
  expect(await statuses(mock, 6)).toEqual([200, 200, 200, 200, 200, 200])
})

test('the scenario decides the response to missing credentials', async () => {
  const mock = await startMock({ scenarios: { createPlant: { unauthenticated: '401' } } })
  const response = await send(mock, { method: 'POST', path: '/plants', body: plant() })
  expect(response.status).toBe(401)
  expect(header(response.headers, 'www-authenticate')).toContain('Bearer')
  expect(last(mock).scenario).toBe('credentials by 401')
  expect((await send(mock, postPlant(plant()))).status).toBe(200)
  expect(last(mock).scenario).toBeNull()
})

test('a scenario breaks one obligation, and no other', async () => {
  const mock = await withScenario({ breaks: 'createPlant/request/body/name/required' })
  const found = [(await send(mock, postPlant('{"id":1}'))).status, (await send(mock, postPlant('{}'))).status]
  expect(found).toEqual([200, 400])
})

test('a malformed response is not JSON, under the declared media type', async () => {
  const mock = await withScenario({ fault: 'malformed' })
  const response = await send(mock, postPlant(plant()))
  expect([response.status, header(response.headers, 'content-type')]).toEqual([200, 'application/json'])
  expect(() => jsonOf(response)).toThrow()
})

test('a reset connection ends with RST', async () => {
  const mock = await withScenario({ fault: 'reset' })
  await expect(exchange(mock, bytes(plant()))).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(last(mock).scenario).toBe('reset')
})

test('a truncated response announces its whole body, and ends half-way', async () => {
  const mock = await withScenario({ fault: 'truncate' })
  const text = await exchange(mock, bytes(plant()))
  expect(text).toContain('Content-Length: 15')
  expect(text.slice(text.indexOf('\r\n\r\n') + 4)).toBe('{"name"')
})

test('a truncated response without a body is not sent at all', async () => {
  const mock = await startMock({
    contract: contracts.library,
    scenarios: {
      removeBook: { status: 204, fault: 'truncate' },
      sendFeedback: { status: 202, fault: 'truncate' },
    },
  })
  for (const line of ['DELETE /books/1', 'POST /feedback'])
    expect(await exchange(mock, `${line} HTTP/1.1\r\nHost: a\r\n\r\n`)).toBe('')
})

test('a response that hangs never comes, and ends when the client disconnects or the mock closes', async () => {
  const mock = await withScenario({ fault: 'hang' })
  const [one, two] = [connect(Number(new URL(mock.url).port)), connect(Number(new URL(mock.url).port))]
  const both = answered(mock, 2)
  let heard = 0
  for (const socket of [one, two])
    socket
      .on('error', () => {})
      .on('data', () => heard++)
      .write(bytes(plant()))
  await both
  one.destroy()
  const closed = closing(two)
  await mock.close()
  await closed
  expect(heard).toBe(0)
})

test('a delay comes before the response, and is in the journal', async () => {
  const mock = await withScenario({ delay: 150 })
  const began = performance.now()
  expect((await send(mock, postPlant(plant()))).status).toBe(200)
  // Timers may be a millisecond early.
  expect(performance.now() - began).toBeGreaterThan(148)
  expect(last(mock).scenario).toBe('delay 150 ms')
})

test('a delay from a range follows from the seed and the request, in whatever order requests come', async () => {
  const delays = async (
    seed: number,
    ids: readonly number[],
  ): Promise<ReadonlyMap<string, string | null>> => {
    const mock = await startMock({ seed, scenarios: { '*': { delay: [0, 40] } } })
    for (const id of ids) await send(mock, postPlant(plant(id)))
    return new Map(
      mock.journal.entries().map(({ body, scenario }) => [Buffer.from(body ?? []).toString(), scenario]),
    )
  }
  const ids = Array.from({ length: 12 }, (_, index) => index)
  const [one, other, reversed] = await Promise.all([
    delays(1, ids),
    delays(2, ids),
    delays(1, ids.toReversed()),
  ])
  expect(new Set(one.values()).size).toBeGreaterThan(4)
  expect(Object.fromEntries(reversed)).toEqual(Object.fromEntries(one))
  expect([...one.values()]).not.toEqual([...other.values()])
  for (const text of one.values())
    expect(Number(/^delay (\d+) ms$/.exec(text ?? '')?.[1])).toBeLessThanOrEqual(40)
})

test('a delay ends when its client disconnects, and when the mock closes', async () => {
  const mock = await startMock({
    scenarios: { createPlant: { delay: 600_000 } },
    limits: { closeMs: 100 },
  })
  const timers = (): number => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
  const before = timers()
  const warned: Error[] = []
  const warn = (warning: Error): void => void warned.push(warning)
  process.on('warning', warn)
  onTestFinished(() => void process.off('warning', warn))
  const clients = () =>
    Array.from({ length: 40 }, () => {
      const socket = connect(Number(new URL(mock.url).port), '127.0.0.1')
        .on('error', () => {})
        .resume()
      socket.write(bytes(plant()))
      return socket
    })
  const sockets = clients()
  await expect.poll(timers, { timeout: 10_000 }).toBeGreaterThan(before + 30)
  const dropped = answered(mock, 40)
  for (const socket of sockets) socket.destroy()
  await dropped
  expect(last(mock).scenario).toBe('delay 600000 ms, client disconnected')
  expect(warned).toEqual([])
  expect(timers()).toBeLessThan(before + 20)
  const others = clients()
  await expect.poll(timers, { timeout: 10_000 }).toBeGreaterThan(before + 30)
  const closed = Promise.all(others.map(closing))
  await mock.close()
  await closed
  await expect.poll(timers, { timeout: 10_000 }).toBeLessThan(before + 20)
})

test('all parts of a scenario can be combined', async () => {
  const mock = await withScenario({ status: 400, code: 7, delay: 20, fault: 'malformed', every: 2 })
  expect(await statuses(mock, 2)).toEqual([200, 400])
  expect(last(mock).scenario).toBe('400 code 7, delay 20 ms, malformed')
})

test('the scenario of one operation overrides that of all, part by part, and each has its own turns', async () => {
  const mock = await startMock({
    scenarios: { '*': { delay: 10 }, createPlant: { status: 400, code: 7, every: 2 } },
  })
  await statuses(mock, 2)
  expect(mock.journal.entries().map(({ scenario }) => scenario)).toEqual([
    'delay 10 ms',
    '400 code 7, delay 10 ms',
  ])
})

test('each operation gets the parts of a scenario for all that fit it', async () => {
  const mock = await startMock({ contract: contracts.library, scenarios: { '*': { status: 401 } } })
  const responses = [
    await send(mock, { method: 'DELETE', path: '/books/1' }),
    await send(mock, { method: 'GET', path: '/books/1' }),
  ]
  expect(responses.map(({ status }) => status)).toEqual([401, 200])
})

test('scenarios do not affect requests for no declared operation', async () => {
  const mock = await startMock({ scenarios: { '*': { status: 400, code: 7 } } })
  expect((await send(mock, { method: 'GET', path: '/nowhere' })).status).toBe(404)
})

test('a request can have a scenario for itself', async () => {
  const mock = await startMock()
  const Prefer =
    'respond-async, delay=20;x="a, b", fault="malformed", error=7, message="sold, \\"out\\"", wait=1'
  const response = await send(mock, postPlant(plant(), { Prefer }))
  expect(response.status).toBe(400)
  expect(Buffer.from(response.body).toString()).toBe('{{"error":7,"message":"sold, \\"out\\""}')
  expect(last(mock).scenario).toBe('400 code 7, delay 20 ms, malformed')
  expect(header(response.headers, 'preference-applied')).toBe(
    'delay=20, fault=malformed, error=7, message="sold, \\"out\\""',
  )
  expect(await statuses(mock, 1)).toEqual([200])
  expect(last(mock).scenario).toBeNull()
})

test.each(['code=400; delay=20', 'delay=20, code=400', 'code=400;delay=20'])(
  'Prefer: %s chooses the status and the delay',
  async Prefer => {
    const mock = await startMock()
    const response = await send(mock, postPlant(plant(), { Prefer }))
    expect([response.status, header(response.headers, 'preference-applied')]).toEqual([
      400,
      'code=400, delay=20',
    ])
    expect(last(mock).scenario).toBe('delay 20 ms')
  },
)

test('invalid preferences are rejected with the reason, as those that choose the response are', async () => {
  const mock = await startMock()
  const invalid = postPlant(plant(), { Prefer: 'delay=abc, fault=reset-it, error=x' })
  const response = await send(mock, invalid)
  expect([response.status, jsonOf(response)]).toEqual([
    400,
    {
      error: errorCodes.preferenceWrong,
      message: expect.stringMatching(
        /^the preference delay must be milliseconds .*, not "abc"; the preference fault must be .*; the preference error must be a whole number/,
      ),
    },
  ])
  expect(header(response.headers, 'preference-applied')).toBeNull()
  const range = await send(mock, postPlant(plant(), { Prefer: 'delay=10..20' }))
  expect([range.status, header(range.headers, 'preference-applied')]).toEqual([200, 'delay=10..20'])
})

test('of preferences for failures, only those that the response shows are applied', async () => {
  const mock = await startMock()
  const preferring = (body: string) => postPlant(body, { Prefer: 'unauthenticated=401, delay=0' })
  const accepted = await send(mock, preferring(plant()))
  expect([accepted.status, header(accepted.headers, 'preference-applied')]).toEqual([200, 'delay=0'])
  const { headers, ...request } = preferring(plant())
  const stranger = await send(mock, { ...request, headers: { ...headers, Authorization: 'Basic x' } })
  expect([stranger.status, header(stranger.headers, 'preference-applied')]).toEqual([
    401,
    'delay=0, unauthenticated=401',
  ])
})

test('the preference of a request overrides the scenario that is on', async () => {
  const mock = await withScenario({ status: 400, delay: 600_000 })
  expect((await send(mock, postPlant(plant(), { Prefer: 'delay=0' }))).status).toBe(400)
})
