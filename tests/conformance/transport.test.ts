/** What comes of servers that are hostile, slow or broken; over both ways of sending, the pooled and the bare one. */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type AccessOptions,
  accessOf,
  createTransport,
  type Transport,
} from '../../conformance/transport/index.ts'
import type { Outcome, Request } from '../../spec/index.ts'
import { answerText, type RawRequest, rawServer } from './raw-server.ts'

const post: Request = {
  method: 'POST',
  target: '/things',
  headers: [['Authorization', 'Bearer {{token}}']],
  body: new TextEncoder().encode('{}'),
  chunked: false,
}

const transportTo = (base: URL, options: AccessOptions = {}): Transport => {
  const transport = createTransport({
    base,
    token: 'secret',
    access: accessOf({ timeoutMs: 400, ...options }),
  })
  onTestFinished(transport.close)
  return transport
}

type Way = readonly [name: string, send: (transport: Transport) => Promise<Outcome>]
const ways: readonly Way[] = [
  ['pooled', transport => transport.send(post)],
  ['bare', async transport => (await transport.sendInRow([post]))[0] as Outcome],
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
  ['says nothing', () => {}, 'timeout', null, /^no answer within 400 ms$/],
  [
    'sends a status line and then nothing',
    ({ socket }) => socket.write(okHead),
    'timeout',
    null,
    /^no answer within/,
  ],
  [
    'sends a head and then nothing',
    ({ socket }) => socket.write(`${okHead}Content-Length: 5\r\n\r\n`),
    'timeout',
    200,
    /^0 bytes of the body within/,
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
    /^\d+ bytes of the body within/,
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
    /^no answer within/,
  ],
  ['has no end of header fields', request => endless(request, hundred('x: y\r\n')), 'malformed', null, /./],
  [
    'has header fields without end',
    request => {
      request.socket.write(okHead)
      endless(request, hundred('x: y\r\n'))
    },
    'too-large',
    null,
    /^the header fields are larger than the limit$/,
  ],
  [
    'has one header field without end',
    request => {
      request.socket.write(`${okHead}x: `)
      endless(request, megabyte)
    },
    'too-large',
    null,
    /^the header fields are larger than the limit$/,
  ],
  [
    'has too many header fields',
    ({ socket }) => socket.write(`${okHead}${'a:\r\n'.repeat(1500)}Content-Length: 0\r\n\r\n`),
    'too-large',
    200,
    /^more than 1000 header fields$/,
  ],
  [
    'has a body without end',
    request => {
      request.socket.write(`${okHead}Content-Length: 99999999999\r\n\r\n`)
      endless(request, megabyte)
    },
    'too-large',
    200,
    /^more than 10485760 bytes of a body$/,
  ],
  [
    'has early hints without end',
    request => endless(request, hundred('HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n')),
    'too-large',
    null,
    /^more than 32 interim answers$/,
  ],
  [
    'continues without end',
    request => endless(request, hundred('HTTP/1.1 100 Continue\r\n\r\n')),
    'too-large',
    null,
    /^more than 32 interim answers$/,
  ],
  ['is no HTTP', ({ socket }) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'), 'malformed', null, /./],
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
      `unfolds by ${coding} to 64 MiB`,
      ({ socket }) => {
        socket.write(`${okHead}Content-Encoding: ${coding}\r\nContent-Length: ${bytes.length}\r\n\r\n`)
        socket.write(bytes)
      },
      'too-large',
      200,
      /unfolds to more than 10485760 bytes$/,
    ],
  ),
  [
    'is folded more often than anybody would',
    ({ socket }) =>
      socket.write(answerText(200, 'x', `Content-Encoding: ${Array(9).fill('gzip').join(', ')}`)),
    'too-large',
    200,
    /^9 content codings/,
  ],
]

describe.each(ways)('an answer, sent for the %s way,', (_way, send) => {
  test.each(hostile)('that %s is a failure of its kind', async (_what, answer, failure, status, detail) => {
    const server = await rawServer(answer)
    const before = process.memoryUsage().rss
    const outcome = await send(transportTo(server.url))
    expect(outcome).toMatchObject({
      kind: 'failure',
      failure,
      status,
      detail: expect.stringMatching(detail),
    })
    expect(outcome.ms).toBeLessThan(5000)
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
  })

  test('that goes on after its end is told as such', async () => {
    const server = await rawServer(({ socket }) => socket.write(`${answerText(200, '{}')}and more`))
    const outcome = await send(transportTo(server.url))
    expect(outcome).toMatchObject({ kind: 'failure', failure: 'malformed', status: 200 })
  })

  test('that is a redirect is an answer: it is not followed, and the token goes to nobody else', async () => {
    const other = await rawServer(({ socket }) => socket.end(answerText(200, '{}')))
    const statuses = [301, 302, 303, 307, 308]
    for (const status of statuses) {
      const server = await rawServer(({ socket }) =>
        socket.write(answerText(status, '', `Location: ${other.url}things`)),
      )
      const outcome = await send(transportTo(server.url))
      expect(outcome).toMatchObject({ kind: 'answer', answer: { status } })
      expect(server.requests[0]?.head).toContain('Bearer secret')
    }
    expect(other.requests).toEqual([])
  })
})

test('a connection that the server closes just as the next request comes is no failure: it is sent again', async () => {
  const server = await rawServer(({ socket, nth }) => {
    if (nth === 1) socket.write(answerText(200, '{}'))
    else if (nth === 2) socket.destroy()
  })
  const transport = transportTo(server.url)
  for (let time = 0; time < 3; time++) expect(await transport.send(post)).toMatchObject({ kind: 'answer' })
  expect(await transport.sendInRow([post, post])).toMatchObject([{ kind: 'answer' }, { kind: 'answer' }])
})

test('a connection that the server resets just as the next request comes is no failure either', async () => {
  const server = await rawServer(({ socket, nth }) => {
    if (nth === 1) socket.write(answerText(200, '{}'))
    else socket.resetAndDestroy()
  })
  const transport = transportTo(server.url)
  for (let time = 0; time < 3; time++) expect(await transport.send(post)).toMatchObject({ kind: 'answer' })
  expect(await transport.sendInRow([post, post])).toMatchObject([{ kind: 'answer' }, { kind: 'answer' }])
})

test('an idle connection that is given up with a 408 is no answer to the next request', async () => {
  const server = await rawServer(({ socket, nth }) => {
    if (nth === 1) socket.write(answerText(200, '{}'))
    else socket.end(answerText(408, '', 'Connection: close'))
  })
  const transport = transportTo(server.url)
  for (let time = 0; time < 4; time++)
    expect(await transport.send(post)).toMatchObject({ kind: 'answer', answer: { status: 200 } })
})

test('connections that were idle for a while may end however often; those that were in use may not', async () => {
  const server = await rawServer(({ socket, nth }) => {
    if (nth === 1) socket.write(answerText(200, '{}'))
    else socket.destroy()
  })
  const transport = transportTo(server.url, { rate: 12 })
  for (let time = 0; time < 8; time++) expect(await transport.send(post)).toMatchObject({ kind: 'answer' })
  const hurried = transportTo(server.url)
  const outcomes = []
  for (let time = 0; time < 8; time++) outcomes.push((await hurried.send(post)).kind)
  expect(outcomes.slice(0, 4)).toEqual(Array(4).fill('answer'))
  expect(outcomes.slice(4)).toContain('failure')
})

test('a request that breaks every connection is sent again once, and then told as what it is', async () => {
  const server = await rawServer(({ socket, nth, connection }) => {
    if (nth === 1 && connection === 1) socket.write(answerText(200, '{}'))
    else socket.destroy()
  })
  const transport = transportTo(server.url)
  await transport.send(post)
  expect(await transport.send(post)).toMatchObject({ kind: 'failure', failure: 'reset', status: null })
  expect(server.requests).toHaveLength(3)
})

test('a request on a connection of its own that is reset is not sent again', async () => {
  const server = await rawServer(({ socket }) => socket.destroy())
  expect(await transportTo(server.url).send(post)).toMatchObject({ kind: 'failure', failure: 'reset' })
  expect(server.requests).toHaveLength(1)
})

test('half of an answer on a used connection is not sent again', async () => {
  const server = await rawServer(({ socket, nth }) => {
    if (nth === 1) socket.write(answerText(200, '{}'))
    else socket.end('HTTP/1.1 200 OK\r\nConte')
  })
  const transport = transportTo(server.url)
  await transport.send(post)
  expect(await transport.send(post)).toMatchObject({ kind: 'failure', status: null })
  expect(server.requests).toHaveLength(2)
})

test('extra headers are sent with every request, in place of their placeholders', async () => {
  const server = await rawServer(({ socket }) => socket.write(answerText(200, '{}')))
  const transport = transportTo(server.url, { headers: [['X-Key', 'k-1']] })
  const recorded = { ...post, headers: [...post.headers, ['X-Key', '{{header}}'] as const] }
  await transport.send(recorded)
  await transport.sendInRow([{ ...post, body: null }])
  for (const { head } of server.requests) expect(head.match(/^x-key: .*$/gim)).toEqual(['X-Key: k-1'])
  expect(server.requests).toHaveLength(2)
})

test.each([50, 400])('at a rate of %i a second so many are sent, evenly, over both ways', async rate => {
  const times: number[] = []
  const server = await rawServer(({ socket }) => {
    times.push(performance.now())
    socket.write(answerText(200, '{}'))
  })
  const transport = transportTo(server.url, { rate, timeoutMs: 5000 })
  const total = rate
  let left = total
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      if (left % 3 === 0) await transport.sendInRow([post])
      else await transport.send(post)
    }
  }
  const busy = process.cpuUsage()
  await Promise.all(Array.from({ length: 8 }, worker))
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000
  expect(transport.sent()).toBe(total)
  const measured = (total - 1) / seconds
  // Never faster than asked for; slower only where this machine is.
  expect(measured).toBeLessThan(rate * 1.04)
  expect(measured).toBeGreaterThan(rate * 0.6)
  // A busy wait would take a whole processor.
  if (rate === 50) expect(process.cpuUsage(busy).user / 1e6).toBeLessThan(seconds * 0.8)
  const quarter = times.filter(time => time - (times[0] ?? 0) < (seconds * 1000) / 4).length
  expect(quarter).toBeLessThan(total * 0.4)
})
