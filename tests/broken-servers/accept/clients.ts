import {
  bodyText,
  crash,
  crashPage,
  type Fault,
  reject,
  unprocessable,
  when,
  withText,
} from '../store/faults.ts'
import type { BrokenServer, Exchange, Parts, SentRequest } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'
import { inTurn, jsonHeaders, plant, raw } from '../store/sent.ts'

const row = rowsOf('accept')

const header = ({ request }: Exchange, name: string): string => String(request.headers[name] ?? '')

/** Fails on valid requests of some clients. `shown`: headers of one. */
const failing = (
  name: string,
  about: string,
  obligation: RegExp,
  matches: (exchange: Exchange) => boolean,
  shown: Readonly<Record<string, string>>,
  { fault = reject, level = 'MUST' }: { readonly fault?: Fault; readonly level?: 'MUST' | 'SHOULD' } = {},
): BrokenServer =>
  row(
    name,
    about,
    obligation,
    when((exchange, { cause }) => cause === 'none' && matches(exchange), fault),
    { level, witness: inTurn(plant({}, { ...jsonHeaders, ...shown })) },
  )

const isUrl = (text: string): boolean => URL.canParse(text)

/** Does so with what is sent in the body or how. */
const withBody = (
  name: string,
  about: string,
  obligation: RegExp,
  parts: Partial<Parts>,
  shown: SentRequest,
  level: 'MUST' | 'SHOULD' = 'MUST',
): BrokenServer => row(name, about, obligation, parts, { level, witness: inTurn(shown) })

const typed = (type: string): SentRequest => plant({}, { ...jsonHeaders, 'content-type': type })

const large = (name: string): SentRequest => raw(JSON.stringify({ id: 77, name }))

/** Stores that fail on what ordinary clients and proxies add to a request, or on how its bytes arrive. */
export const clientServers: readonly BrokenServer[] = [
  failing(
    'rejects-any-type-in-accept',
    'Accept must name the type.',
    /header\/accept|response/,
    exchange => !header(exchange, 'accept').includes('application/json'),
    { accept: '*/*' },
  ),
  failing(
    'reads-accept-as-one-type',
    'Accept must be one type.',
    /header\/accept|request\/valid/,
    exchange => /^application\/\*$/.test(header(exchange, 'accept')),
    { accept: 'application/*' },
    { fault: crash },
  ),
  failing(
    'fails-on-quality-values',
    'Quality values below 1 of other types are an error.',
    /header\/accept/,
    exchange => header(exchange, 'accept').startsWith('text/html;q='),
    { accept: 'text/html;q=0.1, application/json;q=0.9, */*;q=0.2' },
    { fault: crashPage },
  ),
  row(
    'gives-pages-to-browsers',
    'Whoever prefers HTML gets a page.',
    /response\/200\/content-type/,
    when(
      (exchange, { cause }) => cause === 'none' && header(exchange, 'accept').startsWith('text/html'),
      response => withText(response, 200, '<h1>Created</h1>', 'text/html'),
    ),
    { witness: inTurn(plant({}, { ...jsonHeaders, accept: 'text/html' })) },
  ),
  failing(
    'rejects-expectations',
    'A client that waits for 100 Continue gets a 417.',
    /framing\/expect-continue/,
    exchange => header(exchange, 'expect') !== '',
    { expect: '100-continue' },
    { fault: response => withText(response, 417, 'Expectation Failed') },
  ),
  failing(
    'rejects-browsers',
    'Browsers are rejected.',
    /header\/browser/,
    exchange => header(exchange, 'user-agent').startsWith('Mozilla/'),
    { 'user-agent': 'Mozilla/5.0' },
  ),
  failing(
    'fails-on-languages',
    'A list of languages is an error.',
    /header\/browser/,
    exchange => header(exchange, 'accept-language').includes(','),
    { 'accept-language': 'de, en;q=0.5' },
    { fault: crash },
  ),
  failing(
    'rejects-cross-site',
    'Metadata of fetches are an error.',
    /header\/browser/,
    exchange => header(exchange, 'sec-fetch-mode') === 'cors',
    { 'sec-fetch-mode': 'cors' },
    { fault: unprocessable },
  ),
  failing(
    'rejects-other-origins',
    'Pages of other origins are rejected.',
    /header\/origin/,
    exchange => header(exchange, 'origin') !== '',
    { origin: 'https://shop.example' },
    { level: 'SHOULD' },
  ),
  failing(
    'fails-on-origin-null',
    'The origin null is an error.',
    /header\/origin|response\/declared/,
    exchange => header(exchange, 'origin') !== '' && !isUrl(header(exchange, 'origin')),
    { origin: 'null' },
    { fault: crash, level: 'SHOULD' },
  ),
  failing(
    'rejects-via',
    'Requests through proxies are rejected.',
    /header\/proxy/,
    exchange => header(exchange, 'via') !== '',
    { via: '1.1 proxy.example' },
  ),
  failing(
    'fails-on-ipv6-clients',
    'The address of a client must be IPv4.',
    /header\/proxy/,
    exchange => /[0-9a-f]*:[0-9a-f:]+/.test(header(exchange, 'x-forwarded-for')),
    { 'x-forwarded-for': '2001:db8::1' },
    { fault: crash },
  ),
  failing(
    'fails-on-two-forwarders',
    'Only one proxy may stand before the store.',
    /header\/proxy/,
    exchange => header(exchange, 'forwarded').includes(','),
    { forwarded: 'for=203.0.113.7, for=203.0.113.8' },
  ),
  failing(
    'fails-on-cookies',
    'Cookies are an error.',
    /header\/cookies/,
    exchange => header(exchange, 'cookie').includes('theme='),
    { cookie: 'theme=dark' },
    { fault: crash },
  ),
  failing(
    'limits-cookies',
    'Cookies of more than 2,000 characters are rejected.',
    /header\/cookies/,
    exchange => header(exchange, 'cookie').length > 2000,
    { cookie: `a=${'x'.repeat(2500)}` },
  ),
  failing(
    'limits-headers',
    'More than 40 headers are rejected.',
    /header\/many/,
    ({ request }) => request.rawHeaders.length > 80,
    Object.fromEntries(Array.from({ length: 45 }, (_, index) => [`x-${index}`, '1'])),
  ),
  failing(
    'limits-header-length',
    'Headers of more than 2,000 characters are rejected.',
    /header\/(long|cookies)/,
    ({ request }) => request.rawHeaders.some(text => text.length > 2000 && text.startsWith('context')),
    { 'x-context': `context${'x'.repeat(2500)}` },
    { fault: crashPage },
  ),
  failing(
    'fails-on-empty-headers',
    'A header without a value is an error.',
    /header\/empty/,
    ({ request }) => request.rawHeaders.includes(''),
    { 'x-empty': '' },
    { fault: crash },
  ),
  failing(
    'fails-on-headers-beyond-ascii',
    'Headers must be ASCII.',
    /header\/obs-text|response\/declared/,
    ({ request }) => request.rawHeaders.some(text => /[\x80-\xff]/.test(text)),
    { 'x-name': 'Ren\u00e9e' },
    { fault: reject, level: 'SHOULD' },
  ),
  row(
    'reads-header-names-exactly',
    'Header names must be written as usual.',
    /framing\/field-letter-case/,
    {
      authenticate: ({ request, token }) => {
        const at = request.rawHeaders.findIndex(name => /^(Authorization|authorization)$/.test(name))
        return request.rawHeaders[at + 1]?.toLowerCase().startsWith('bearer ') === true
          ? request.headersDistinct.authorization?.length === 1 &&
              request.rawHeaders[at + 1]?.slice(7).trim() === token &&
              at >= 0
          : false
      },
    },
    {
      witness: inTurn(
        plant({}, { 'content-type': 'application/json', AUTHORIZATION: jsonHeaders.authorization }),
      ),
    },
  ),
  withBody(
    'reads-the-first-part',
    'Only the first part of the body that arrives is read.',
    /framing\/(body-in-parts|chunk|chunked)|size\/|long-|large|request\/(layout|content-type|body)/,
    {
      read: async request => {
        for await (const part of request) return Buffer.from(part)
        return Buffer.alloc(0)
      },
    },
    large('x'.repeat(300_000)),
  ),
  withBody(
    'decodes-parts-separately',
    'Each part of the body that arrives is decoded alone.',
    /framing\/(body-in-parts|chunk-many)|long-|response\/200\/echo|request\/body\/(name|tag)/,
    {
      read: async request => {
        const parts: string[] = []
        for await (const part of request) parts.push(Buffer.from(part).toString())
        if (parts.join('').includes('\ufffd')) return Buffer.from('{')
        return Buffer.from(parts.join(''))
      },
    },
    large('植'.repeat(100_000)),
  ),
  row(
    'rejects-trailers',
    'Trailers are rejected.',
    /framing\/chunk-trailer/,
    when(({ request }, { cause }) => cause === 'none' && request.rawTrailers.length > 0, reject),
    {
      witness: inTurn({ ...plant(), chunked: true, trailers: { 'x-trailer': 'a' } }),
    },
  ),
  withBody(
    'rejects-space-before-parameters',
    'No space may stand before the parameters of the content type.',
    /content-type\/charset/,
    when(
      ({ request }, { cause }) => cause === 'none' && /\s;/.test(request.headers['content-type'] ?? ''),
      reject,
    ),
    typed('application/json ; charset=utf-8'),
  ),
  withBody(
    'fails-on-media-ranges',
    'A media range as content type is an error.',
    /content-type\/range|response\/declared/,
    when(({ request }) => (request.headers['content-type'] ?? '').includes('*'), crash),
    typed('*/*'),
    'SHOULD',
  ),
  withBody(
    'fails-on-multipart-without-boundary',
    'Multipart without a boundary is an error.',
    /content-type\/multipart|response\/declared/,
    when(({ request }) => request.headers['content-type'] === 'multipart/form-data', crash),
    typed('multipart/form-data'),
  ),
  withBody(
    'fails-on-closed-nesting',
    'Arrays in arrays bring the validation down.',
    /json\/closed-nesting/,
    when(exchange => /"name":\[{3000}/.test(bodyText(exchange)), crash),
    raw(`{"id":77,"name":${'['.repeat(5000)}${']'.repeat(5000)}}`),
  ),
  withBody(
    'fails-on-two-tags',
    'Two tags are an error.',
    /response\/declared|unspecified\/duplicate-names/,
    when(exchange => (bodyText(exchange).match(/"tag":/g) ?? []).length > 1, crash),
    raw('{"id":77,"name":"Monstera","tag":"a","tag":"b"}'),
  ),
  withBody(
    'rejects-large-exponents',
    'An id may not have a large exponent.',
    /exponent-form/,
    when(
      (exchange, { cause }) => cause === 'none' && /"id":-?\d+e\+?[1-9]/i.test(bodyText(exchange)),
      reject,
    ),
    raw('{"id":123456e9,"name":"Monstera"}'),
    'SHOULD',
  ),
  row(
    'crashes-on-compressed-bodies',
    'A body with a content coding is answered with 500.',
    /unspecified\/content-coding|response\/declared/,
    when(exchange => header(exchange, 'content-encoding') !== '', crash),
    {
      witness: inTurn({
        ...raw('{"id":77,"name":"Monstera"}'),
        headers: { ...jsonHeaders, 'content-encoding': 'gzip' },
      }),
    },
  ),
  row(
    'obeys-other-charsets',
    'A body is decoded by the charset of its content type.',
    /response\/200\/echo|unspecified\/other-charset/,
    {
      decode: (bytes, { request }) =>
        bytes.toString(/iso-8859-1/i.test(request.headers['content-type'] ?? '') ? 'latin1' : 'utf8'),
    },
    {
      level: 'SHOULD',
      witness: inTurn(
        plant({ name: 'Renée' }, { ...jsonHeaders, 'content-type': 'application/json; charset=iso-8859-1' }),
      ),
    },
  ),
]
