/** Plant stores that mean harm: each answers in one way that costs whoever reads it time, memory or a secret. */
import type { ServerResponse } from 'node:http'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Exchange, Parts, StoreResponse } from '../broken-servers/store/model.ts'

export type HostileServer = {
  readonly name: string
  readonly parts: Partial<Parts>
  /** The exit codes that are right: 0 for what is odd but lawful, 1 for what breaks the contract, 4 for what cannot be judged. */
  readonly codes: readonly number[]
}

type Answer = Partial<Pick<StoreResponse, 'status' | 'headers' | 'body'>>

/** Answers every request, or only those that a lawful store rejects or accepts, with this. */
const answering = (
  answer: (exchange: Exchange, response: StoreResponse) => Answer,
  to: 'all' | 'accepted' | 'rejected' = 'all',
): Partial<Parts> => ({
  respond: (response, exchange) => {
    const isMeant = to === 'all' || (to === 'accepted') === response.status < 300
    return isMeant ? { ...response, ...answer(exchange, response) } : response
  },
})

const json = { 'content-type': 'application/json' }
const withBody = (body: string | Buffer, status = 200): Answer => ({ status, headers: json, body })
const withHeaders = (headers: Readonly<Record<string, string>>): Partial<Parts> =>
  answering((_, response) => ({ headers: { ...response.headers, ...headers } }))

/** Writes bytes to the connection, past the HTTP server, for as long as the client reads. */
const raw = (write: (out: ServerResponse) => void): Partial<Parts> => ({
  send: (_response, out) => {
    write(out)
  },
})

const endless =
  (head: string, chunk: string) =>
  (out: ServerResponse): void => {
    const { socket } = out
    if (socket === null) return
    const more = (): void => {
      while (!socket.destroyed && socket.write(chunk));
      if (!socket.destroyed) socket.once('drain', more)
    }
    socket.write(head)
    more()
  }

/** Writes a byte every few milliseconds, again and again from the last of them, for as long as the client reads. */
const dripping =
  (bytes: string, ms: number) =>
  ({ socket }: ServerResponse): void => {
    let at = 0
    const timer = setInterval(() => {
      socket?.write(bytes.charAt(Math.min(at++, bytes.length - 1)))
    }, ms)
    socket?.once('close', () => clearInterval(timer))
  }

/** A lawful response in as many packets as it has bytes. */
const byteByByte: Parts['send'] = ({ status, body }, { socket }) => {
  const fields = [
    'Content-Type: application/json',
    'Connection: close',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  const bytes = Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status} \r\n${fields.join('\r\n')}\r\n\r\n`),
    Buffer.from(body),
  ])
  let at = 0
  const next = (): void => {
    if (at === bytes.length) socket?.end()
    else socket?.write(bytes.subarray(at++, at), () => setImmediate(next))
  }
  socket?.setNoDelay()
  next()
}

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const long = (length: number): string => 'x'.repeat(length)
const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'

/** Texts that terminals, pages, tables and workflow commands would act on. */
const markup = [
  '\u001b[2J\u001b[31mred\u001b[0m',
  '\u001b]0;title\u0007',
  '\u202eleft\u2066',
  '\n::error file=x::forged\n',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  ']]><x>',
  '=1+1',
  '`code` [x](javascript:alert(1))',
  '{{token}} $(id)',
].join('|')

const tokenOf = ({ request }: Exchange): string =>
  (request.headers.authorization ?? '').split(' ').at(-1) ?? ''

/** The token in forms that a program turns back. */
const formsOf = (token: string): Readonly<Record<string, string>> => ({
  raw: token,
  base64: Buffer.from(`Bearer ${token}`).toString('base64'),
  shifted: Buffer.from(`x${token}yy`).toString('base64'),
  base64url: Buffer.from(`??>>${token}`).toString('base64url'),
  hex: Buffer.from(token).toString('hex'),
  upperHex: Buffer.from(token).toString('hex').toUpperCase(),
  percent: [...token].map(char => `%${char.charCodeAt(0).toString(16)}`).join(''),
  unicode: [...token].map(char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  entities: [...token].map(char => `&#${char.charCodeAt(0)};`).join(''),
  reversed: [...token].reverse().join(''),
})

export const hostileServers: readonly HostileServer[] = [
  { name: 'a header field of 60 kB', parts: withHeaders({ 'x-large': long(60_000) }), codes: [0] },
  {
    name: '900 header fields',
    parts: withHeaders(Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`x-${at}`, long(50)]))),
    codes: [0],
  },
  {
    name: 'a media type with 11,000 parameters',
    parts: withHeaders({ 'content-type': `application/json; ${'a=b; '.repeat(11_000)}a=b` }),
    codes: [0, 1],
  },
  {
    name: 'a challenge with 59,000 spaces',
    parts: answering(
      () => ({
        status: 401,
        headers: { ...json, 'www-authenticate': `Bearer a${' '.repeat(59_000)}b` },
      }),
      'rejected',
    ),
    codes: [1],
  },
  {
    name: 'a body of 5 MB',
    parts: answering(once(() => withBody(JSON.stringify({ name: long(5_200_000) })))),
    codes: [1],
  },
  {
    name: 'a body of 5 MB in rejections',
    parts: answering(
      once(() => withBody(JSON.stringify({ error: 1, message: long(5_200_000) }), 400)),
      'rejected',
    ),
    codes: [0, 4],
  },
  {
    name: '400,000 properties',
    parts: answering(
      once(() =>
        withBody(`{"name":"x",${Array.from({ length: 400_000 }, (_, at) => `"k${at}":[]`).join(',')}}`),
      ),
    ),
    codes: [1],
  },
  {
    name: '100,000 properties, each time others',
    parts: answering(
      ({ nth }) =>
        withBody(
          `{"error":1,"message":"x",${Array.from({ length: 100_000 }, (_, at) => `"k${at}":${at}`).join(',')},"n":${nth}}`,
          400,
        ),
      'rejected',
    ),
    // The time of a slow machine is up before its last case.
    codes: [0, 4],
  },
  {
    name: '800,000 numbers',
    parts: answering(once(() => withBody(`{"name":"x","tag":[${Array(800_000).fill('1.0e1').join(',')}]}`))),
    codes: [1],
  },
  {
    name: 'one name 450,000 times',
    parts: answering(once(() => withBody(`{${Array(450_000).fill('"name":"x"').join(',')}}`))),
    codes: [1],
  },
  {
    name: 'a number of 5,000,000 digits',
    parts: answering(
      once(() => withBody(`{"error":${'1'.repeat(5_000_000)},"message":"x"}`, 400)),
      'rejected',
    ),
    codes: [4],
  },
  {
    name: 'a number with 2,500,000 zeros, and as large a negative exponent',
    parts: answering(
      once(() => withBody(`{"error":1${'0'.repeat(2_500_000)}e-2500000,"message":"x"}`, 400)),
      'rejected',
    ),
    codes: [4],
  },
  {
    name: 'an exponent of 999,999,999',
    parts: answering(() => withBody('{"error":1e999999999,"message":"x"}', 400), 'rejected'),
    codes: [1],
  },
  {
    name: '5,000,000 open brackets',
    parts: answering(once(() => withBody('['.repeat(5_000_000)))),
    codes: [1],
  },
  {
    name: '2,500,000 nested lists',
    parts: answering(once(() => withBody('['.repeat(2_500_000) + ']'.repeat(2_500_000)))),
    codes: [1],
  },
  {
    name: '500,000 nested objects',
    parts: answering(once(() => withBody(`${'{"name":'.repeat(500_000)}1${'}'.repeat(500_000)}`))),
    codes: [1],
  },
  {
    name: 'gzip of 512 MB',
    parts: answering(
      once(() => ({
        ...withBody(gzipSync(Buffer.alloc(2 ** 29))),
        headers: { ...json, 'content-encoding': 'gzip' },
      })),
    ),
    codes: [1],
  },
  {
    name: 'Brotli of 256 MB',
    parts: answering(
      once(() => ({
        ...withBody(brotliCompressSync(Buffer.alloc(2 ** 28))),
        headers: { ...json, 'content-encoding': 'br' },
      })),
    ),
    codes: [1],
  },
  { name: 'an endless body', parts: raw(endless(`${head}\r\n`, long(65_536))), codes: [1, 4] },
  {
    name: 'endless chunks of a byte',
    parts: raw(endless(`${head}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n'.repeat(10_000))),
    codes: [1, 4],
  },
  { name: 'an endless header', parts: raw(endless(head, 'x: y\r\n'.repeat(10_000))), codes: [1, 4] },
  {
    name: 'endless interim responses',
    parts: raw(endless('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000))),
    codes: [1, 4],
  },
  {
    name: 'Retry-After: 5 to everything',
    parts: answering(() => ({ status: 429, headers: { ...json, 'retry-after': '5' } })),
    codes: [4],
  },
  {
    name: 'Retry-After: 4 to what a lawful store rejects',
    parts: answering(() => ({ status: 429, headers: { ...json, 'retry-after': '4' } }), 'rejected'),
    codes: [4],
  },
  { name: 'no answer', parts: raw(() => {}), codes: [1, 4] },
  {
    name: 'a status line without end, byte by byte',
    parts: raw(dripping('HTTP/1.1 200 x', 20)),
    codes: [1, 4],
  },
  { name: 'a header without end, byte by byte', parts: raw(dripping(`${head}x-x: x`, 20)), codes: [1, 4] },
  {
    name: 'a body without end, byte by byte',
    parts: raw(dripping(`${head}Content-Length: 1000000\r\n\r\n `, 20)),
    codes: [1, 4],
  },
  {
    name: 'a lawful response, byte by byte',
    parts: { send: byteByByte },
    codes: [0],
  },
  {
    name: 'other words in each rejection',
    parts: answering(({ nth }) => withBody(`{"error":${nth},"message":"m${nth}"}`, 400), 'rejected'),
    codes: [0],
  },
  {
    name: 'text for terminals, pages and tables',
    parts: answering(() => withBody(JSON.stringify({ error: markup, [markup]: markup }), 400), 'rejected'),
    codes: [1],
  },
  {
    name: 'the token in ten forms',
    parts: answering(exchange => withBody(JSON.stringify({ name: 1, ...formsOf(tokenOf(exchange)) }))),
    codes: [1],
  },
  {
    name: 'the token in the name of a header field',
    parts: answering((exchange, response) => {
      const token = tokenOf(exchange)
      const name = /^[\w.-]+$/.test(token) ? token : 'x'
      return { headers: { ...response.headers, [name]: '1', [`x-${name}`]: '1' } }
    }),
    codes: [0],
  },
  {
    name: 'the token at the end of what is shown',
    parts: answering(exchange => withBody(`{"p":"${long(180 + (exchange.nth % 20))}${tokenOf(exchange)}"}`)),
    codes: [1],
  },
]
