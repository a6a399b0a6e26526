/** The bytes that go through a proxy, compared with those without one. */
import { expect, test } from 'vitest'
import { exchanged, httpServer, nextEntry, plantRequest, scripted, startProxy } from './through.ts'

const valid = '{"id":1,"name":"Fern"}'

/** What a server saw, without what a connection of its own changes. */
const endToEnd = (text: string): string =>
  text.replace(/^host: .*\r\n/gim, 'host\r\n').replace(/^connection: .*\r\n/gim, '')

const responses: Readonly<Record<string, string>> = {
  'odd fields and a reason':
    'HTTP/1.1 200 All Is Well\r\nx-B: 2\r\nX-a: 1\r\nSet-Cookie: a=1\r\nX-b: 3\r\nset-cookie: b=2\r\nContent-Type: application/json\r\nX-Odd: caf\xe9\r\nContent-Length: 15\r\n\r\n{"name":"Fern"}',
  chunks:
    'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{"name"\r\n8\r\n:"Fern"}\r\n0\r\n\r\n',
  trailers:
    'HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nf\r\n{"name":"Fern"}\r\n0\r\nX-Sum: 7\r\n\r\n',
  'an empty body': 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
  'no body at all': 'HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n',
  'a 304 with a length': 'HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\nETag: "1"\r\n\r\n',
}

test.each(Object.entries(responses))('a response with %s comes as it is', async (_, answer) => {
  const { url, seen } = await scripted(answer, text => text.endsWith(valid))
  const proxy = await startProxy(url)
  const request = plantRequest(valid, 'X-Odd: caf\xe9\r\nx-a: 1\r\nX-A: 2\r\n')
  const enough = (text: string): boolean => text.length >= answer.length
  const direct = await exchanged(url, Buffer.from(request, 'latin1'), enough)
  const through = await exchanged(proxy.url, Buffer.from(request, 'latin1'), enough)
  expect(direct).toBe(answer)
  expect(through).toBe(direct)
  expect(endToEnd(seen[1] ?? '')).toBe(endToEnd(seen[0] ?? ''))
  expect(seen[1]).toContain(`host: ${new URL(url).host}\r\n`)
})

test('a response that the end of the connection ends', async () => {
  const answer = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nuntil the end'
  const url = await httpServer(request => request.socket.end(answer))
  const proxy = await startProxy(url)
  const through = await exchanged(proxy.url, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  expect(through).toBe(answer.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
})

test.each([
  ['without a body', 'POST /plants HTTP/1.1\r\nHost: a\r\nX-One: 1\r\n\r\n'],
  ['HEAD', 'HEAD /plants?a=%20&b HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n'],
  [
    'chunked, with trailers',
    'PUT /a//b/../c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n3\r\nabc\r\n0\r\nX-T: 1\r\n\r\n',
  ],
  ['of an odd method', 'PROPFIND /x HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab'],
])('a request %s reaches the server as it is', async (_, request) => {
  const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'
  const { url, seen } = await scripted(answer, text => text.length >= request.length)
  const proxy = await startProxy(url)
  expect(await exchanged(url, request, text => text === answer)).toBe(answer)
  expect(await exchanged(proxy.url, request, text => text === answer)).toBe(answer)
  expect(endToEnd(seen[1] ?? '')).toBe(endToEnd(seen[0] ?? ''))
})

test('fields of the connection stay on it', async () => {
  const answer =
    'HTTP/1.1 200 OK\r\nConnection: X-Hop, keep-alive\r\nKeep-Alive: timeout=5\r\nX-Hop: 1\r\nX-End: 1\r\nContent-Length: 0\r\n\r\n'
  const { url, seen } = await scripted(answer)
  const proxy = await startProxy(url)
  const request =
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, X-Mine\r\nX-Mine: 1\r\nTE: trailers\r\nKeep-Alive: 1\r\nX-End: 1\r\n\r\n'
  const through = await exchanged(proxy.url, request, text => text.endsWith('\r\n\r\n'))
  expect(through).toBe('HTTP/1.1 200 OK\r\nX-End: 1\r\nContent-Length: 0\r\n\r\n')
  expect(seen[0]).toBe(`GET / HTTP/1.1\r\nHost: ${new URL(url).host}\r\nTE: trailers\r\nX-End: 1\r\n\r\n`)
})

test('X-Forwarded fields and the client’s Host only when asked', async () => {
  const { url, seen } = await scripted('HTTP/1.1 204 No Content\r\n\r\n')
  const proxy = await startProxy(`${url}/base/`, { forwardedHeaders: true, keepHost: true })
  await exchanged(proxy.url, 'GET /x HTTP/1.1\r\nHost: a.test\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n', text =>
    text.includes('204'),
  )
  expect(seen[0]).toBe(
    'GET /base/x HTTP/1.1\r\nHost: a.test\r\nX-Forwarded-For: 192.0.2.1, 127.0.0.1\r\nX-Forwarded-Host: a.test\r\nX-Forwarded-Proto: http\r\n\r\n',
  )
})

test('keep-alive, pipelined requests and bodies of 1 MB', async () => {
  const url = await httpServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      response.writeHead(200, ['Content-Type', 'application/json', 'Content-Length', String(body.length)])
      response.end(body)
    })
  })
  const proxy = await startProxy(url)
  const bodies = [valid, JSON.stringify({ id: 2, name: 'x'.repeat(1_000_000) }), '', '{"name":1}']
  const requests = Array.from({ length: 40 }, (_, index) =>
    plantRequest(bodies[index % bodies.length] ?? '', `X-Number: ${index}\r\n`),
  )
  const last = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
  const direct = await exchanged(url, requests.join('') + last)
  const through = await exchanged(proxy.url, requests.join('') + last)
  // Each says in its own place that it closes.
  const plain = (text: string): string => text.replaceAll('Connection: close\r\n', '')
  expect(direct.length).toBeGreaterThan(10_000_000)
  expect(plain(through) === plain(direct)).toBe(true)
  expect(proxy.journal.entries().map(({ violations }) => violations.length > 0)).toEqual([
    ...Array.from({ length: 40 }, (_, index) => index % 4 > 1),
    false,
  ])
})

test('events come one by one, and each at once', async () => {
  let push: (text: string) => void = () => {}
  const url = await httpServer((_, response) => {
    response.writeHead(200, ['Content-Type', 'text/event-stream'])
    response.flushHeaders()
    push = text => response.write(text)
  })
  const proxy = await startProxy(url)
  let sent = 0
  const text = await exchanged(proxy.url, 'GET /events HTTP/1.1\r\nHost: a\r\n\r\n', received => {
    // The next event is made only when the client has the one before.
    if (received.includes(sent === 0 ? '\r\n\r\n' : `data: ${sent}\n\n`)) {
      sent += 1
      push(`data: ${sent}\n\n`)
    }
    return sent > 5
  })
  expect(text).toContain('data: 5\n\n')
})

test('Expect: 100-continue is up to the server', async () => {
  const request = plantRequest('', 'Expect: 100-continue\r\n').replace('Length: 0', `Length: ${valid.length}`)
  const willing = await httpServer((message, response) => {
    message.resume().on('end', () => response.writeHead(200, ['Content-Length', '0']).end())
  })
  const proxy = await startProxy(willing)
  const entry = nextEntry(proxy)
  // The body follows only once the server wants it.
  const text = await exchanged(proxy.url, request, received => received.endsWith('Continue\r\n\r\n'))
  expect(text).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  expect((await entry).scenario).toBe('not answered: the client has gone')

  const refusing = await scripted('HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n')
  const other = await startProxy(refusing.url)
  expect(await exchanged(other.url, request)).toBe(
    'HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
  )
  expect(refusing.seen[0]).toContain('Expect: 100-continue\r\n')
})
