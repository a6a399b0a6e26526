import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { isAuthentic } from './credentials.ts'
import { lawful as row } from './lawful-row.ts'
import type { Answer, Lawful, Parts } from './model.ts'
import { lawfulParts } from './store.ts'

const withHeaders = (headers: Answer['headers']): Partial<Parts> => ({
  respond: answer => ({ ...answer, headers: { ...answer.headers, ...headers } }),
})

const inChunks: Parts['send'] = ({ status, headers, body }, response) => {
  response.writeHead(status, { ...headers })
  const bytes = Buffer.from(body)
  for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7))
  response.end()
}

const closing: Partial<Parts> = withHeaders({ connection: 'close' })

const reason = (status: number) => (status === 200 ? 'OK' : 'Bad Request')

/** The end of the connection is the end of the body. */
const inHttp10: Parts['send'] = ({ status, headers, body }, _, { request }) => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  request.socket.write(`HTTP/1.0 ${status} ${reason(status)}\r\n${lines.join('')}\r\n`)
  request.socket.end(body)
}

const zip = promisify(gzip)

const zipped: Parts['send'] = async (answer, response, asked) => {
  if (!/\bgzip\b/.test(String(asked.request.headers['accept-encoding'] ?? ''))) {
    return lawfulParts.send(answer, response, asked)
  }
  const headers = { ...answer.headers, 'content-encoding': 'gzip', vary: 'accept-encoding' }
  return lawfulParts.send({ ...answer, headers, body: await zip(answer.body) }, response, asked)
}

/** Answers before the body is there, and reads it to its end all the same. */
const answerEarly = (request: IncomingMessage, response: ServerResponse) => {
  const body = JSON.stringify({ error: 2, message: 'a valid bearer token is needed' })
  response.writeHead(400, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  })
  response.write(body)
  request.once('end', () => response.end())
  request.resume()
}

const many = Object.fromEntries(
  Array.from({ length: 60 }, (_, nth) => [`x-plant-${nth}`, 'leaf '.repeat(12).trim()]),
)

/** HTTP that is right in an uncommon way. */
export const uncommonHttp: readonly Lawful[] = [
  row('sends-many-headers', 'Sixty headers of its own.', withHeaders(many)),
  row(
    'sends-cookies',
    'Several cookies.',
    withHeaders({ 'set-cookie': ['a=1; Path=/', 'b=2; HttpOnly', 'c=""'] }),
  ),
  row(
    'sends-cors-headers',
    'The headers that browsers ask for.',
    withHeaders({ 'access-control-allow-origin': '*', vary: 'origin' }),
  ),
  row(
    'sends-rate-headers',
    'Headers that tell a rate, and no rate.',
    withHeaders({ 'ratelimit-limit': '100', 'ratelimit-remaining': '0', 'retry-after': '0' }),
  ),
  row('challenges', 'Refused credentials are answered with a challenge.', {
    respond: answer =>
      answer.cause === 'credentials'
        ? { ...answer, headers: { ...answer.headers, 'www-authenticate': 'Bearer realm="plants"' } }
        : answer,
  }),
  row('sends-chunks', 'The answer comes in chunks, without its length.', { send: inChunks }),
  row('closes-each-time', 'The connection ends with each answer.', closing),
  row('closes-after-ten', 'The connection ends with its tenth answer.', {
    respond: (answer, { nthOnSocket }) =>
      nthOnSocket < 10 ? answer : { ...answer, headers: { ...answer.headers, connection: 'close' } },
  }),
  row('speaks-http-1.0', 'The answers are of HTTP/1.0, and end with the connection.', { send: inHttp10 }),
  row('zips-if-asked', 'The answer is compressed where the client asks for it.', { send: zipped }),
  row('keeps-connections-briefly', 'Idle connections end after 60 ms.', {
    tune: server => {
      server.keepAliveTimeout = 60
      server.keepAliveTimeoutBuffer = 0
    },
  }),
  row('continues-unasked', 'A 100 comes before the answer, though the client did not expect one.', {
    send: (answer, response, asked) => {
      response.writeContinue()
      return lawfulParts.send(answer, response, asked)
    },
  }),
  row('sends-early-hints', 'A 103 comes before the answer.', {
    send: (answer, response, asked) => {
      response.writeEarlyHints({ link: '</plants.css>; rel=preload; as=style' })
      return lawfulParts.send(answer, response, asked)
    },
  }),
  row('answers-credentials-early', 'Wrong credentials are answered before the body is there.', {
    early: (asked, response) => {
      if (isAuthentic(asked)) return false
      answerEarly(asked.request, response)
      return true
    },
  }),
  row('knows-nothing-else', 'Everything but the one operation is answered 404, with a page.', {
    elsewhere: () => ({ status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not Found</h1>' }),
  }),
  row('lists-plants', 'There are other operations, which the contract does not show.', {
    elsewhere: () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: '[]' }),
  }),
  row('asks-for-credentials-elsewhere', 'Other paths and methods are answered 401.', {
    elsewhere: () => ({ status: 401, headers: { 'www-authenticate': 'Bearer' }, body: '' }),
  }),
]
