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
      }),
    ],
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
