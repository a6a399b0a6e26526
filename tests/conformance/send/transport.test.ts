/** How hostile, slow and broken servers are handled, over both ways of sending: the pool and node:http. */
import { createServer } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type AccessOptions, accessOf } from '../../../conformance/options/access.ts'
import { createTransport, type Transport } from '../../../conformance/send/transport/index.ts'
import type { HttpRequest, Outcome } from '../../../spec/index.ts'
import { during } from '../../cli/command.ts'
import { storeWith } from '../../cli/servers.ts'
import { listen } from '../../listen.ts'
import { type RawRequest, rawServer, responseText } from './raw-server.ts'

const post: HttpRequest = {
  method: 'POST',
  target: '/things',
  headers: [['Authorization', 'Bearer {{token}}']],
  body: new TextEncoder().encode('{}'),
  chunked: false,
}

const transportTo = (target: URL, options: AccessOptions = {}): Transport => {
  const transport = createTransport({
    ...accessOf({ timeoutMs: 400, ...options }),
    target,
    token: () => 'secret',
  })
  onTestFinished(transport.close)
  return transport
}

type Way = readonly [name: string, send: (transport: Transport) => Promise<Outcome>]
const ways: readonly Way[] = [
  ['pooled', transport => transport.send(post)],
  ['node:http', async transport => (await transport.sendInRow([post]))[0] as Outcome],
]

const endless = (request: RawRequest, text: string | Buffer): void => {
  const { socket } = request
  const write = (): void => {
    while (!socket.destroyed && socket.write(text));
    if (!socket.destroyed) socket.once('drain', write)
  }
  write()
}

const hundred = (text: string): string => text.repeat(100)
const megabyte = Buffer.alloc(1024 * 1024, 'x')
const okHead = 'HTTP/1.1 200 OK\r\n'
const zeros = Buffer.alloc(64 * 1024 * 1024)

type Hostile = readonly [
  what: string,
  answer: (request: RawRequest) => void,
  failure: string,
  status: number | null,
  detail: RegExp,
]

const hostile: readonly Hostile[] = [
  ['stays silent', () => {}, 'timeout', null, /^no response within 400 ms$/],
  [
    'sends a status line and then nothing',
    ({ socket }) => socket.write(okHead),
    'timeout',
    null,
    /^no response within/,
  ],
  [
    'sends a head and then nothing',
    ({ socket }) => socket.write(`${okHead}Content-Length: 5\r\n\r\n`),
    'timeout',
    200,
    /^only 0 bytes of the body within/,
  ],
  [
    'sends half of the body and resets',
    ({ socket }) =>
      socket.write(`${okHead}Content-Length: 20\r\n\r\nhalf a body`, () =>
        setTimeout(() => socket.resetAndDestroy(), 30),
      ),
    'reset',
    200,
    /after 11 bytes of the body$/,
  ],
  [
    'sends half of the body and ends',
    ({ socket }) => socket.end(`${okHead}Content-Length: 20\r\n\r\nhalf a body`),
    'reset',
    200,
    /after 11 bytes of the body$/,
  ],
  [
    'trickles a body',
    ({ socket }) => {
      socket.write(`${okHead}Content-Length: 100000\r\n\r\n`)
      const timer = setInterval(() => socket.write('x'), 20)
      socket.on('close', () => clearInterval(timer))
    },
    'timeout',
    200,
    /^only \d+ bytes of the body within/,
  ],
  [
    'trickles a head',
    ({ socket }) => {
      socket.write(okHead)
      const timer = setInterval(() => socket.write('x: y\r\n'), 20)
      socket.on('close', () => clearInterval(timer))
    },
    'timeout',
    null,
    /^no response within/,
  ],
  [
    'sends header fields and no status line',
    request => endless(request, hundred('x: y\r\n')),
    'malformed',
    null,
    /./,
  ],
  [
    'sends header fields without end',
    request => {
      request.socket.write(okHead)
      endless(request, hundred('x: y\r\n'))
    },
    'too-large',
    null,
    /^the header fields are larger than the limit$/,
  ],
  [
    'sends one header field without end',
    request => {
      request.socket.write(`${okHead}x: `)
      endless(request, megabyte)
    },
    'too-large',
    null,
    /^the header fields are larger than the limit$/,
  ],
  [
    'sends too many header fields',
    ({ socket }) => socket.write(`${okHead}${'a:\r\n'.repeat(1500)}Content-Length: 0\r\n\r\n`),
    'too-large',
    200,
    /^more than 1000 header fields$/,
  ],
  [
    'sends a body without end',
    request => {
      request.socket.write(`${okHead}Content-Length: 99999999999\r\n\r\n`)
      endless(request, megabyte)
    },
    'too-large',
    200,
    /^more than 5242880 bytes of a body$/,
  ],
  [
    'sends early hints without end',
    request => endless(request, hundred('HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n')),
    'too-large',
    null,
    /^more than 32 interim responses$/,
  ],
  [
    'sends 100 Continue without end',
    request => endless(request, hundred('HTTP/1.1 100 Continue\r\n\r\n')),
    'too-large',
    null,
    /^more than 32 interim responses$/,
  ],
  ['does not speak HTTP', ({ socket }) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'), 'malformed', null, /./],
  ['resets', ({ socket }) => socket.resetAndDestroy(), 'reset', null, /./],
  [
    'switches to another protocol',
    ({ socket }) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    'malformed',
    null,
    /./,
  ],
  ...(
    [
      ['gzip', gzipSync(zeros)],
      ['deflate', deflateSync(zeros)],
      ['br', brotliCompressSync(zeros)],
      ['zstd', zstdCompressSync(zeros)],
      ['gzip, gzip', gzipSync(gzipSync(zeros))],
    ] as const
  ).map(
    ([coding, bytes]): Hostile => [
      `sends 64 MiB compressed with ${coding}`,
      ({ socket }) => {
        socket.write(`${okHead}Content-Encoding: ${coding}\r\nContent-Length: ${bytes.length}\r\n\r\n`)
        socket.write(bytes)
      },
      'too-large',
      200,
      /decodes to more than 5242880 bytes$/,
    ],
  ),
  [
    'compresses its body nine times',
    ({ socket }) =>
      socket.write(responseText(200, 'x', `Content-Encoding: ${Array(9).fill('gzip').join(', ')}`)),
    'too-large',
    200,
    /^9 nested content codings/,
  ],
]

describe.each(ways)('over %s, a server that', (_way, send) => {
  test.each(hostile)('%s gives the right kind of failure', async (_what, answer, failure, status, detail) => {
    const server = await rawServer(answer)
    const before = process.memoryUsage().rss
    // Only a timeout may depend on time: a busy machine can need longer than 400 ms for what breaks another limit.
    const transport = transportTo(server.url, failure === 'timeout' ? {} : { timeoutMs: 30_000 })
    const outcome = await send(transport)
    expect(outcome).toMatchObject({
      kind: 'failure',
      failure,
      status,
      detail: expect.stringMatching(detail),
    })
    expect(outcome.ms).toBeLessThan(5000)
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
  })

  test('writes more after its response gives the failure `malformed`', async () => {
    const server = await rawServer(({ socket }) => socket.write(`${responseText(200, '{}')}and more`))
    const outcome = await send(transportTo(server.url))
    expect(outcome).toMatchObject({ kind: 'failure', failure: 'malformed', status: 200 })
  })

  test('redirects is not followed, and nobody else gets the token', async () => {
    const other = await rawServer(({ socket }) => socket.end(responseText(200, '{}')))
    const statuses = [301, 302, 303, 307, 308]
    for (const status of statuses) {
      const server = await rawServer(({ socket }) =>
        socket.write(responseText(status, '', `Location: ${other.url}things`)),
      )
      const outcome = await send(transportTo(server.url))
      expect(outcome).toMatchObject({ kind: 'response', response: { status } })
      expect(server.requests[0]?.head).toContain('Bearer secret')
    }
    expect(other.requests).toEqual([])
  })
})

test('a request is sent again if the server closes the connection just as it arrives', async () => {
  const server = await rawServer(({ socket, nth }) => {
    if (nth === 1) socket.write(responseText(200, '{}'))
    else if (nth === 2) socket.destroy()
  })
  const transport = transportTo(server.url)
  for (let time = 0; time < 3; time++) expect(await transport.send(post)).toMatchObject({ kind: 'response' })
  expect(await transport.sendInRow([post, post])).toMatchObject([{ kind: 'response' }, { kind: 'response' }])
})

test('a request is sent again if the server resets the connection just as it arrives', async () => {
  const server = await rawServer(({ socket, nth }) => {
    if (nth === 1) socket.write(responseText(200, '{}'))
    else socket.resetAndDestroy()
  })
  const transport = transportTo(server.url)
  for (let time = 0; time < 3; time++) expect(await transport.send(post)).toMatchObject({ kind: 'response' })
  expect(await transport.sendInRow([post, post])).toMatchObject([{ kind: 'response' }, { kind: 'response' }])
})

test('a 408 that ends an idle connection is not the response to the next request', async () => {
  const server = await rawServer(({ socket, nth }) => {
    if (nth === 1) socket.write(responseText(200, '{}'))
    else socket.end(responseText(408, '', 'Connection: close'))
  })
  const transport = transportTo(server.url)
  for (let time = 0; time < 4; time++)
    expect(await transport.send(post)).toMatchObject({ kind: 'response', response: { status: 200 } })
})

test('idle connections may end any number of times, busy ones only a few times', async () => {
  const server = await rawServer(({ socket, nth }) => {
    if (nth === 1) socket.write(responseText(200, '{}'))
    else socket.destroy()
  })
  const transport = transportTo(server.url, { rate: 6 })
  for (let time = 0; time < 8; time++) expect(await transport.send(post)).toMatchObject({ kind: 'response' })
  const hurried = transportTo(server.url)
  const outcomes = []
  for (let time = 0; time < 8; time++) outcomes.push((await hurried.send(post)).kind)
  expect(outcomes.slice(0, 4)).toEqual(Array(4).fill('response'))
  expect(outcomes.slice(4)).toContain('failure')
})

test('a connection on which a large body was rejected is not used again', async () => {
  const rejecting = await rawServer(({ socket, nth }) => {
    if (nth === 1) socket.write(responseText(400, '{}'))
    else socket.destroy()
  })
  const large = { ...post, body: new Uint8Array(100_000) }
  const transport = transportTo(rejecting.url)
  for (let time = 0; time < 8; time++)
    expect(await transport.send(large)).toMatchObject({ kind: 'response', response: { status: 400 } })
  expect(rejecting.requests.every(({ nth }) => nth === 1)).toBe(true)
})

test('a request that breaks every connection is sent again once, and then is a failure', async () => {
  const server = await rawServer(({ socket, nth, connection }) => {
    if (nth === 1 && connection === 1) socket.write(responseText(200, '{}'))
    else socket.destroy()
  })
  const transport = transportTo(server.url)
  await transport.send(post)
  expect(await transport.send(post)).toMatchObject({ kind: 'failure', failure: 'reset', status: null })
  expect(server.requests).toHaveLength(3)
})

test('the time of a request that was sent again and failed counts from the first time', async () => {
  let requests = 0
  const { url, close } = await listen(
    createServer((request, response) => {
      requests += 1
      if (requests === 1) response.end()
      else setTimeout(() => request.socket.destroy(), requests === 2 ? 200 : 0)
    }),
  )
  onTestFinished(close)
  const transport = transportTo(new URL(url), { timeoutMs: 2000 })
  await transport.send(post)
  const outcome = await transport.send(post)
  expect(requests).toBe(3)
  expect(outcome).toMatchObject({ kind: 'failure', failure: 'reset' })
  expect(outcome.ms).toBeGreaterThanOrEqual(190)
})

test('a request whose new connection is reset is not sent again', async () => {
  const server = await rawServer(({ socket }) => socket.destroy())
  expect(await transportTo(server.url).send(post)).toMatchObject({ kind: 'failure', failure: 'reset' })
  expect(server.requests).toHaveLength(1)
})

test('a request is not sent again after half of a response on a used connection', async () => {
  const server = await rawServer(({ socket, nth }) => {
    if (nth === 1) socket.write(responseText(200, '{}'))
    else socket.end('HTTP/1.1 200 OK\r\nConte')
  })
  const transport = transportTo(server.url)
  await transport.send(post)
  expect(await transport.send(post)).toMatchObject({ kind: 'failure', status: null })
  expect(server.requests).toHaveLength(2)
})

test('every request has the extra headers in place of their placeholders', async () => {
  const server = await rawServer(({ socket }) => socket.write(responseText(200, '{}')))
  const transport = transportTo(server.url, { headers: [['X-Key', 'k-1']] })
  const recorded = { ...post, headers: [...post.headers, ['X-Key', '{{header}}'] as const] }
  await transport.send(recorded)
  await transport.sendInRow([{ ...post, body: null }])
  for (const { head } of server.requests) expect(head.match(/^x-key: .*$/gim)).toEqual(['X-Key: k-1'])
  expect(server.requests).toHaveLength(2)
})

test('a chunked body is sent in chunks, by itself and in a row', async () => {
  const arrived: unknown[] = []
  const store = storeWith({
    respond: (response, { request, bytes }) => {
      const { 'transfer-encoding': coding, 'content-length': length } = request.headers
      arrived.push([coding, length, bytes.toString()])
      return response
    },
  })
  await during(store, async ({ url }) => {
    const transport = transportTo(new URL(url))
    const request = { ...post, target: '/plants', body: Buffer.from('{"id":1}'), chunked: true }
    await transport.send(request)
    await transport.sendInRow([request, request])
  })
  expect(arrived).toEqual(Array.from({ length: 3 }, () => ['chunked', undefined, '{"id":1}']))
})

test.each([
  ['POST', '0'],
  ['PUT', '0'],
  ['PATCH', '0'],
  ['QUERY', '0'],
  ['DELETE', undefined],
  ['GET', undefined],
])('a %s without a body has the Content-Length %s, by itself and in a row', async (method, length) => {
  const arrived: unknown[] = []
  const service = await listen(
    createServer(({ headers }, response) => {
      arrived.push([headers['transfer-encoding'], headers['content-length']])
      response.end()
    }),
  )
  onTestFinished(service.close)
  const transport = transportTo(new URL(service.url))
  const request = { ...post, method, body: null }
  await transport.send(request)
  await transport.sendInRow([request])
  expect(arrived).toEqual([
    [undefined, length],
    [undefined, length],
  ])
})

/** Sends this many requests to a new server, eight at a time and over both ways of sending. Returns when they arrived. */
const arrivals = async (total: number, options: AccessOptions): Promise<readonly number[]> => {
  const times: number[] = []
  const server = await rawServer(({ socket }) => {
    times.push(performance.now())
    socket.write(responseText(200, '{}'))
  })
  const transport = transportTo(server.url, { timeoutMs: 5000, ...options })
  let left = total
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      if (left % 3 === 0) await transport.sendInRow([post])
      else await transport.send(post)
    }
  }
  await Promise.all(Array.from({ length: 8 }, worker))
  expect(transport.sent()).toBe(total)
  return times
}

const secondsOf = (times: readonly number[]): number => ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000

test.each([50, 400])('a rate of %i requests per second is even, over both ways of sending', async rate => {
  const total = rate
  const fastest = (total - 1) / secondsOf(await arrivals(total, {}))
  const busy = process.cpuUsage()
  const times = await arrivals(total, { rate })
  const seconds = secondsOf(times)
  const measured = (total - 1) / seconds
  // Never faster than the rate, and slower only if this machine is.
  expect(measured).toBeLessThan(rate * 1.04)
  expect(measured).toBeGreaterThan(Math.min(rate, fastest) * 0.6)
  // A busy wait would take a whole processor.
  if (rate === 50) expect(process.cpuUsage(busy).user / 1e6).toBeLessThan(seconds * 0.8)
  const quarter = times.filter(time => time - (times[0] ?? 0) < (seconds * 1000) / 4).length
  expect(quarter).toBeLessThan(total * 0.4)
})
