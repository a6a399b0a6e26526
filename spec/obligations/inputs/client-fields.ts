import type { ExtraField } from '../../serialization/request-head.ts'
import { fieldsIn } from './extra-fields.ts'

/** What clients and proxies add to a request of any contract, in one or more variants. */
export type ClientFields = {
  readonly name: string
  /** Completes «a request …»: `with the headers of a browser`. */
  readonly input: string
  readonly level: 'MUST' | 'SHOULD'
  readonly rfc: string
  readonly fields: readonly (readonly ExtraField[])[]
}

/** The requests that ask for one of several media types alone. */
export const askedType = 'accept-one-type'

const headers = (values: Readonly<Record<string, string>>): readonly ExtraField[] =>
  fieldsIn('header', values)

/** Of bodies that most frameworks read. */
export const bodyTypes = [
  // The parser of forms reads even what says that it is empty.
  'multipart/form-data',
  'application/json',
  'application/x-www-form-urlencoded',
] as const

export const clientFields: readonly ClientFields[] = [
  {
    name: 'accept',
    input: 'with another Accept header that allows JSON',
    level: 'MUST',
    rfc: 'RFC 9110 12.5.1',
    fields: [
      '*/*',
      'application/*',
      'application/json',
      'text/html;q=0.1, application/json;q=0.9, */*;q=0.2',
    ].map(Accept => headers({ Accept })),
  },
  {
    name: 'browser',
    input: 'with the headers of a browser',
    level: 'MUST',
    rfc: 'RFC 9110 5.1',
    fields: [
      headers({
        'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        'Accept-Language': 'de-CH, de;q=0.9, en;q=0.5, *;q=0.1',
        'Accept-Encoding': 'gzip, deflate, br, zstd',
        'Cache-Control': 'no-cache',
        Pragma: 'no-cache',
        DNT: '1',
        'Sec-Fetch-Dest': 'empty',
        'Sec-Fetch-Mode': 'cors',
        'Sec-Fetch-Site': 'same-origin',
        Priority: 'u=4',
      }),
      headers({
        'User-Agent':
          'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
        Accept: 'text/html, application/json;q=0.9, */*;q=0.8',
        'X-Requested-With': 'XMLHttpRequest',
        'Upgrade-Insecure-Requests': '1',
        'Sec-CH-UA': '"Chromium";v="140", "Not=A?Brand";v="24"',
        'Sec-CH-UA-Mobile': '?0',
        'Sec-GPC': '1',
        'Save-Data': 'on',
      }),
    ],
  },
  {
    name: 'agent',
    input: 'from another program',
    level: 'MUST',
    rfc: 'RFC 9110 10.1.5',
    fields: [
      'curl/8.5.0',
      'python-requests/2.32.3',
      'Apache-HttpClient/5.4 (Java/21.0.4)',
      'Go-http-client/1.1',
      'okhttp/4.12.0',
      'a',
      'Mozilla/5.0 (compatible; examplebot/2.1; +https://shop.example/bot.html)',
    ].map(agent => headers({ 'User-Agent': agent })),
  },
  {
    name: 'language',
    input: 'for another language',
    level: 'MUST',
    rfc: 'RFC 9110 12.5.4',
    fields: [
      'de',
      'ja',
      'tr-TR',
      '*',
      'zh-Hans-CN',
      'ar;q=0.5, fr-CA;q=0.1',
      'es-419',
      'en-x-klingon',
      'x',
    ].map(language => headers({ 'Accept-Language': language })),
  },
  {
    name: 'encoding',
    input: 'for a response in another encoding',
    level: 'MUST',
    rfc: 'RFC 9110 12.5.3',
    fields: ['gzip', 'identity', 'br', '', 'gzip;q=1.0, *;q=0', 'deflate', 'zstd, x-unknown', '*'].map(
      encoding => headers({ 'Accept-Encoding': encoding }),
    ),
  },
  {
    // An unknown tag is no reason to answer otherwise, nor is a date before anything changed; other methods than GET have no ranges.
    name: 'conditions',
    input: 'with conditions that hold',
    level: 'MUST',
    rfc: 'RFC 9110 13.1',
    fields: [
      headers({ 'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
      headers({ 'If-None-Match': '"unknown-to-all"' }),
      headers({ 'If-Unmodified-Since': 'Fri, 31 Dec 2100 23:59:59 GMT' }),
      headers({ Range: 'bytes=0-10' }),
    ],
  },
  {
    // A server may keep pages of other origins out.
    name: 'origin',
    input: 'from a page of another origin',
    level: 'SHOULD',
    rfc: 'RFC 6454 7',
    fields: [
      headers({ Origin: 'https://shop.example', Referer: 'https://shop.example/cart?page=2' }),
      headers({ Origin: 'null' }),
    ],
  },
  {
    name: 'proxy',
    input: 'with the headers of proxies',
    level: 'MUST',
    rfc: 'RFC 9110 7.6.3',
    fields: [
      headers({
        Via: '1.1 proxy.example, 2.0 cache.example (Varnish)',
        'X-Forwarded-For': '203.0.113.7, 2001:db8::1',
        'X-Forwarded-Proto': 'https',
        Forwarded: 'for=203.0.113.7;proto=https, for="[2001:db8::1]:4711"',
        'X-Request-Id': '7f3c9a1e-1111-4222-8333-944455556666',
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        tracestate: 'vendor=t61rcWkgMzE',
        'Max-Forwards': '10',
        baggage: 'userId=alice,serverNode=DF%2028',
        TE: 'trailers',
        Prefer: 'unknown; unknown="a"',
      }),
    ],
  },
  {
    // Many client libraries set one for all requests. Some servers read a body by it that is not there.
    name: 'type-of-no-body',
    input: 'with the Content-Type of a body that it does not have',
    level: 'SHOULD',
    rfc: 'RFC 9110 8.3',
    fields: bodyTypes.map(type => headers({ 'Content-Type': type })),
  },
  {
    name: 'cookies',
    input: 'with cookies that have nothing to do with it',
    level: 'MUST',
    rfc: 'RFC 6265 5.4',
    fields: [
      headers({ Cookie: '_ga=GA1.2.1234567890.1700000000; theme=dark; empty=; consent="a%2Cb"' }),
      headers({ Cookie: `large=${'x'.repeat(3000)}` }),
    ],
  },
  {
    name: 'many',
    input: 'with 50 more headers',
    level: 'MUST',
    rfc: 'RFC 9110 5.4',
    fields: [
      headers(
        Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`X-Client-${index}`, `${index}`])),
      ),
    ],
  },
  {
    name: 'long',
    input: 'with a header of 4,000 characters',
    level: 'MUST',
    rfc: 'RFC 9110 5.4',
    fields: [headers({ 'X-Client-Context': 'context-'.repeat(500) })],
  },
  {
    name: 'empty',
    input: 'with an empty header',
    level: 'MUST',
    rfc: 'RFC 9110 5.5',
    fields: [headers({ 'X-Client-Empty': '' })],
  },
  {
    name: 'obs-text',
    input: 'with a header that is not in ASCII',
    level: 'SHOULD',
    rfc: 'RFC 9110 5.5',
    fields: [headers({ 'X-Client-Name': 'Ren\u00e9e' }), headers({ 'X-Client-Name': 'M\u00c3\u00bcller' })],
  },
]

/** As many as any client adds, but the one that is about their number. */
export const mostClientFields = Math.max(
  ...clientFields.flatMap(({ name, fields }) => (name === 'many' ? [] : fields.map(({ length }) => length))),
)
