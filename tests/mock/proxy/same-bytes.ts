/** The same requests, sent to a server directly and through a proxy: where the bytes that come back differ. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { listen } from '../../listen.ts'

type Answer = (response: ServerResponse, seen: string) => void

const megabyte = 'x'.repeat(1_000_000)

const withBody =
  (status: number, reason: string, type: string, body: string | Buffer): Answer =>
  (response, seen) => {
    const length = String(Buffer.byteLength(body))
    const fields = ['X-Seen', seen, 'content-TYPE', type, 'X-a', '1', 'x-A', '2', 'Content-Length', length]
    response.writeHead(status, reason, fields).end(body)
  }

const inParts =
  (type: string, parts: readonly string[]): Answer =>
  (response, seen) => {
    response.writeHead(200, ['X-Seen', seen, 'Content-Type', type, 'Trailer', 'X-Sum', ...chunked])
    const [first, ...rest] = parts
    response.write(first)
    const next = (): void => {
      const part = rest.shift()
      if (part !== undefined) response.write(part, () => setImmediate(next))
      else {
        response.addTrailers([['X-Sum', String(parts.length)]])
        response.end()
      }
    }
    next()
  }
const chunked = ['Transfer-Encoding', 'chunked']

const json = 'application/json'
const kept: Readonly<Record<string, Answer>> = {
  plant: withBody(200, 'OK', json, '{"name":"Fern"}'),
  'wrong type': withBody(200, 'Fine', json, '{"name":5,"name":null}'),
  'not UTF-8': withBody(200, 'OK', json, Buffer.from([0x22, 0xff, 0xfe, 0x22])),
  'cut JSON': withBody(200, 'OK', json, '{"name":'),
  crash: withBody(500, 'Oh dear', 'text/html', '<h1>\r\n\r\n500</h1>'),
  rejection: withBody(400, 'Bad Request', 'application/problem+json', '{}'),
  nothing: response => response.writeHead(204, ['X-A', 'caf\xe9']).end(),
  'not modified': response => response.writeHead(304, ['ETag', '"1"']).end(),
  chunks: inParts(json, ['{"na', 'me"', ':"\r\n"', '}']),
  events: inParts('text/event-stream', ['data: 1\n\n', ': hm\n\n', 'data: 2\n\ndata: 3\n\n']),
  large: withBody(200, 'OK', json, `"${megabyte}"`),
  'large in chunks': inParts(json, ['"', megabyte, '"']),
}

/** These end the connection. */
const last: Readonly<Record<string, Answer>> = {
  announced: (response, seen) =>
    response.writeHead(200, ['X-Seen', seen, 'Connection', 'close', 'Content-Length', '2']).end('{}'),
  unannounced: (response, seen) => {
    const { socket } = response.req
    response.writeHead(200, ['X-Seen', seen, 'Content-Length', '2']).end('{}', () => socket.end())
  },
  'until the end': (response, seen) => {
    response.useChunkedEncodingByDefault = false
    response.writeHead(200, ['X-Seen', seen, 'Connection', 'close']).end('{"name":"Fern"}')
  },
  'gone in the middle': (response, seen) => {
    const { socket } = response.req
    response.writeHead(200, ['X-Seen', seen, 'Content-Length', '99'])
    response.write('{"name":', () => socket.end())
  },
  'gone between chunks': (response, seen) => {
    const { socket } = response.req
    response.writeHead(200, ['X-Seen', seen, ...chunked])
    response.write('{"name":', () => socket.end())
  },
}

const answers: Readonly<Record<string, Answer>> = { ...kept, ...last }

const whatItSaw = ({ method, url, rawHeaders, rawTrailers }: IncomingMessage, body: Buffer): string => {
  const fields = rawHeaders.filter(
    (_, index) => !/^(host|connection)$/i.test(rawHeaders[index - (index % 2)] ?? ''),
  )
  return createHash('sha1')
    .update(JSON.stringify([method, url, fields, rawTrailers]))
    .update(body)
    .digest('hex')
}

/** A server that answers each request as its field `X-Answer` says, and says in `X-Seen` what it saw of it. */
export const startFaultyStore = async (): Promise<{
  readonly url: string
  readonly close: () => Promise<void>
}> => {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => {})
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.sendDate = false
      response.removeHeader('Connection')
      answers[String(request.headers['x-answer'])]?.(response, whatItSaw(request, Buffer.concat(chunks)))
    })
  })
  return listen(server)
}

const framed = (body: string): string => `Content-Length: ${body.length}\r\n\r\n${body}`
const inChunks = (...parts: readonly string[]): string =>
  `Transfer-Encoding: chunked\r\n\r\n${parts.map(part => `${part.length.toString(16)}\r\n${part}\r\n`).join('')}0\r\n`

const post = (rest: string) => ({
  method: 'POST',
  line: 'POST /plants',
  rest: `Content-Type: application/json\r\n${rest}`,
})
const requests = [
  post(framed('{"id":1,"name":"Fern"}')),
  post(framed('{"id":"1"}')),
  post(`${inChunks('{"id":1,', '"name":"F\r\nern"}')}\r\n`),
  post(`Trailer: X-T\r\n${inChunks('{}')}X-T: 1\r\n\r\n`),
  { method: 'GET', line: 'GET /plants//x/../%7e?a=%20&b', rest: 'x-odd: caf\xe9\r\n\r\n' },
  { method: 'HEAD', line: 'HEAD /plants', rest: '\r\n' },
  { method: 'PROPFIND', line: 'PROPFIND /', rest: framed('\xff') },
]
const largeRequest = post(framed(JSON.stringify({ id: 1, name: megabyte })))

const perConnection = 20
const [keptNames, lastNames] = [Object.keys(kept), Object.keys(last)]
const large = new Set(['large', 'large in chunks'])

/** The requests of one connection, pipelined; `index` says which. */
const batch = (index: number): { readonly methods: readonly string[]; readonly bytes: Buffer } => {
  const sent = Array.from({ length: perConnection }, (_, at) => {
    const number = index * perConnection + at
    const isLast = at === perConnection - 1
    const names = isLast ? lastNames : keptNames
    const name = names[(isLast ? index : number * 7 + index) % names.length] as string
    // Large ones are few: all of them would take all the time.
    const answer = large.has(name) && index % 10 !== 0 ? 'plant' : name
    const kind =
      number % 97 === 0 ? largeRequest : (requests[number % requests.length] as typeof largeRequest)
    const { method, line, rest } = isLast && kind.method === 'HEAD' ? largeRequest : kind
    return {
      method,
      text: `${line} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nX-Answer: ${answer}\r\n${rest}`,
    }
  })
  return {
    methods: sent.map(({ method }) => method),
    bytes: Buffer.from(sent.map(({ text }) => text).join(''), 'latin1'),
  }
}

const received = (url: string, bytes: Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', chunk => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
    socket.write(bytes)
  })

/** Each response without what each connection has of its own: how the chunks are cut, and that it closes. */
const responsesIn = (text: string, methods: readonly string[]): readonly string[] => {
  const found: string[] = []
  let rest = text
  const take = (length: number): string => {
    const taken = rest.slice(0, length)
    rest = rest.slice(length)
    return taken
  }
  while (rest !== '') {
    const head = take(rest.indexOf('\r\n\r\n') + 4 || rest.length)
    const status = head.slice(9, 12)
    let body = ''
    if (methods[found.length] === 'HEAD' || status === '204' || status === '304') body = ''
    else if (/^transfer-encoding: chunked\r/im.test(head)) {
      for (;;) {
        const size = Number.parseInt(take(rest.indexOf('\r\n') + 2), 16)
        if (Number.isNaN(size) || size === 0) break
        body += take(size)
        take(2)
      }
      if (text.length > 0 && rest !== '') body += `trailers ${take(rest.indexOf('\r\n\r\n') + 4 || 2)}`
    } else body = take(Number(/^content-length: (\d+)\r/im.exec(head)?.[1] ?? rest.length))
    found.push(head.replace(/^connection: close\r\n/im, '') + body)
  }
  return found
}

export type Compared = {
  readonly requests: number
  /** Bytes that the server sent directly. */
  readonly bytes: number
  /** The responses that differ, with both. */
  readonly differences: readonly { readonly direct: string; readonly through: string }[]
}

/** Sends at least so many requests to both. A client that disappears in the middle of a body goes before each connection. */
export const compareBytes = async (direct: string, through: string, count: number): Promise<Compared> => {
  const connections = Math.ceil(count / perConnection)
  const differences: { readonly direct: string; readonly through: string }[] = []
  let bytes = 0
  for (let index = 0; index < connections; index++) {
    await leaveInTheMiddle(through)
    const { methods, bytes: sent } = batch(index)
    const [one, other] = await Promise.all([received(direct, sent), received(through, sent)])
    bytes += one.length
    const [a, b] = [responsesIn(one, methods), responsesIn(other, methods)]
    for (let at = 0; at < perConnection; at++)
      if (a[at] === undefined || a[at] !== b[at])
        differences.push({ direct: a[at] ?? 'none', through: b[at] ?? 'none' })
  }
  return { requests: connections * perConnection, bytes, differences }
}

const leaveInTheMiddle = (url: string): Promise<void> =>
  new Promise(resolve => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const text = 'POST /plants HTTP/1.1\r\nHost: a\r\nX-Answer: plant\r\nContent-Length: 99\r\n\r\n{"id":'
    socket.write(text, () => socket.destroy())
    socket.on('error', () => {})
    socket.on('close', () => resolve())
  })
