/** What servers and frameworks do that the contract and HTTP allow. */
import { authorizations, isAuthentic, schemeAndToken } from '../store/credentials.ts'
import { isInt64, parseJson } from '../store/json.ts'
import type { LawfulServer, Parts } from '../store/model.ts'
import { mediaType } from '../store/store.ts'
import { lawful as row } from './row.ts'

const hasRightToken = (header: string | undefined, right: string): boolean => {
  const [scheme, token] = schemeAndToken(header)
  return scheme === 'bearer' && token === right
}

const spelled = (all: string, head: string, digits: string): string =>
  /^-?\d+$/.test(digits) ? all : `${head}"${digits}"`

const authenticate = (check: Parts['authenticate']): Partial<Parts> => ({ authenticate: check })

export const frameworks: readonly LawfulServer[] = [
  row(
    'reads-first-of-two-authorizations',
    'Only the first of two Authorization headers is compared.',
    authenticate(exchange => hasRightToken(authorizations(exchange)[0], exchange.token)),
  ),
  row(
    'reads-any-of-two-authorizations',
    'Of two Authorization headers, one has to be right.',
    authenticate(exchange => authorizations(exchange).some(header => hasRightToken(header, exchange.token))),
  ),
  row('rejects-two-authorizations-as-a-proxy', 'Two Authorization headers get the page of a proxy.', {
    early: (exchange, out) => {
      if (authorizations(exchange).length < 2) return false
      exchange.request.resume()
      out.writeHead(400, { 'content-type': 'text/html', connection: 'close' })
      out.end('<html><head><title>400 Bad Request</title></head></html>')
      return true
    },
  }),
  row('limits-bodies', 'A body of more than 200 kB gets a 413.', {
    early: ({ request }, out) => {
      if (Number(request.headers['content-length'] ?? 0) <= 200_000) return false
      request.resume()
      out.writeHead(413, { 'content-type': 'text/html', connection: 'close' })
      out.end('<h1>413 Payload Too Large</h1>')
      return true
    },
  }),
  row(
    'rejects-integers-in-other-spellings',
    'An integer with a fraction or an exponent is rejected, as OpenAPI 3.1 says.',
    {
      // The parser keeps the value only, so another spelling becomes another type.
      parse: text => parseJson(text.replace(/("id"\s*:\s*)(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/, spelled)),
      id: isInt64,
    },
    { strict: false },
  ),
  row(
    'reads-body-without-content-type',
    'A body without a content type is taken for JSON, as HTTP allows.',
    { media: exchange => ['application/json', ''].includes(mediaType(exchange)) },
    { strict: false },
  ),
  row('authenticates-at-the-door', 'Credentials are checked before the path is.', {
    early: (exchange, out) => {
      if (isAuthentic(exchange)) return false
      exchange.request.resume()
      out.writeHead(400, { 'content-type': 'application/json' })
      out.end(JSON.stringify({ error: 2, message: 'a valid bearer token is needed' }))
      return true
    },
  }),
]
