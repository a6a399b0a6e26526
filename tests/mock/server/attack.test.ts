/** What a client can do to stop, stall or fill a server. */
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import type { Mock } from '../../../mock/index.ts'
import { errorCodes } from '../../../spec/index.ts'
import { contracts } from '../../spec/contracts.ts'
import { exchange, head, postPlant, rawPlant as request, send, startMock } from '../client.ts'

const plant = '{"id":1,"name":"Fern"}'
const last = request(plant, 'Connection: close')

const statuses = (text: string): readonly string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = '']) => status)

/** A connection that lasts as long as its test. */
const dial = (mock: Mock): Socket => {
  const socket = connect(Number(new URL(mock.url).port), '127.0.0.1')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  return socket
}

const closed = (socket: Socket): Promise<unknown> => new Promise(resolve => socket.once('close', resolve))

test.each([
  [
    'an unknown expectation',
    request(plant, 'Expect: 200-ok'),
    '417 Expectation Failed',
    'unsupported Expect header',
  ],
  ['no Host', head('GET /nowhere HTTP/1.1'), '400 Bad Request', 'the Host header is missing'],
  [
    'endless chunk extensions',
    request(`1;${'x'.repeat(20_000)}\r\n`, 'Transfer-Encoding: chunked'),
    '413 Payload Too Large',
    'chunk extensions are too large',
  ],
  [
    'endless trailer fields',
    request(`0\r\n${'T: t\r\n'.repeat(10_000)}\r\n`, 'Transfer-Encoding: chunked'),
    '431 Request Header Fields Too Large',
    'larger than 16384 bytes',
  ],
  [
    'a URL of 64 kB',
    head(`GET /${'x'.repeat(65_536)} HTTP/1.1`, 'Host: a'),
    '431 Request',
    'larger than 16384 bytes',
  ],
  [
    'two framings at once',
    request('0\r\n\r\n', 'Content-Length: 5', 'Transfer-Encoding: chunked'),
    '400 Bad Request',
    'cannot stand together',
  ],
  [
    'a body that ends too early after a request for an upgrade',
    request(plant, 'Connection: Upgrade', 'Upgrade: h2c').slice(0, -5),
    '400 Bad Request',
    'not HTTP/1.1',
  ],
])(
  'the response to %s has the shape of an Error and a Date, and the connection ends',
  async (_what, bytes, status, message) => {
    const mock = await startMock()
    const text = await exchange(mock, bytes, { end: true })
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status}`))
    expect(text).toMatch(/\r\nConnection: close\r\n/)
    expect(text).toMatch(/\r\nDate: /i)
    const body = JSON.parse(text.slice(text.lastIndexOf('\r\n\r\n')))
    expect(body).toEqual({ error: errorCodes.notHttp, message: expect.stringContaining(message) })
  },
)

test('all header fields of a request are read, however many there are', async () => {
  const mock = await startMock()
  const fields = Array.from({ length: 2500 }, () => 'a:')
  const text = await exchange(
    mock,
    head('POST /plants HTTP/1.1', 'Host: a', ...fields, 'Connection: close', 'Authorization: Bearer a'),
  )
  expect(text).toContain('the body is missing')
})

test('an unreadable request is rejected after the responses to those before it', async () => {
  const mock = await startMock()
  for (const bad of [
    'GET /\x01 HTTP/1.1\r\n\r\n',
    head('CONNECT a:1 HTTP/1.1', 'Host: a'),
    head('GET / HTTP/1.1', 'Host: a b'),
  ]) {
    const text = await exchange(mock, request(plant) + request(plant) + bad + request(plant))
    expect(statuses(text).slice(0, 2)).toEqual(['200', '200'])
    expect(text).toMatch(/HTTP\/1\.1 40[05] [\s\S]*Connection: close/)
    expect(statuses(text)).toHaveLength(3)
  }
})

test('a body that breaks off after complete requests does not affect their responses', async () => {
  const mock = await startMock()
  const cut = request(plant).slice(0, -3)
  expect(statuses(await exchange(mock, request(plant) + request(plant) + cut, { end: true }))).toEqual([
    '200',
    '200',
    '400',
  ])
})

test('the connection closes after a request for an upgrade, so that later requests are not lost silently', async () => {
  const mock = await startMock()
  const text = await exchange(
    mock,
    request(plant, 'Connection: Upgrade', 'Upgrade: websocket') + request(plant),
  )
  expect(statuses(text)).toEqual(['200'])
  expect(text).toMatch(/\r\nConnection: close\r\n/)
})

test('a client that closes its side gets its response even if that takes time', async () => {
  const mock = await startMock({ contract: contracts.library })
  // The first response of an operation has to be made up.
  const text = await exchange(mock, head('GET /books/1 HTTP/1.1', 'Host: a'), { end: true })
  expect(statuses(text)).toEqual(['200'])
})

test('a body of 100 MB is rejected before the client is asked to send it', async () => {
  const mock = await startMock()
  const large = head(
    'POST /plants HTTP/1.1',
    'Host: a',
    'Authorization: Bearer a',
    'Content-Type: application/json',
    'Content-Length: 104857600',
    'Expect: 100-continue',
  )
  const text = await exchange(mock, large)
  expect(statuses(text)).toEqual(['400'])
  expect(text).toContain('the body is too large')
})

test('a body in chunks of a byte takes no more memory than its bytes', async () => {
  const mock = await startMock()
  const chunks = '1\r\nx\r\n'.repeat(500_000)
  const before = process.memoryUsage().rss
  const text = await exchange(
    mock,
    request(`${chunks}0\r\n\r\n`, 'Transfer-Encoding: chunked', 'Connection: close'),
  )
  expect(statuses(text)).toEqual(['400'])
  expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000)
})

test('a compressed body is not decompressed', async () => {
  const mock = await startMock()
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  const before = process.memoryUsage().rss
  const response = await send(mock, postPlant(bomb, { 'Content-Encoding': 'gzip' }))
  expect(response.status).toBe(400)
  expect(process.memoryUsage().rss - before).toBeLessThan(40_000_000)
})

test('10,000 pipelined requests get their responses in order', async () => {
  const mock = await startMock()
  const count = 10_000
  const socket = dial(mock)
  let text = ''
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part
  })
  for (let at = 0; at < count; at++) socket.write(request(`{"id":${at},"name":"n${at}"}`))
  socket.end(last)
  await closed(socket)
  const names = [...text.matchAll(/"name":"n(\d+)"/g)].map(([, number]) => Number(number))
  expect(names).toEqual(Array.from({ length: count }, (_, at) => at))
  expect(text).toMatch(/\{"name":"Fern"\}$/)
})

test('the mock stops reading from a client that reads nothing, and disconnects it after a while', async () => {
  const mock = await startMock({ limits: { stalledMs: 300 } })
  const socket = dial(mock).pause()
  const many = Buffer.from(request(`{"id":1,"name":"${'n'.repeat(8000)}"}`).repeat(100))
  let sent = 0
  const disconnected = new Promise<void>(resolve => {
    const more = (error?: Error | null): void => {
      if (error != null || sent > 200_000_000) resolve()
      else {
        sent += many.length
        socket.write(many, more)
      }
    }
    more()
  })
  await disconnected
  expect(sent).toBeLessThan(50_000_000)
  expect((await send(mock, postPlant(plant))).status).toBe(200)
})

test.each([
  ['a head', 'POST /plants HTTP/1.1\r\nHost: a\r\nX: ', { headersMs: 300 }],
  ['a body', request(plant).slice(0, -5), { headersMs: 300, requestMs: 600 }],
])(
  'a client that sends %s too slowly gets a 408, and others are served meanwhile',
  async (_what, bytes, limits) => {
    const mock = await startMock({ limits })
    const [text, response] = await Promise.all([exchange(mock, bytes), send(mock, postPlant(plant))])
    expect(text).toMatch(/^HTTP\/1\.1 408 [\s\S]*"the request was not sent in time"\}$/)
    expect(response.status).toBe(200)
  },
)

test('idle connections are closed without a response', async () => {
  const mock = await startMock({ limits: { headersMs: 300, idleMs: 300 } })
  const unused = exchange(mock, '')
  const used = exchange(mock, request(plant))
  expect(await unused).toBe('')
  expect(statuses(await used)).toEqual(['200'])
})

test('clients that disconnect at any point leave no connection behind', async () => {
  const mock = await startMock({ limits: { closeMs: 60_000 } })
  const whole = request(plant)
  const ends = Array.from({ length: 60 }, (_, at) => Math.floor((at * whole.length) / 60))
  await Promise.all(
    ends.map(end => {
      const socket = dial(mock)
      socket.write(whole.slice(0, end), () => socket.resetAndDestroy())
      return closed(socket)
    }),
  )
  expect((await send(mock, postPlant(plant))).status).toBe(200)
  const began = performance.now()
  await mock.close()
  expect(performance.now() - began).toBeLessThan(30_000)
})

test('1,000 idle connections delay nobody', async () => {
  const mock = await startMock()
  const sockets = await Promise.all(
    Array.from({ length: 1000 }, async () => {
      const socket = dial(mock)
      await new Promise(resolve => socket.once('connect', resolve))
      return socket
    }),
  )
  for (let count = 0; count < 20; count++) expect((await send(mock, postPlant(plant))).status).toBe(200)
  expect(sockets.filter(socket => socket.destroyed)).toEqual([])
})
