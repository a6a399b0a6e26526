/** Requests for another protocol: what the server answers, and the bytes of both sides after that. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { exchanged, httpServer, listening, nextEntry, startProxy } from './through.ts'

const upgrade =
  'GET /chat HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n\r\n'
const switching =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: a\r\n\r\n'

/** Echoes what comes after the switch, in upper case, behind a greeting; `gone` settles when its connection is closed. */
const chat = async () => {
  const gone = Promise.withResolvers<void>()
  const seen: string[][] = []
  const server = createServer()
  server.on('upgrade', (request, socket, head) => {
    seen.push(request.rawHeaders)
    socket.write(`${switching}hello `)
    const echo = (data: Buffer): void => void socket.write(data.toString().toUpperCase())
    if (head.length > 0) echo(head)
    socket.on('data', echo)
    socket.on('end', () => socket.end())
    socket.on('error', () => {})
    socket.on('close', () => gone.resolve())
  })
  return { url: await listening(server), gone: gone.promise, seen }
}

test('both sides talk on, until one of them goes', async () => {
  const { url, gone, seen } = await chat()
  const proxy = await startProxy(url)
  const entry = nextEntry(proxy)
  const enough = (text: string): boolean => text.endsWith('hello ABC')
  expect(await exchanged(proxy.url, `${upgrade}abc`, enough)).toBe(`${switching}hello ABC`)
  await gone
  expect(seen[0]).toEqual([
    ...['Host', new URL(url).host, 'Connection', 'keep-alive, Upgrade', 'Upgrade', 'websocket'],
    ...['Sec-WebSocket-Key', 'k'],
  ])
  expect(await entry).toMatchObject({
    status: 101,
    forwarded: { unjudged: 'it is another protocol from here on', failure: null },
  })
})

test('a server that goes closes the connection of the client', async () => {
  const server = createServer()
  server.on('upgrade', (_, socket) => socket.end(`${switching}bye`))
  const proxy = await startProxy(await listening(server))
  expect(await exchanged(proxy.url, upgrade)).toBe(`${switching}bye`)
})

test('closing the proxy ends open conversations', async () => {
  const { url, gone } = await chat()
  const proxy = await startProxy(url)
  const socket: Socket = connect(Number(new URL(proxy.url).port), '127.0.0.1')
  socket.write(upgrade)
  await once(socket, 'data')
  const closed = once(socket, 'close')
  await proxy.close()
  await Promise.all([gone, closed])
})

test('a refusal comes as it is, and ends the connection', async () => {
  const url = await httpServer((_, response) => {
    response.writeHead(426, 'Not Here', ['X-A', '1', 'Content-Length', '4']).end('none')
  })
  const proxy = await startProxy(url)
  const refusal = 'HTTP/1.1 426 Not Here\r\nX-A: 1\r\nContent-Length: 4\r\nConnection: close\r\n\r\nnone'
  expect(await exchanged(proxy.url, upgrade)).toBe(refusal)
})

test('HTTP/2, offered beside a body, is not passed on', async () => {
  const seen: string[][] = []
  const url = await httpServer((request, response) => {
    seen.push(request.rawHeaders)
    request.resume().on('end', () => response.writeHead(200, ['Content-Length', '0']).end())
  })
  const proxy = await startProxy(url)
  const offer =
    'POST /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAM\r\nContent-Length: 2\r\n\r\nab'
  const text = await exchanged(proxy.url, offer, received => received.endsWith('\r\n\r\n'))
  expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n/)
  expect(seen[0]?.filter((_, index) => index % 2 === 0)).not.toContain('Upgrade')
})
