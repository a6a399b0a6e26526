import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { errorCodes } from '../../../spec/index.ts'
import {
  bearer,
  exchange,
  head,
  json,
  jsonOf,
  postPlant,
  rawPlant as request,
  send,
  startMock,
} from '../client.ts'

const plant = '{"id":1,"name":"Fern"}'

test.each([
  ['words', 'hello\r\n\r\n', '400 Bad Request', 'the request is not HTTP/1.1'],
  [
    'a TLS greeting',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    '400 Bad Request',
    'the request is not HTTP/1.1',
  ],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '400 Bad Request', 'the request is not HTTP/1.1'],
  ['a bad header', head('GET / HTTP/1.1', 'Ho st: a'), '400 Bad Request', 'the request is not HTTP/1.1'],
  [
    'two lengths',
    head('POST /plants HTTP/1.1', 'Host: a', 'Content-Length: 1', 'Content-Length: 2'),
    '400 Bad Request',
    'there is more than one Content-Length header',
  ],
  [
    'an unknown method',
    head('FOO /x HTTP/1.1', 'Host: a'),
    '400 Bad Request',
    'FOO is not a method that this server can read',
  ],
  [
    'two framings',
    head('POST /plants HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked', 'Content-Length: 3'),
    '400 Bad Request',
    'Transfer-Encoding and Content-Length cannot stand together',
  ],
  [
    'a length of words',
    head('POST /plants HTTP/1.1', 'Host: a', 'Content-Length: ten'),
    '400 Bad Request',
    'the Content-Length header is not a number',
  ],
  [
    'a wrong chunk',
    `${head('POST /plants HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked')}zz\r\n`,
    '400 Bad Request',
    'the request is not HTTP/1.1',
  ],
  [
    'a head of 100 kB',
    head('GET / HTTP/1.1', 'Host: a', `X: ${'x'.repeat(100_000)}`),
    '431 Request Header Fields Too Large',
    'request line and header fields are larger than 16384 bytes',
  ],
  ['no version', 'POST /plants\r\nHost: a\r\n\r\n', '400 Bad Request', 'the request is not HTTP/1.1'],
  [
    'two Hosts',
    head('GET / HTTP/1.1', 'Host: a', 'Host: a'),
    '400 Bad Request',
    'there is more than one Host header',
  ],
  ['an invalid Host', head('GET / HTTP/1.1', 'Host: a b'), '400 Bad Request', 'the Host header is invalid'],
  [
    'CONNECT',
    head('CONNECT a:1 HTTP/1.1', 'Host: a'),
    '405 Method Not Allowed',
    'CONNECT is not declared here',
  ],
])(
  'the response to %s has the shape of an Error, and the connection ends',
  async (_what, bytes, status, message) => {
    const mock = await startMock()
    const text = await exchange(mock, bytes)
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status}\r\n`))
    expect(text).toMatch(/\r\nConnection: close\r\n/)
    expect(JSON.parse(text.slice(text.lastIndexOf('\r\n\r\n')))).toEqual({
      error: errorCodes.notHttp,
      message,
    })
  },
)

test('pipelined requests get their responses in order', async () => {
  const mock = await startMock()
  const plants = Array.from({ length: 20 }, (_, index) => `{"id":${index},"name":"n${index}"}`)
  const bytes =
    plants.map(body => request(body)).join('') + head('GET /nowhere HTTP/1.1', 'Host: a', 'Connection: close')
  const text = await exchange(mock, bytes)
  expect([...text.matchAll(/"name":"(n\d+)"/g)].map(([, name]) => name)).toEqual(
    plants.map((_, index) => `n${index}`),
  )
  expect(text).toMatch(/HTTP\/1\.1 404 [\s\S]*this path is not declared"\}$/)
})

test('a client that closes its side after the request gets its response', async () => {
  const mock = await startMock()
  expect(await exchange(mock, request(plant), { end: true })).toMatch(
    /^HTTP\/1\.1 200 [\s\S]*\{"name":"Fern"\}$/,
  )
})

test('a client that disconnects in the middle of a body does not disturb others', async () => {
  const mock = await startMock()
  await exchange(mock, request(plant).slice(0, -5), { end: true }).catch(() => '')
  expect((await send(mock, postPlant(plant))).status).toBe(200)
})

test('chunked bodies, Expect: 100-continue, absolute URLs and Upgrade are accepted', async () => {
  const mock = await startMock()
  const whole = (text: string): boolean => text.includes('{"name":"Fern"}')
  const chunked = `${head('POST /plants HTTP/1.1', 'Host: a', 'Authorization: Bearer a', 'Content-Type: application/json', 'Transfer-Encoding: chunked')}${[...plant].map(char => `1\r\n${char}\r\n`).join('')}0\r\n\r\n`
  expect(await exchange(mock, chunked, { enough: whole })).toMatch(/^HTTP\/1\.1 200 /)
  expect(await exchange(mock, request(plant, 'Expect: 100-continue'), { enough: whole })).toMatch(
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /,
  )
  expect(
    await exchange(mock, request(plant).replace('/plants', 'http://plants.example.test/plants'), {
      enough: whole,
    }),
  ).toMatch(/^HTTP\/1\.1 200 /)
  expect(
    await exchange(mock, request(plant, 'Connection: Upgrade', 'Upgrade: websocket'), { enough: whole }),
  ).toMatch(/^HTTP\/1\.1 200 /)
})

test('two Authorization headers are rejected', async () => {
  const mock = await startMock()
  const text = await exchange(mock, request(plant, 'Authorization: Bearer b', 'Connection: close'))
  expect(text).toMatch(/^HTTP\/1\.1 400 [\s\S]*there is more than one token/)
})

test('a body that is too large by its Content-Length is rejected unread, and the connection ends', async () => {
  const mock = await startMock({ maxBodyBytes: 1000 })
  const text = await exchange(
    mock,
    head(
      'POST /plants HTTP/1.1',
      'Host: a',
      'Authorization: Bearer a',
      'Content-Type: application/json',
      'Content-Length: 1001',
    ),
  )
  expect(text).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\nConnection: close\r\n/)
  expect(text).toContain(`{"error":${errorCodes.bodyTooLarge},"message":"the body is too large"}`)
  const stranger = await exchange(mock, head('POST /plants HTTP/1.1', 'Host: a', 'Content-Length: 1001'))
  expect(stranger).toContain('credentials are missing')
})

test('a client that sends far too much still gets the response', async () => {
  const mock = await startMock({ maxBodyBytes: 1000 })
  for (const body of [new Uint8Array(8_000_000), new Blob([new Uint8Array(8_000_000)]).stream()]) {
    const response = await fetch(`${mock.url}/plants`, {
      method: 'POST',
      headers: { ...bearer, ...json },
      body,
      duplex: 'half',
    } as RequestInit)
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: errorCodes.bodyTooLarge, message: 'the body is too large' },
    ])
  }
})

test('a client that sends everything before it reads gets the response', async () => {
  const mock = await startMock({ maxBodyBytes: 1000 })
  const size = 4_000_000
  const socket = connect(Number(new URL(mock.url).port), '127.0.0.1').pause()
  socket.write(
    head(
      'POST /plants HTTP/1.1',
      'Host: a',
      'Authorization: Bearer a',
      'Content-Type: application/json',
      `Content-Length: ${size}`,
    ),
  )
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.write(Buffer.alloc(size), () => resolve())
  })
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [\s\S]*the body is too large"\}$/)
})

test('a body of exactly the largest size is accepted', async () => {
  const mock = await startMock({ maxBodyBytes: 1000 })
  expect((await send(mock, postPlant(plant.padEnd(1000)))).status).toBe(200)
  expect(jsonOf(await send(mock, postPlant(plant.padEnd(1001))))).toMatchObject({
    error: errorCodes.bodyTooLarge,
  })
})

test('whatever a client sends gets a response, and the mock keeps running', async () => {
  const mock = await startMock()
  const lines = fc.constantFrom(
    'POST /plants HTTP/1.1',
    'GET / HTTP/1.1',
    'HEAD /plants HTTP/1.0',
    'POST /%zz?a=%&b HTTP/1.1',
    'TRACE * HTTP/1.1',
    'post /plants HTTP/1.1',
    'GET',
    '',
    'POST http://[::1/ HTTP/1.1',
  )
  const fields = fc.constantFrom(
    'Host: a',
    'Authorization: Bearer a',
    'Authorization: \x80\xff',
    'Content-Type: application/json',
    'Content-Type: ;;',
    'Content-Length: 5',
    'Content-Length: -1',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked',
    'Expect: 7',
    'Connection: close',
    'Upgrade: h2c',
    'Accept: %%%',
    'Cookie: a=%;;=',
    'X: \x01',
    ': x',
  )
  const bodies = fc.oneof(fc.constantFrom(plant, '5\r\n{"a":\r\n0\r\n\r\n', '\0\0\0'), fc.string(), fc.json())
  const requests = fc.tuple(lines, fc.array(fields, { maxLength: 6 }), bodies)
  const noise = fc
    .uint8Array({ minLength: 1, maxLength: 60 })
    .map(bytes => Buffer.from(bytes).toString('latin1'))
  const sent = fc.sample(
    fc.oneof(
      { weight: 9, arbitrary: requests.map(([line, headers, body]) => head(line, ...headers) + body) },
      { weight: 1, arbitrary: noise },
    ),
    { seed: 20, numRuns: 200 },
  )
  for (let at = 0; at < sent.length; at += 20)
    await Promise.all(
      sent.slice(at, at + 20).map(async text => {
        // The client closes its side: what is incomplete then is not HTTP, or no request at all.
        const response = await exchange(mock, Buffer.from(text, 'latin1'), { end: true }).catch(
          (error: Error) => error.message,
        )
        if (response !== '')
          expect(response, JSON.stringify(text)).toMatch(/^(HTTP\/1\.1 [1-5]\d\d |read ECONNRESET)/)
      }),
    )
  expect((await send(mock, postPlant(plant))).status).toBe(200)
})
