/** Reading HAR files as browsers and other tools write them. */
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createHarStream, readTraffic } from '../../../reports/index.ts'
import type { SentExchange, TrafficEntry } from '../../../spec/index.ts'

const ownName = 'plantstore-contract'

type Part = Readonly<Record<string, unknown>>

/** One entry, with what a browser writes of a GET that was answered with a little JSON. */
const harWith = (request: Part, response: Part, creator = 'WebInspector'): string =>
  JSON.stringify({
    log: {
      version: '1.2',
      creator: { name: creator, version: '1' },
      entries: [
        {
          startedDateTime: '2026-11-27T10:00:00Z',
          time: 12.5,
          request: { method: 'GET', url: 'https://shop.test/things?a=1#top', headers: [], ...request },
          response: {
            status: 200,
            headers: [],
            content: { size: 2, mimeType: 'application/json', text: '{}' },
            ...response,
          },
        },
      ],
    },
  })

const entryWith = (request: Part, response: Part = {}, creator?: string): TrafficEntry =>
  readTraffic(harWith(request, response, creator))[0] as TrafficEntry

const textOf = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString()

test('an entry of a browser', () => {
  expect(entryWith({ headers: [{ name: 'accept', value: '*/*' }] })).toEqual({
    place: 'log.entries[0]',
    method: 'GET',
    origin: 'https://shop.test',
    target: '/things?a=1',
    headers: [['accept', '*/*']],
    body: null,
    isBodyCut: false,
    response: { status: 200, headers: [], body: Buffer.from('{}') },
    failure: null,
    unjudged: null,
    ms: 12.5,
    hasCredentials: false,
  })
})

describe('requests', () => {
  test('pseudo-header fields of HTTP/2 are left out, and lines that Chrome joins are apart', () => {
    const headers = [
      { name: ':method', value: 'GET' },
      { name: ':authority', value: 'shop.test' },
      { name: 'x-a', value: '1\n2' },
    ]
    expect(entryWith({ headers }).headers).toEqual([
      ['x-a', '1'],
      ['x-a', '2'],
    ])
  })

  test('cookies and a media type that stand elsewhere only are header fields', () => {
    const cookies = [
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ]
    const postData = { mimeType: 'application/json', text: '{"é":1}' }
    const { headers, body, isBodyCut } = entryWith({ method: 'POST', cookies, postData, bodySize: 8 })
    expect(headers).toEqual([
      ['Cookie', 'a=1; b=2'],
      ['Content-Type', 'application/json'],
    ])
    expect([textOf(body), isBodyCut]).toEqual(['{"é":1}', false])
  })

  test('the fields of a form are its body', () => {
    const params = [
      { name: 'a', value: '1 2' },
      { name: 'b', value: 'ü' },
    ]
    const postData = { mimeType: 'application/x-www-form-urlencoded', params }
    expect(textOf(entryWith({ method: 'POST', postData }).body)).toBe('a=1+2&b=%C3%BC')
  })

  test.each([
    ['without any', { bodySize: 7 }],
    ['without text', { postData: { mimeType: 'application/json' }, bodySize: 7 }],
    ['with less than its size', { postData: { mimeType: 'text/plain', text: 'abc' }, bodySize: 7 }],
    [
      'with the fields of a multipart form',
      { postData: { mimeType: 'multipart/form-data; boundary=a', params: [{ name: 'file' }] } },
    ],
    [
      'with bytes of a file as text',
      { postData: { mimeType: 'multipart/form-data; boundary=a', text: '--a\r\n\r\n\uFFFD\r\n--a--' } },
    ],
  ])('a body is known not to be whole: %s', (_, request) => {
    expect(entryWith({ method: 'POST', ...request }).isBodyCut).toBe(true)
  })
})

describe('responses', () => {
  const gzipped = { name: 'Content-Encoding', value: 'gzip' }

  test('a body in base64', () => {
    const content = { size: 3, mimeType: 'image/png', text: 'AP+A', encoding: 'base64' }
    expect(entryWith({}, { content }).response?.body).toEqual(Buffer.from([0, 255, 128]))
  })

  test('content that is decoded already, although the field says otherwise, and content that is not', () => {
    const decoded = { size: 2, mimeType: 'application/json', text: '{}' }
    const bytes = gzipSync('{}')
    const coded = { ...decoded, size: bytes.length, text: bytes.toString('base64'), encoding: 'base64' }
    for (const content of [decoded, coded]) {
      const { response } = entryWith({}, { headers: [gzipped], content })
      expect([response?.headers, textOf(response?.body)]).toEqual([[], '{}'])
    }
  })

  test.each([
    ['none of its size', { content: { size: 900, mimeType: 'application/json' } }, /does not have the body/],
    ['less than its size', { content: { size: 900, text: '{"a":' } }, /only the beginning/],
    [
      'none, and its length in the head',
      { content: { size: 0 }, headers: [{ name: 'content-length', value: '9' }] },
      /does not have the body/,
    ],
    ['a failed request', { status: 0, content: { size: 0 } }, /there was no response/],
    ['304', { status: 304, content: { size: 0 } }, /what the client has/],
    ['101', { status: 101, content: { size: 0 } }, /another protocol/],
  ])('what cannot be judged: %s', (_, response, why) => {
    expect(entryWith({}, response).unjudged).toMatch(why)
  })

  test('a response without a body that needs none is whole', () => {
    const content = { size: 0, mimeType: '' }
    const length = { name: 'content-length', value: '9' }
    expect(entryWith({}, { status: 204, content }).unjudged).toBeNull()
    expect(entryWith({ method: 'HEAD' }, { headers: [length], content }).unjudged).toBeNull()
  })

  test('a failure that the proxy has recorded is the server’s, and one of a browser is nobody’s', () => {
    const response = { status: 0, content: { size: 0 }, _error: 'reset', comment: 'the response broke off' }
    expect(entryWith({}, response, ownName).failure).toEqual({
      kind: 'reset',
      detail: 'the response broke off',
    })
    expect(entryWith({}, response).failure).toBeNull()
  })
})

test('what the tool itself writes comes back', () => {
  const exchange: SentExchange = {
    at: 0,
    request: {
      method: 'POST',
      target: '/things/%7e?a=b',
      headers: [['Content-Type', 'application/octet-stream']],
      body: { encoding: 'base64', data: 'AP+A', bytes: 3 },
      chunked: false,
    },
    outcome: {
      kind: 'response',
      status: 201,
      headers: [['Content-Type', 'text/plain']],
      body: { encoding: 'utf8', data: 'ü', bytes: 2 },
      ms: 1,
    },
  }
  const product = { name: ownName, version: '1' }
  const stream = createHarStream({ product, origin: { base: 'http://a.test/v1/', began: 0 }, limit: 1e6 })
  const text = stream.head + stream.entry(exchange) + stream.tail(true)
  expect(readTraffic(text)).toMatchObject([
    {
      origin: 'http://a.test',
      target: '/v1/things/%7e?a=b',
      body: Buffer.from([0, 255, 128]),
      isBodyCut: false,
      response: { status: 201, body: Buffer.from('ü') },
      unjudged: null,
      hasCredentials: true,
    },
  ])
})

test('requests of pages that are none of HTTP belong nowhere', () => {
  for (const url of ['data:text/plain,a', 'blob:https://a.test/1', 'chrome-extension://a/b', 'wss://a.test/'])
    expect(entryWith({ url })).toMatchObject({ origin: '', target: '' })
})

test.each([
  ['', /^it is not JSON: Unexpected end/],
  ['{"log":{"entries":[{"request":', /^it is not JSON: /],
  ['[]', /^it is neither a HAR file, which has a list `log.entries`, nor a Postman collection/],
  ['{"openapi":"3.1.0"}', /neither a HAR file/],
  ['{"log":{"entries":{}}}', /neither a HAR file/],
  ['{"log":{"entries":[null]}}', /^`log.entries\[0\]` is no object$/],
  ['{"log":{"entries":[{"request":7}]}}', /^`log.entries\[0\].request` is no object$/],
  [harWith({ url: '/things' }, {}), /^`log.entries\[0\].request.url` is no absolute URL: \/things$/],
  [harWith({ method: null }, {}), /^`log.entries\[0\].request.method` is no text$/],
  [harWith({ headers: [{ name: 'a' }] }, {}), /^`log.entries\[0\].request.headers\[0\].value` is no text$/],
  [harWith({ headers: {} }, {}), /^`log.entries\[0\].request.headers` is no list$/],
  [harWith({}, { status: '200' }), /^`log.entries\[0\].response.status` is no number$/],
])('what is no HAR file is named with its place: %#', (text, message) => {
  expect(() => readTraffic(text)).toThrow(message)
})
