/** What no rule forbids and few servers do: to responses, to HTTP, and to what the contract leaves open. */
import { gunzipSync } from 'node:zlib'
import { authorizations, isAuthentic, schemeAndToken } from '../store/credentials.ts'
import { withJson } from '../store/faults.ts'
import type { Exchange, LawfulServer, Parts, StoreResponse } from '../store/model.ts'
import { lawfulParts } from '../store/store.ts'
import { lawful as row } from './row.ts'

const withHeaders = (headers: StoreResponse['headers']): Partial<Parts> => ({
  respond: response => ({ ...response, headers: { ...response.headers, ...headers } }),
})

const typed = (type: string): Partial<Parts> => ({ type: () => type })

const writing = (write: (value: unknown) => string): Partial<Parts> => ({ write })

const failing = (failure: Parts['failure']): Partial<Parts> => ({ failure })

const sending = (send: Parts['send']): Partial<Parts> => ({ send })

/** Answers other methods and paths in this way. */
const elsewhere = (status: number, headers: StoreResponse['headers'] = {}, body = ''): Partial<Parts> => ({
  elsewhere: () => ({ status, headers, body }),
})

const inPieces =
  (size: number): Parts['send'] =>
  async ({ status, headers, body }, out, { wait }) => {
    const bytes = Buffer.from(body)
    out.writeHead(status, { 'content-length': bytes.length, ...headers })
    for (let at = 0; at < bytes.length; at += size) {
      out.write(bytes.subarray(at, at + size))
      if (at === 0) await wait(1)
    }
    out.end()
  }

const withTrailers: Parts['send'] = (response, out, exchange) => {
  // HTTP/1.0 has no chunks.
  if (exchange.request.httpVersion === '1.0') return lawfulParts.send(response, out, exchange)
  const { status, headers, body } = response
  out.writeHead(status, { ...headers, trailer: 'x-checksum' })
  out.write(body)
  out.addTrailers({ 'x-checksum': 'abc' })
  out.end()
}

const reasons: Readonly<Record<number, string>> = { 200: 'Planted', 400: 'No, thanks' }

/** Compares in constant time, whatever the length. */
const hasToken = (exchange: Exchange): boolean => {
  const [scheme, token] = schemeAndToken(authorizations(exchange)[0])
  return scheme === 'bearer' && token === exchange.token && authorizations(exchange).length === 1
}

const isAuthorized = (header: string | undefined): boolean => schemeAndToken(header)[0] === 'bearer'

export const oddities: readonly LawfulServer[] = [
  row(
    'says-planted',
    'Statuses have other reason phrases.',
    sending(({ status, headers, body }, out) => {
      out.writeHead(status, reasons[status] ?? 'Whatever', {
        'content-length': Buffer.byteLength(body),
        ...headers,
      })
      out.end(body)
    }),
  ),
  row(
    'says-nothing',
    'Statuses have an empty reason phrase.',
    sending(({ status, headers, body }, out) => {
      out.statusMessage = ' '
      out.writeHead(status, '', { 'content-length': Buffer.byteLength(body), ...headers })
      out.end(body)
    }),
  ),
  row('sends-byte-by-byte', 'Responses come in pieces of three bytes.', sending(inPieces(3))),
  row(
    'splits-characters',
    'Responses come in pieces of one byte, which split characters.',
    sending(inPieces(1)),
  ),
  row('sends-trailers', 'Chunked responses have trailers.', sending(withTrailers)),
  row('sends-no-date', 'Responses have no Date.', {
    send: (response, out, exchange) => {
      out.sendDate = false
      return lawfulParts.send(response, out, exchange)
    },
  }),
  row(
    'sends-etags',
    'Responses have an ETag and may be cached.',
    withHeaders({
      etag: 'W/"1"',
      'cache-control': 'no-store, max-age=0',
      'last-modified': 'Sat, 21 Nov 2026 09:00:00 GMT',
    }),
  ),
  row('sends-location', 'Responses name a location.', withHeaders({ location: '/plants/1' })),
  row(
    'sends-links',
    'Responses have links.',
    withHeaders({ link: '</plants>; rel="collection", </>; rel=home' }),
  ),
  row(
    'sends-empty-headers',
    'Responses have headers without a value.',
    withHeaders({ 'x-empty': '', server: '' }),
  ),
  row(
    'sends-latin1-headers',
    'Responses have a header beyond ASCII.',
    withHeaders({ 'x-shop': 'Gärtnerei' }),
  ),
  row('sends-long-headers', 'Responses have a header of 4 kB.', withHeaders({ 'x-trace': 'a'.repeat(4096) })),
  row(
    'sends-problem-links',
    'Responses have security headers.',
    withHeaders({
      'strict-transport-security': 'max-age=1',
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
    }),
  ),
  row(
    'sends-warnings',
    'Responses announce their end of life.',
    withHeaders({
      deprecation: '@1796000000',
      sunset: 'Sat, 31 Dec 2033 23:59:59 GMT',
    }),
  ),
  row(
    'sends-server-timing',
    'Responses tell their timing.',
    withHeaders({ 'server-timing': 'db;dur=1.2, app' }),
  ),
  row('varies', 'Responses vary with everything.', withHeaders({ vary: '*' })),
  row('names-its-language', 'Responses name their language.', withHeaders({ 'content-language': 'en, de' })),
  row('offers-http-2', 'Responses offer other protocols.', withHeaders({ 'alt-svc': 'h3=":443"; ma=60' })),
  row(
    'keeps-alive-aloud',
    'Responses name the limits of their connection.',
    withHeaders({
      'keep-alive': 'timeout=5, max=1000',
    }),
  ),
  row(
    'announces-profile',
    'The content type has a profile.',
    typed('application/json; profile="https://a.test/p;q=1"'),
  ),
  row(
    'announces-version',
    'The content type has two parameters.',
    typed('application/json;version=1 ; charset=UTF-8'),
  ),
  row(
    'writes-with-tabs',
    'The JSON is indented with tabs.',
    writing(value => JSON.stringify(value, null, '\t')),
  ),
  row(
    'ends-with-line-feeds',
    'Line feeds follow the JSON.',
    writing(value => `${JSON.stringify(value)}\n\n\n`),
  ),
  row(
    'escapes-names',
    'Names of properties are escaped.',
    writing(value => JSON.stringify(value).replace(/"name":/, '"\\u006eame":')),
  ),
  row(
    'escapes-solidus',
    'Each solidus is escaped.',
    writing(value => JSON.stringify(value).replaceAll('/', '\\/')),
  ),
  row(
    'escapes-upper-case',
    'Characters beyond ASCII are escaped with capital digits.',
    writing(value =>
      JSON.stringify(value).replace(
        /[^\x00-\x7f]/g,
        unit => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
      ),
    ),
  ),
  row(
    'adds-deep-details',
    'Errors have deeply nested details.',
    failing(() => ({
      error: 1,
      message: 'rejected',
      details: Array.from({ length: 40 }).reduce<unknown>(inner => [inner], {}),
    })),
  ),
  row('adds-large-numbers', 'Errors have undeclared numbers that no double holds.', {
    failure: () => ({ error: 1, message: 'rejected', trace: 'N' }),
    write: value => JSON.stringify(value).replace('"trace":"N"', '"trace":123456789012345678901234567890'),
  }),
  row(
    'adds-empty-names',
    'Errors have a property without a name.',
    failing(() => ({
      error: 1,
      message: 'rejected',
      '': null,
      __proto__x: [],
    })),
  ),
  row(
    'codes-by-cause',
    'Each cause has an error of its own.',
    failing(cause => ({
      error: cause.length * 100,
      message: `rejected for its ${cause}`,
    })),
  ),
  row(
    'speaks-german',
    'Messages are in another language.',
    failing(() => ({
      error: 1,
      message: 'Die Anfrage enthält ungültige Werte – bitte prüfen',
    })),
  ),
  row(
    'names-the-time',
    'Messages name the time.',
    failing(() => ({
      error: 1,
      message: `rejected at ${process.hrtime.bigint()}`,
    })),
  ),
  row('adds-times-to-plants', 'Plants have undeclared times.', () => {
    let count = 0
    return {
      plant: ({ name, tag }) => {
        count += 1
        return { name, tag, sequence: count, at: `${process.hrtime.bigint()}` }
      },
    }
  }),
  row(
    'redirects-elsewhere',
    'Other paths and methods are redirected.',
    elsewhere(308, { location: '/plants' }),
  ),
  row('forbids-elsewhere', 'Other paths and methods are forbidden, without a body.', elsewhere(403)),
  row('implements-nothing-else', 'Other paths and methods are not implemented.', elsewhere(501, {}, 'no')),
  row(
    'is-gone-elsewhere',
    'Other paths and methods are gone.',
    elsewhere(410, { 'content-type': 'text/plain' }, 'gone'),
  ),
  row('reads-one-authorization', 'Several Authorization headers are rejected.', { authenticate: hasToken }),
  row('checks-credentials-last', 'Credentials are checked after the body.', {
    authenticate: () => true,
    respond: (response, exchange) =>
      response.cause === 'none' && !isAuthentic(exchange)
        ? { ...withJson(response, 400, { error: 2, message: 'no' }), cause: 'credentials' }
        : response,
  }),
  row('negotiates', 'Whoever accepts no JSON gets a 406.', {
    respond: (response, { request }) =>
      response.cause === 'none' && !/json|application\/\*|\*\/\*/.test(request.headers.accept ?? '*/*')
        ? { ...response, status: 406, headers: {}, body: '' }
        : response,
  }),
  row('decodes-gzip', 'Bodies may be compressed.', {
    decode: (bytes, exchange) =>
      lawfulParts.decode(
        exchange.request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes,
        exchange,
      ),
  }),
  row('knows-no-codings', 'A body with a content coding gets a 415.', {
    respond: (response, { request }) =>
      isAuthorized(request.headers.authorization) && request.headers['content-encoding'] !== undefined
        ? { ...response, status: 415, headers: { 'accept-encoding': 'identity' }, body: '' }
        : response,
  }),
  row('honours-method-overrides', 'A header may name the method.', {
    early: ({ request }, out) => {
      if (request.headers['x-http-method-override'] === undefined) return false
      request.resume()
      out.writeHead(405, { allow: 'POST', 'content-type': 'text/plain' })
      out.end('no such method')
      return true
    },
  }),
  row('knows-no-queries', 'A query makes it another path.', {
    early: ({ request }, out) => {
      if (!request.url?.includes('?') || !isAuthorized(request.headers.authorization)) return false
      request.resume()
      out.writeHead(404, { 'content-type': 'text/plain' })
      out.end('not found')
      return true
    },
  }),
]
