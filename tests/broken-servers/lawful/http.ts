import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { isAuthentic } from '../store/credentials.ts'
import type { LawfulServer, Parts, StoreResponse } from '../store/model.ts'
import { lawfulParts } from '../store/store.ts'
import { lawful as row } from './row.ts'

const withHeaders = (headers: StoreResponse['headers']): Partial<Parts> => ({
  respond: response => ({ ...response, headers: { ...response.headers, ...headers } }),
})

const inChunks: Parts['send'] = ({ status, headers, body }, out) => {
  out.writeHead(status, { ...headers })
  const bytes = Buffer.from(body)
  const size = Math.max(7, Math.ceil(bytes.length / 64))
  for (let at = 0; at < bytes.length; at += size) out.write(bytes.subarray(at, at + size))
  out.end()
}

const closing: Partial<Parts> = withHeaders({ connection: 'close' })

const reason = (status: number) => (status === 200 ? 'OK' : 'Bad Request')

/** The body ends with the connection. */
const inHttp10: Parts['send'] = ({ status, headers, body }, _, { request }) => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  request.socket.write(`HTTP/1.0 ${status} ${reason(status)}\r\n${lines.join('')}\r\n`)
  request.socket.end(body)
}

const zip = promisify(gzip)

const zipped: Parts['send'] = async (response, out, exchange) => {
  if (!/\bgzip\b/.test(String(exchange.request.headers['accept-encoding'] ?? ''))) {
    return lawfulParts.send(response, out, exchange)
  }
  const headers = { ...response.headers, 'content-encoding': 'gzip', vary: 'accept-encoding' }
  return lawfulParts.send({ ...response, headers, body: await zip(response.body) }, out, exchange)
}

/** Responds before the body has arrived, and still reads it to its end. */
const answerEarly = (request: IncomingMessage, out: ServerResponse) => {
  const body = JSON.stringify({ error: 2, message: 'a valid bearer token is needed' })
  out.writeHead(400, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  })
  out.write(body)
  request.once('end', () => out.end())
  request.resume()
}

const many = Object.fromEntries(
  Array.from({ length: 60 }, (_, nth) => [`x-plant-${nth}`, 'leaf '.repeat(12).trim()]),
)

/** HTTP that is right in an uncommon way. */
export const uncommonHttp: readonly LawfulServer[] = [
  row('sends-many-headers', 'Responses have sixty additional headers.', withHeaders(many)),
  row(
    'sends-cookies',
    'Responses set several cookies.',
    withHeaders({ 'set-cookie': ['a=1; Path=/', 'b=2; HttpOnly', 'c=""'] }),
  ),
  row(
    'sends-cors-headers',
    'Responses have the headers of CORS.',
    withHeaders({ 'access-control-allow-origin': '*', vary: 'origin' }),
  ),
  row(
    'sends-rate-headers',
    'Responses have the headers of a rate limit that does not exist.',
    withHeaders({ 'ratelimit-limit': '100', 'ratelimit-remaining': '0', 'retry-after': '0' }),
  ),
  row('challenges', 'The rejection of credentials has a challenge.', {
    respond: response =>
      response.cause === 'credentials'
        ? { ...response, headers: { ...response.headers, 'www-authenticate': 'Bearer realm="plants"' } }
        : response,
  }),
  row('sends-chunks', 'Responses are chunked.', { send: inChunks }),
  row('closes-each-time', 'Every response ends the connection.', closing, { sustained: true }),
  row(
    'closes-after-ten',
    'The tenth response ends the connection.',
    {
      respond: (response, { nthOnSocket }) =>
        nthOnSocket < 10 ? response : { ...response, headers: { ...response.headers, connection: 'close' } },
    },
    { sustained: true },
  ),
  row(
    'speaks-http-1.0',
    'Responses are HTTP/1.0, and end the connection.',
    { send: inHttp10 },
    { sustained: true },
  ),
  row('compresses-responses', 'Responses are compressed if the client accepts that.', { send: zipped }),
  row(
    'closes-idle-connections',
    'Idle connections end after 60 ms.',
    {
      tune: server => {
        server.keepAliveTimeout = 60
        server.keepAliveTimeoutBuffer = 0
      },
    },
    { sustained: true },
  ),
  row(
    'continues-unrequested',
    'A 100 precedes the response, although the client did not expect one.',
    {
      send: (response, out, exchange) => {
        out.writeContinue()
        return lawfulParts.send(response, out, exchange)
      },
    },
    { sustained: true },
  ),
  row('sends-early-hints', 'A 103 precedes the response.', {
    send: (response, out, exchange) => {
      out.writeEarlyHints({ link: '</plants.css>; rel=preload; as=style' })
      return lawfulParts.send(response, out, exchange)
    },
  }),
  row(
    'answers-credentials-early',
    'Wrong credentials are rejected before the body has arrived.',
    {
      early: (exchange, out) => {
        if (isAuthentic(exchange)) return false
        answerEarly(exchange.request, out)
        return true
      },
    },
    { sustained: true },
  ),
  row('knows-nothing-else', 'Everything but the one operation gets a page with status 404.', {
    elsewhere: () => ({ status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not Found</h1>' }),
  }),
  row('lists-plants', 'There are operations that the contract does not declare.', {
    elsewhere: () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: '[]' }),
  }),
  row('wants-credentials-elsewhere', 'Other paths and methods get a 401.', {
    elsewhere: () => ({ status: 401, headers: { 'www-authenticate': 'Bearer' }, body: '' }),
  }),
]
