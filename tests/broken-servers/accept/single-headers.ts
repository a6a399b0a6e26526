import { crash, type Fault, hang, hangUp, unprocessable, when, withJson, withText } from '../store/faults.ts'
import type { BrokenServer, Cause, Exchange } from '../store/model.ts'
import { hangs, rowsOf } from '../store/row.ts'
import { inTurn, jsonHeaders, plant, raw, underAuthorization } from '../store/sent.ts'

const row = rowsOf('accept')

const header = ({ request }: Exchange, name: string): string | undefined => {
  const value = request.headers[name]
  return value === undefined ? undefined : String(value)
}

/** Fails on valid requests with this header. */
const failing = (
  name: string,
  about: string,
  matches: (exchange: Exchange) => boolean,
  shown: Readonly<Record<string, string>>,
  fault: Fault = crash,
  level: 'MUST' | 'SHOULD' = 'MUST',
): BrokenServer =>
  row(
    name,
    about,
    /^createPlant\/(request\/|response\/|stability\/)/,
    when((exchange, { cause }) => cause === 'none' && matches(exchange), fault),
    { level, witness: inTurn(plant({}, { ...jsonHeaders, ...shown })), ...(fault === hang ? hangs : {}) },
  )

/** Rejects a request in another shape for a header. */
const refusing = (
  name: string,
  about: string,
  causes: readonly Cause[],
  matches: (exchange: Exchange) => boolean,
  shown: Readonly<Record<string, string>>,
  fault: Fault,
): BrokenServer =>
  row(
    name,
    about,
    /^createPlant\/(response\/|request\/|auth\/)/,
    when((exchange, { cause }) => causes.includes(cause) && matches(exchange), fault),
    {
      witness: inTurn(
        ...causes.map(cause =>
          cause === 'json'
            ? raw('{"id":', { ...jsonHeaders, ...shown })
            : plant({ id: 'a' }, { ...jsonHeaders, ...shown }),
        ),
      ),
    },
  )

/** Fails on wrong credentials that match. */
const onCredentials = (
  name: string,
  about: string,
  matches: (authorization: string) => boolean,
  shown: string,
  fault: Fault = crash,
): BrokenServer =>
  row(
    name,
    about,
    /^createPlant\/(response\/|auth\/)/,
    when(
      (exchange, { cause }) => cause === 'credentials' && matches(header(exchange, 'authorization') ?? ''),
      fault,
    ),
    { witness: inTurn(underAuthorization(shown)), ...(fault === hang ? hangs : {}) },
  )

const invalid: readonly Cause[] = ['json', 'body', 'id', 'name', 'tag']
const language = (exchange: Exchange): string => header(exchange, 'accept-language') ?? ''
const encoding = (exchange: Exchange): string => header(exchange, 'accept-encoding') ?? ''
const part = (text: string): string => Buffer.from(text).toString('base64url')

/** Stores that fail on a header that has nothing to do with the contract, or reject in another way because of it. */
export const singleHeaderServers: readonly BrokenServer[] = [
  failing(
    'fails-in-turkish',
    'A language with dotless letters gets a 500.',
    exchange => language(exchange).startsWith('tr'),
    { 'accept-language': 'tr-TR' },
  ),
  failing(
    'fails-in-unknown-languages',
    'A language without a translation gets a 500.',
    exchange => language(exchange) !== '' && !/^(en|de|fr|\*)/.test(language(exchange)),
    { 'accept-language': 'ja' },
  ),
  failing(
    'fails-on-language-scripts',
    'A language with a script is an error.',
    exchange => /^\w+-\w{4}/.test(language(exchange)),
    { 'accept-language': 'zh-Hans-CN' },
    unprocessable,
  ),
  failing(
    'hangs-on-any-language',
    'Any language gets no response.',
    exchange => language(exchange) === '*',
    { 'accept-language': '*' },
    hang,
  ),
  failing(
    'fails-on-upgrades',
    'An offer to upgrade gets a 500.',
    exchange => header(exchange, 'upgrade') !== undefined,
    { upgrade: 'h2c' },
    crash,
    'SHOULD',
  ),
  failing(
    'hangs-up-on-upgrades',
    'An offer of HTTP/2 ends the connection.',
    exchange => header(exchange, 'upgrade') === 'h2c',
    { upgrade: 'h2c' },
    hangUp,
    'SHOULD',
  ),
  failing(
    'fails-on-insecure-upgrade',
    'A wish for secure requests gets a 500.',
    exchange => header(exchange, 'upgrade-insecure-requests') === '1',
    { 'upgrade-insecure-requests': '1' },
  ),
  failing(
    'fails-without-compression',
    'A client that takes no encoding is an error.',
    exchange => /^identity|\*;q=0/.test(encoding(exchange)),
    { 'accept-encoding': 'identity' },
  ),
  failing(
    'fails-on-brotli',
    'A client that takes Brotli alone gets a 500.',
    exchange => encoding(exchange) === 'br',
    { 'accept-encoding': 'br' },
  ),
  failing(
    'fails-on-weighted-encodings',
    'Weights of encodings are an error.',
    exchange => encoding(exchange).includes('q='),
    { 'accept-encoding': 'gzip;q=1.0, *;q=0' },
  ),
  failing(
    'fails-on-empty-encodings',
    'An empty list of encodings is an error.',
    exchange => header(exchange, 'accept-encoding') === '',
    { 'accept-encoding': '' },
  ),
  row(
    'announces-gzip',
    'Whoever takes gzip alone gets plain bytes as gzip.',
    /^createPlant\/(response\/|request\/)/,
    when(
      exchange => encoding(exchange) === 'gzip',
      response => ({ ...response, headers: { ...response.headers, 'content-encoding': 'gzip' } }),
    ),
    { witness: inTurn(plant({}, { ...jsonHeaders, 'accept-encoding': 'gzip' })) },
  ),
  failing(
    'fails-with-40-headers',
    'More than forty headers get a 500.',
    ({ request }) => request.rawHeaders.length > 80,
    Object.fromEntries(Array.from({ length: 45 }, (_, index) => [`x-${index}`, 'a'])),
  ),
  failing(
    'fails-without-user-agent',
    'A request without a User-Agent gets a 500.',
    exchange => header(exchange, 'user-agent') === undefined,
    {},
  ),
  failing(
    'rejects-scripts',
    'Programs with well-known names are rejected.',
    exchange => /^(curl|python-requests|Java|okhttp|Go-http)/.test(header(exchange, 'user-agent') ?? ''),
    { 'user-agent': 'curl/8.5.0' },
    response => withText(response, 403, 'Forbidden'),
  ),
  failing(
    'fails-on-conditions',
    'A condition on a date gets a 500.',
    exchange => header(exchange, 'if-modified-since') !== undefined,
    { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
  ),
  failing(
    'fails-on-ranges',
    'A wish for a part gets an undeclared 416.',
    exchange => header(exchange, 'range') !== undefined,
    { range: 'bytes=0-10' },
    response => withJson(response, 416, { error: 1, message: 'range' }),
  ),
  failing(
    'fails-on-trailers',
    'A wish for trailers gets a 500.',
    exchange => header(exchange, 'te') !== undefined,
    { te: 'trailers' },
  ),
  failing(
    'fails-on-prefer',
    'A preference is an error.',
    exchange => header(exchange, 'prefer') !== undefined,
    { prefer: 'return=minimal' },
  ),
  failing(
    'fails-on-baggage',
    'Baggage of a trace gets a 500.',
    exchange => header(exchange, 'baggage') !== undefined,
    { baggage: 'userId=alice' },
  ),
  failing(
    'fails-on-ajax',
    'A request that says it is made by a script gets a 500.',
    exchange => header(exchange, 'x-requested-with') !== undefined,
    { 'x-requested-with': 'XMLHttpRequest' },
  ),
  refusing(
    'rejects-in-languages',
    'A rejection in another language has no message.',
    invalid,
    exchange => /^(de|fr|es)/.test(language(exchange)),
    { 'accept-language': 'de' },
    response => withJson(response, 400, { error: 1, meldung: 'ungültig' }),
  ),
  refusing(
    'rejects-browsers-with-pages',
    'A rejection for a browser is a page.',
    ['id'],
    exchange => (header(exchange, 'user-agent') ?? '').startsWith('Mozilla/'),
    { 'user-agent': 'Mozilla/5.0' },
    response => withText(response, 400, '<h1>Bad Request</h1>', 'text/html'),
  ),
  refusing(
    'rejects-pages-with-pages',
    'A rejection for whoever takes HTML as well is a page.',
    ['id', 'json'],
    exchange => (header(exchange, 'accept') ?? '').includes('text/html'),
    { accept: 'text/html, application/json' },
    response => withText(response, 400, '<h1>Bad Request</h1>', 'text/html'),
  ),
  refusing(
    'crashes-on-traced-rejections',
    'A rejection of a request with a trace gets a 500.',
    ['json'],
    exchange => header(exchange, 'traceparent') !== undefined,
    { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
    crash,
  ),
  refusing(
    'rejects-ajax-with-a-list',
    'A rejection for a script is a list.',
    ['id'],
    exchange => header(exchange, 'x-requested-with') !== undefined,
    { 'x-requested-with': 'XMLHttpRequest' },
    response => withJson(response, 400, [{ error: 1, message: 'id' }]),
  ),
  refusing(
    'rejects-cookies-in-text',
    'A rejection for whoever has cookies is plain text.',
    ['id', 'name'],
    exchange => header(exchange, 'cookie') !== undefined,
    { cookie: 'a=b' },
    response => withText(response, 400, 'Bad Request'),
  ),
  refusing(
    'crashes-on-waiting-rejections',
    'A rejection of whoever waits for 100 Continue gets a 417.',
    ['id'],
    exchange => header(exchange, 'expect') !== undefined,
    { expect: '100-continue' },
    response => withText(response, 417, 'Expectation Failed'),
  ),
  refusing(
    'crashes-on-rejections-with-40-headers',
    'A rejection of a request with more than forty headers gets a 500.',
    invalid,
    ({ request }) => request.rawHeaders.length > 80,
    Object.fromEntries(Array.from({ length: 45 }, (_, index) => [`x-${index}`, 'a'])),
    crash,
  ),
  row(
    'crashes-on-rejected-callers-without-agent',
    'A rejection of credentials without a User-Agent gets a 500.',
    /^createPlant\/(response\/|auth\/)/,
    when(
      (exchange, { cause }) => cause === 'credentials' && header(exchange, 'user-agent') === undefined,
      crash,
    ),
    { witness: inTurn(underAuthorization('Bearer wrong')) },
  ),
  row(
    'rejects-credentials-in-languages',
    'A rejection of credentials in another language is plain text.',
    /^createPlant\/(response\/|auth\/)/,
    when(
      (exchange, { cause }) => cause === 'credentials' && /^[a-df-z]/.test(language(exchange)),
      response => withText(response, 400, 'Zugang verweigert'),
    ),
    {
      witness: inTurn(plant({}, { ...jsonHeaders, authorization: 'Bearer wrong', 'accept-language': 'de' })),
    },
  ),
  onCredentials(
    'crashes-on-jwt-without-json',
    'A JWT whose parts are not JSON gets a 500.',
    text => /^Bearer [\w-]+\.[\w-]+\.[\w-]*$/.test(text) && !text.includes(part('{"').slice(0, 2)),
    'Bearer a.b.c',
  ),
  onCredentials(
    'crashes-on-unknown-algorithms',
    'A JWT of an unknown algorithm gets a 500.',
    text => text.includes(part('{"alg":"X').slice(0, 11)) || text.includes(part('{"alg":"RS').slice(0, 12)),
    `Bearer ${part('{"alg":"RS256","typ":"JWT"}')}.${part('{}')}.AAAA`,
  ),
  onCredentials(
    'crashes-on-expired-jwt',
    'A JWT that is over gets a 500.',
    text => {
      try {
        return JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString()).exp < 2_000_000_000
      } catch {
        return false
      }
    },
    `Bearer ${part('{"alg":"HS256"}')}.${part('{"exp":1}')}.AAAA`,
  ),
  onCredentials(
    'rejects-jwt-in-text',
    'The rejection of a JWT is plain text.',
    text => /^Bearer ey/.test(text),
    `Bearer ${part('{"alg":"HS256"}')}.${part('{}')}.AAAA`,
    response => withText(response, 400, 'invalid signature'),
  ),
  onCredentials(
    'crashes-on-tabs-in-credentials',
    'A tab in the credentials gets a 500.',
    text => text.includes('\t'),
    'Bearer\twrong',
  ),
  onCredentials(
    'hangs-on-long-credentials',
    'Credentials of more than 5,000 characters get no response.',
    text => text.length > 5000,
    `Bearer ${'x'.repeat(6000)}`,
    hang,
  ),
  onCredentials(
    'crashes-on-1000-characters',
    'Credentials of a length between 1,000 and 3,000 get a 500.',
    text => text.length > 1000 && text.length < 3000,
    `Bearer ${'x'.repeat(2000)}`,
  ),
  onCredentials(
    'crashes-on-commas-in-credentials',
    'A list of parameters as credentials gets a 500.',
    text => /^Digest .*,/.test(text),
    'Digest username="a", realm="b"',
  ),
  onCredentials(
    'crashes-on-basic',
    'Basic credentials with a colon get a 500.',
    text => /^Basic /.test(text) && Buffer.from(text.slice(6), 'base64').toString().includes(':'),
    `Basic ${Buffer.from('a:b').toString('base64')}`,
  ),
  onCredentials(
    'crashes-on-negotiate',
    'A ticket of Negotiate gets a 500.',
    text => /^(Negotiate|NTLM) /i.test(text),
    'Negotiate YIIB',
  ),
]
