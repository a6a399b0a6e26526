/** Servers that compare a secret as ASCII, as `hmac.compare_digest` of Python does, or decode it as UTF-8: letters beyond that get a 500. */
import { createServer, type IncomingMessage } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })
const isUtf8 = (text: string): boolean => {
  try {
    utf8.decode(Buffer.from(text, 'latin1'))
    return true
  } catch {
    return false
  }
}
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)
const cookieOf = ({ headers }: IncomingMessage): string =>
  decodeURIComponent(/(?:^|; )key=([^;]*)/.exec(headers.cookie ?? '')?.[1] ?? '')
const pairOf = ({ headers }: IncomingMessage): string =>
  atob(/^basic ([\w+/]+=*)$/i.exec(headers.authorization ?? '')?.[1] ?? '')

test.each([
  [
    'an API key in the query',
    { type: 'apiKey', in: 'query', name: 'key' },
    ({ url = '' }: IncomingMessage) => new URL(url, 'http://a').searchParams.get('key') ?? '',
    isAscii,
  ],
  [
    'an API key in a header',
    { type: 'apiKey', in: 'header', name: 'X-Key' },
    ({ headers }: IncomingMessage) => String(headers['x-key'] ?? ''),
    isUtf8,
  ],
  ['an API key in a cookie', { type: 'apiKey', in: 'cookie', name: 'key' }, cookieOf, isAscii],
  ['a user and password', { type: 'http', scheme: 'basic' }, pairOf, isUtf8],
  [
    'a bearer token',
    { type: 'http', scheme: 'bearer' },
    ({ headers }: IncomingMessage) => headers.authorization?.replace(/^bearer /i, '') ?? '',
    isAscii,
  ],
])('%s with letters beyond ASCII', async (_what, scheme, secretOf, isReadable) => {
  const secret = 'me:right-secret'
  const { url, close } = await listen(
    createServer((request, response) => {
      request.resume()
      const sent = secretOf(request)
      const status = !isReadable(sent) ? 500 : sent !== secret ? 401 : request.method === 'GET' ? 200 : 405
      const headers = status === 401 ? { 'WWW-Authenticate': 'Basic realm="a", Bearer' } : {}
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end('1')
    }),
  )
  onTestFinished(close)
  const json = { 'application/json': { schema: { type: 'integer' } } }
  const contract = await loadContract({
    from: writeDocument(
      'a.json',
      documentWith(
        {
          '/thing': {
            get: {
              operationId: 'getThing',
              responses: { 200: { description: 'ok', content: json }, 401: { description: 'no' } },
            },
          },
        },
        { security: [{ it: [] }], components: { securitySchemes: { it: scheme } } },
      ),
    ),
  })
  const { findings } = await verify({
    ...{ contract, target: url, token: secret, seed: 1, cases: 300, sustained: 0 },
  })
  const errors = findings.filter(({ outcome }) => outcome.status === 500)
  expect(errors.map(({ obligation }) => obligation)).toEqual(['getThing/auth/non-ascii-token'])
})
