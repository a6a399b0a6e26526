/** What a proxy that only observes says of the traffic, and how the ends of one side reach the other. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { Entry } from '../../../mock/index.ts'
import { storeToken } from '../../broken-servers/store/sent.ts'
import { deadUrl, storeWith } from '../../cli/servers.ts'
import { jsonOf, send } from '../client.ts'
import { exchanged, httpServer, nextEntry, plantRequest, scripted, startProxy, tcpServer } from './through.ts'

const token = storeToken
const post = (body: string, fields: Readonly<Record<string, string>> = {}) => ({
  method: 'POST',
  path: '/plants',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...fields },
  body,
})
const valid = '{"id":1,"name":"Fern"}'

const ids = ({ violations, forwarded }: Entry) => ({
  request: violations.map(({ id }) => id),
  response: forwarded?.violations.map(({ id }) => id),
  unjudged: forwarded?.unjudged,
})

test('requests and responses are judged, and go on as they are', async () => {
  const store = await storeWith({ plant: ({ name }) => ({ name, tag: 7 }) })
  const proxy = await startProxy(store.url)
  try {
    let entry = nextEntry(proxy)
    const accepted = await send(proxy, post(valid))
    expect(accepted.status).toBe(200)
    expect(ids(await entry)).toEqual({
      request: [],
      response: ['createPlant/response/200/body/tag/type'],
      unjudged: null,
    })
    entry = nextEntry(proxy)
    const rejected = await send(proxy, post('{"id":"1"}'))
    expect(rejected.status).toBe(400)
    expect(ids(await entry)).toEqual({
      request: ['createPlant/request/body/name/required', 'createPlant/request/body/id/type/numeral'],
      response: [],
      unjudged: null,
    })
    entry = nextEntry(proxy)
    await send(proxy, { method: 'GET', path: '/elsewhere' })
    expect(await entry).toMatchObject({ operation: null, status: 404, violations: [] })
    const shown = jsonOf(await send(proxy, { method: 'GET', path: '/__plantstore/requests' }))
    expect(shown).toMatchObject([
      { violations: [{ id: 'createPlant/response/200/body/tag/type' }] },
      { violations: [{}, {}] },
      { operation: null },
    ])
  } finally {
    await store.close()
  }
})

test('the header names what was broken, where asked for and still possible', async () => {
  const url = await httpServer((request, response) => {
    request.resume()
    const answer = '{"name":5}'
    const framing = request.headers['x-chunked'] === undefined ? { 'content-length': answer.length } : {}
    response.writeHead(200, { 'content-type': 'application/json', ...framing }).end(answer)
  })
  const proxy = await startProxy(url, { violationsHeader: true })
  const named = async (body: string, fields = {}): Promise<unknown> =>
    new Map((await send(proxy, post(body, fields))).headers).get('plantstore-violations')
  const ofResponse = 'createPlant/response/200/body/name/type'
  expect(await named(valid)).toBe(ofResponse)
  expect(await named('{"id":1}')).toBe(`createPlant/request/body/name/required, ${ofResponse}`)
  expect(await named(valid, { 'x-chunked': '1' })).toBeUndefined()
  const silent = await startProxy(url)
  expect(new Map((await send(silent, post(valid))).headers).has('plantstore-violations')).toBe(false)
})

test('what is larger than the bound goes through, and is said not to be judged', async () => {
  const store = await storeWith({})
  const proxy = await startProxy(store.url, { maxBodyBytes: 100 })
  try {
    let entry = nextEntry(proxy)
    const name = 'x'.repeat(300_000)
    const { body } = await send(proxy, post(JSON.stringify({ id: 1, name })))
    expect(body.length).toBe(300_011)
    expect(ids(await entry)).toEqual({
      request: [],
      response: [],
      unjudged: 'the body of the response is too large',
    })
    entry = nextEntry(proxy)
    expect((await send(proxy, post(JSON.stringify({ id: 'x', tag: name })))).status).toBe(400)
    expect(await entry).toMatchObject({ scenario: 'not judged: the body of the request is too large' })
  } finally {
    await store.close()
  }
})

test('a server that is not there gets a 502 with the reason', async () => {
  const proxy = await startProxy(await deadUrl())
  const entry = nextEntry(proxy)
  const response = await send(proxy, post(valid))
  expect(response.status).toBe(502)
  expect(JSON.stringify(jsonOf(response))).toContain('ECONNREFUSED')
  expect(await entry).toMatchObject({ forwarded: { failure: { kind: 'refused' }, response: null } })
})

test('a server that closes the connection closes that of the client', async () => {
  const proxy = await startProxy(await tcpServer(socket => socket.once('data', () => socket.destroy())))
  const entry = nextEntry(proxy)
  expect(await exchanged(proxy.url, plantRequest(valid))).toBe('')
  expect((await entry).forwarded?.failure?.kind).toBe('reset')
})

test('a server that vanishes in the middle of a body', async () => {
  const answer = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{"na'
  const proxy = await startProxy(await tcpServer(socket => socket.once('data', () => socket.end(answer))))
  const entry = nextEntry(proxy)
  expect(await exchanged(proxy.url, plantRequest(valid))).toBe(answer)
  expect(await entry).toMatchObject({
    forwarded: { failure: { kind: 'reset' }, unjudged: 'the response broke off', violations: [] },
  })
})

test('bytes that are no HTTP get a 502', async () => {
  const { url } = await scripted('HTTQ/1.1 200 OK\r\n\r\n')
  const proxy = await startProxy(url)
  const entry = nextEntry(proxy)
  expect((await send(proxy, post(valid))).status).toBe(502)
  expect((await entry).forwarded?.failure?.kind).toBe('malformed')
})

const connectTo = (url: string): Socket => connect(Number(new URL(url).port), '127.0.0.1')

test.each(['destroy', 'resetAndDestroy'] as const)(
  'a client that vanishes (%s) in the middle of its body leaves the server',
  async vanish => {
    const gone = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const url = await httpServer(request => {
      request.on('error', () => {})
      request.once('data', () => reached.resolve())
      request.once('close', () => gone.resolve())
    })
    const proxy = await startProxy(url)
    const entry = nextEntry(proxy)
    const socket = connectTo(proxy.url)
    socket.on('error', () => {})
    socket.write(plantRequest(valid).replace('Length: 22', 'Length: 99'))
    await reached.promise
    socket[vanish]()
    await gone.promise
    expect((await entry).forwarded?.response).toBeNull()
    expect((await send(proxy, { method: 'GET', path: '/__plantstore/health' })).status).toBe(200)
  },
)

test('a client that vanishes in the middle of the response leaves the server', async () => {
  const gone = Promise.withResolvers<void>()
  const url = await httpServer((request, response) => {
    request.resume()
    response.writeHead(200, ['Content-Type', 'text/event-stream'])
    response.write('data: 1\n\n')
    response.once('close', () => gone.resolve())
  })
  const proxy = await startProxy(url)
  const entry = nextEntry(proxy)
  const socket = connectTo(proxy.url)
  socket.write('GET /events HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(socket, 'data')
  socket.destroy()
  await gone.promise
  expect(await entry).toMatchObject({
    status: 200,
    forwarded: { unjudged: 'the client has gone', failure: null },
  })
})

test('each client has a connection of its own to the server', async () => {
  const seen: Socket[] = []
  const url = await httpServer((request, response) => {
    seen.push(request.socket)
    request.resume().on('end', () => response.writeHead(204).end())
  })
  const proxy = await startProxy(url)
  const ask = plantRequest(valid)
  const answers = (count: number) => (text: string) => text.split('HTTP/1.1 204').length > count
  await exchanged(proxy.url, ask + ask, answers(2))
  await exchanged(proxy.url, ask, answers(1))
  expect(seen.map(socket => seen.indexOf(socket))).toEqual([0, 0, 2])
})

test('a server that closes its connection closes that of the client: after its answer, before another request', async () => {
  let requests = 0
  const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
  const url = await tcpServer(socket => {
    socket.on('data', data => {
      requests += data.toString().split('POST ').length - 1
      socket.end(answer)
    })
  })
  const proxy = await startProxy(url)
  expect(await exchanged(proxy.url, plantRequest(valid))).toBe(answer)
  expect(requests).toBe(1)
  // What was sent behind it gets no answer, and is not done on another connection.
  expect(await exchanged(proxy.url, plantRequest(valid).repeat(3))).toBe(answer)
  expect(requests).toBe(2)
})

test('a server that says that it closes the connection is quoted', async () => {
  let requests = 0
  const url = await httpServer((request, response) => {
    requests += 1
    request
      .resume()
      .on('end', () => response.writeHead(200, { connection: 'close', 'content-length': 0 }).end())
  })
  const proxy = await startProxy(url)
  expect(await exchanged(proxy.url, plantRequest(valid).repeat(2))).toBe(
    'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'.replace(
      'Content-Length',
      'content-length',
    ),
  )
  expect(requests).toBe(1)
})

test('a server that closes an idle connection closes that of the client, and resets it in the middle of a request', async () => {
  const servers: Socket[] = []
  const url = await tcpServer(socket => {
    servers.push(socket)
    socket.on('data', () => {
      // It answers one request of each connection, and resets it at the next.
      if (socket.bytesWritten > 0) socket.resetAndDestroy()
      else socket.write('HTTP/1.1 204 No Content\r\n\r\n')
    })
  })
  const proxy = await startProxy(url)
  const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
  const answer = 'HTTP/1.1 204 No Content\r\n\r\n'
  expect(await exchanged(proxy.url, get + get)).toBe(answer)
  expect(servers).toHaveLength(1)
  const idle = connectTo(proxy.url)
  idle.write(get)
  await once(idle, 'data')
  servers[1]?.end()
  await once(idle, 'close')
})
