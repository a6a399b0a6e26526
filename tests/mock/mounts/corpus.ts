/** Requests for all mounts of the mock. */
import type { Headers } from '../../../spec/index.ts'

export type TestRequest = {
  readonly name: string
  readonly method: string
  /** Path and query below the server of the contract. */
  readonly target: string
  readonly headers: Headers
  readonly body: Uint8Array | null
}

/** Larger bodies are rejected unread, so that the corpus stays small. */
export const mostBytes = 64 * 1024

export const tokens = ['right'] as const

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const bearer = ['Authorization', 'Bearer right'] as const
const json = ['Content-Type', 'application/json'] as const

const post = (
  name: string,
  body: string | Uint8Array | null,
  headers: Headers = [bearer, json],
): TestRequest => ({
  name,
  method: 'POST',
  target: '/plants',
  headers,
  body: typeof body === 'string' ? utf8(body) : body,
})

const plain = (method: string, target: string, headers: Headers = [bearer]): TestRequest => ({
  name: `${method} ${target}`,
  method,
  target,
  headers,
  body: null,
})

const fern = '{"id":1,"name":"Fern"}'

export const plantCorpus: readonly TestRequest[] = [
  post('a plant', fern),
  post('a plant with a tag', '{"id":2,"name":"Fern","tag":"shade"}'),
  post('the largest int64', '{"id":9223372036854775807,"name":"Fern"}'),
  post('the smallest int64', '{"id":-9223372036854775808,"name":"Fern"}'),
  post('an int64 in another spelling', '{"id":9.223372036854775807e18,"name":"Fern"}'),
  post('one more than an int64', '{"id":9223372036854775808,"name":"Fern"}'),
  post('letters of many bytes', '{"id":3,"name":"Ümlaut Ⅷ 蕨 🌱 \\u0000 \\ud83c\\udf31"}'),
  post('a property that is not declared', '{"id":4,"name":"Fern","extra":{"deep":[1,2.50,null]}}'),
  post('just small enough', `{"id":5,"name":"${'x'.repeat(mostBytes - 18)}"}`),
  post('no id', '{"name":"Fern"}'),
  post('nothing that is required', '{}'),
  post('an id in quotation marks', '{"id":"1","name":"Fern"}'),
  post('an id with a fraction', '{"id":1.5,"name":"Fern"}'),
  post('a name that is null', '{"id":1,"name":null}'),
  post('a list', '[]'),
  post('half of a body', '{"id":1,'),
  post('no UTF-8', Uint8Array.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  post(
    'bytes of all kinds',
    Uint8Array.from({ length: 256 }, (_, index) => index),
  ),
  post('an empty body', ''),
  post('no body', null),
  post('no body and no type', null, [bearer]),
  post('too large', `{"id":6,"name":"${'x'.repeat(mostBytes)}"}`),
  post('too large, without credentials', 'x'.repeat(mostBytes + 1), [json]),
  post('another type', utf8(fern), [bearer, ['Content-Type', 'text/plain']]),
  post('a type with parameters', fern, [bearer, ['Content-Type', 'Application/JSON; charset=utf-8']]),
  post('no type', utf8(fern), [bearer]),
  post('no credentials', fern, [json]),
  post('a token that is not right', fern, [json, ['Authorization', 'Bearer wrong']]),
  post('another scheme', fern, [json, ['Authorization', 'Basic YTpi']]),
  post('no token', fern, [json, ['Authorization', 'Bearer']]),
  post('two tokens in one line', fern, [json, ['Authorization', 'Bearer right, Bearer right']]),
  post('a header that nobody knows', fern, [bearer, json, ['X-Other', 'a, b;c="d"']]),
  { ...post('a query', fern), target: '/plants?a=%20&a=%&&b' },
  plain('GET', '/plants'),
  plain('HEAD', '/plants'),
  plain('DELETE', '/plants'),
  plain('PUT', '/plants'),
  { ...post('a method that is not declared, with a body', fern), method: 'PATCH' },
  plain('OPTIONS', '/plants'),
  plain('GET', '/'),
  plain('GET', '/plants/'),
  plain('GET', '//plants'),
  plain('GET', '/%70lants'),
  plain('GET', '/plants%2F1'),
  plain('GET', '/plants;a=b'),
  plain('GET', '/nowhere/%E0%A4%A'),
  plain('POST', '/nowhere'),
  plain('HEAD', '/nowhere'),
  plain('GET', '/__plantstore/health'),
  plain('HEAD', '/__plantstore/health'),
]

export const libraryCorpus: readonly TestRequest[] = [
  plain('GET', '/books'),
  plain('GET', '/books?limit=2&tags=a,b'),
  plain('GET', '/books?limit=none'),
  plain('HEAD', '/books'),
  plain('GET', '/books/1'),
  plain('HEAD', '/books/1'),
  plain('GET', '/books/%C3%BC%20x'),
  { ...plain('GET', '/books/1', []), name: 'a book, without credentials' },
  plain('DELETE', '/books/1'),
  plain('GET', '/books/1/text'),
  plain('GET', '/books/1/pages'),
  plain('PUT', '/shelves/a'),
  plain('POST', '/feedback', [['Content-Type', 'application/x-www-form-urlencoded']]),
  {
    ...plain('POST', '/feedback', [['Content-Type', 'application/x-www-form-urlencoded']]),
    name: 'a form',
    body: utf8('stars=5&text=good+%C3%BC'),
  },
]

/**
 * What a `Request` cannot represent, so that only the server ever receives it: each as bytes for a socket, and as an
 * attempt to make a `Request` of it.
 */
export const uncarried: readonly {
  readonly name: string
  readonly bytes: string
  readonly make: () => Request
  /** The result of the attempt; null: it fails. */
  readonly becomes: string | null
}[] = [
  {
    name: 'a GET with a body',
    bytes: 'GET /plants HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx',
    make: () => new Request('http://a/plants', { body: 'x' }),
    becomes: null,
  },
  ...['CONNECT', 'TRACE'].map(method => ({
    name: `the method ${method}`,
    bytes: `${method} /plants HTTP/1.1\r\nHost: a\r\n\r\n`,
    make: () => new Request('http://a/plants', { method }),
    becomes: null,
  })),
  {
    name: 'a method in small letters',
    bytes: 'post /plants HTTP/1.1\r\nHost: a\r\n\r\n',
    make: () => new Request('http://a/plants', { method: 'post' }),
    becomes: 'POST http://a/plants',
  },
  {
    name: 'an invalid method',
    bytes: 'P(ST /plants HTTP/1.1\r\nHost: a\r\n\r\n',
    make: () => new Request('http://a/plants', { method: 'P(ST' }),
    becomes: null,
  },
  {
    name: 'a path with dots',
    bytes: 'GET /x/../plants HTTP/1.1\r\nHost: a\r\n\r\n',
    make: () => new Request('http://a/x/../plants'),
    becomes: 'GET http://a/plants',
  },
  {
    name: 'a path with encoded dots',
    bytes: 'GET /x/%2e%2E/plants HTTP/1.1\r\nHost: a\r\n\r\n',
    make: () => new Request('http://a/x/%2e%2E/plants'),
    becomes: 'GET http://a/plants',
  },
  {
    name: 'a path with backslashes',
    bytes: 'GET /\\plants HTTP/1.1\r\nHost: a\r\n\r\n',
    make: () => new Request('http://a/\\plants'),
    becomes: 'GET http://a//plants',
  },
  {
    name: 'a target with a fragment',
    bytes: 'GET /plants#x HTTP/1.1\r\nHost: a\r\n\r\n',
    make: () => new Request('http://a/plants#x'),
    becomes: 'GET http://a/plants#x',
  },
  {
    name: 'the target *',
    bytes: 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
    make: () => new Request('*', { method: 'OPTIONS' }),
    becomes: null,
  },
  {
    name: 'a header name with a blank',
    bytes: 'GET /plants HTTP/1.1\r\nHost: a\r\nX Y: z\r\n\r\n',
    make: () => new Request('http://a/plants', { headers: [['X Y', 'z']] }),
    becomes: null,
  },
  {
    name: 'two lines of one header',
    bytes: 'GET /plants HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n',
    make: () =>
      new Request('http://a/plants', {
        headers: [
          ['Authorization', 'Bearer a'],
          ['Authorization', 'Bearer b'],
        ],
      }),
    becomes: 'GET http://a/plants authorization: Bearer a, Bearer b',
  },
  {
    name: 'blanks around a value',
    bytes: 'GET /plants HTTP/1.1\r\nHost: a\r\nX-Y:   z \t\r\n\r\n',
    make: () => new Request('http://a/plants', { headers: [['X-Y', '  z \t']] }),
    becomes: 'GET http://a/plants x-y: z',
  },
  {
    name: 'what is not HTTP',
    bytes: 'NONSENSE\r\n\r\n',
    make: () => new Request('NONSENSE'),
    becomes: null,
  },
]
