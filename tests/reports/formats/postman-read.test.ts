/** Reading Postman collections as recorded traffic. */
import { expect, test } from 'vitest'
import { readTraffic } from '../../../reports/index.ts'
import type { TrafficEntry } from '../../../spec/index.ts'

const collection = (item: readonly unknown[], more: object = {}): string =>
  JSON.stringify({
    info: {
      name: 'Shop',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [{ key: 'base', value: 'https://shop.test/v1' }],
    item,
    ...more,
  })

const read = (text: string): readonly TrafficEntry[] => readTraffic(text)
const requestOf = (request: unknown, more?: object): TrafficEntry =>
  read(collection([{ name: 'a', request }], more))[0] as TrafficEntry
const textOf = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString()

test('requests in folders, each with every saved response', () => {
  const request = {
    method: 'POST',
    header: [
      { key: 'X-A', value: '{{a}}' },
      { key: 'X-Off', value: '1', disabled: true },
    ],
    body: { mode: 'raw', raw: '{"name":"{{name}}"}', options: { raw: { language: 'json' } } },
    url: '{{base}}/things',
  }
  const saved = (code: number, body: string) => ({
    originalRequest: { ...request, url: '{{base}}/things?b=1' },
    code,
    header: [
      { key: 'Content-Type', value: 'application/json' },
      { key: 'Content-Encoding', value: 'gzip' },
    ],
    body,
  })
  const folder = {
    variable: [{ key: 'name', value: 'Fern' }],
    item: [
      { request, response: [saved(201, '{"id":1}'), saved(400, '')] },
      { request, response: [] },
    ],
  }
  const entries = read(
    collection([folder], {
      variable: [
        { key: 'base', value: 'https://shop.test/v1' },
        { key: 'a', value: '7' },
      ],
    }),
  )
  expect(entries).toEqual([
    {
      place: 'item[0].item[0].response[0]',
      method: 'POST',
      origin: 'https://shop.test',
      target: '/v1/things?b=1',
      headers: [
        ['X-A', '7'],
        ['Content-Type', 'application/json'],
      ],
      body: Buffer.from('{"name":"Fern"}'),
      isBodyCut: false,
      response: {
        status: 201,
        headers: [['Content-Type', 'application/json']],
        body: Buffer.from('{"id":1}'),
      },
      failure: null,
      unjudged: null,
      ms: 0,
      hasCredentials: false,
    },
    expect.objectContaining({ place: 'item[0].item[0].response[1]', unjudged: null }),
    expect.objectContaining({
      place: 'item[0].item[1]',
      target: '/v1/things',
      response: null,
      unjudged: 'no response is saved',
    }),
  ])
})

test.each([
  ['https://a.test/x?y=1', 'https://a.test', '/x?y=1'],
  ['a.test:8080/x', 'http://a.test:8080', '/x'],
  ['{{unknown}}/x', 'http://unknown.invalid', '/x'],
  ['https://{{host}}:{{port}}/x', 'http://unknown.invalid', '/x'],
  ['', '', ''],
  [
    {
      raw: '{{base}}/things/:id/:part?a=1&b=2',
      variable: [{ key: 'id', value: '7 8' }],
      query: [
        { key: 'a', value: '{{secret}}' },
        { key: 'b', value: '2', disabled: true },
      ],
    },
    'https://shop.test',
    '/v1/things/7%208/%7B%7Btoken%7D%7D?a={{token}}',
  ],
])('the URL of a request: %j', (url, origin, target) => {
  expect(requestOf({ method: 'GET', url })).toMatchObject({ origin, target })
})

test.each([
  [{ mode: 'raw', raw: 'plain' }, [], 'plain', false],
  [{ mode: 'raw', raw: ' {"a":1}' }, [['Content-Type', 'application/json']], ' {"a":1}', false],
  [
    {
      mode: 'urlencoded',
      urlencoded: [
        { key: 'a', value: '1 2' },
        { key: 'b', value: '', disabled: true },
      ],
    },
    [['Content-Type', 'application/x-www-form-urlencoded']],
    'a=1+2',
    false,
  ],
  [
    { mode: 'graphql', graphql: { query: '{ a }' } },
    [['Content-Type', 'application/json']],
    '{"query":"{ a }"}',
    false,
  ],
  [{ mode: 'raw', raw: '{"id":{{id}}}' }, [['Content-Type', 'application/json']], '{"id":{{token}}}', true],
  [{ mode: 'formdata', formdata: [] }, [], '', true],
  [{ mode: 'raw', raw: 'x', disabled: true }, [], '', false],
])('the body of a request: %j', (body, headers, text, isBodyCut) => {
  const entry = requestOf({ method: 'POST', url: '{{base}}/a', body })
  expect([entry.headers, textOf(entry.body), entry.isBodyCut]).toEqual([headers, text, isBodyCut])
})

test('the API of Postman wraps collections', () => {
  expect(read(`{"collection":${collection([{ request: 'https://a.test/' }])}}`)).toHaveLength(1)
})

test.each([
  [collection([7]), /^`item\[0\]` is no object$/],
  [collection([{ item: [{ request: 7 }] }]), /^`item\[0\].item\[0\].request` is no object$/],
  [collection([{ request: 'https://a.test', response: {} }]), /^`item\[0\].response` is no list$/],
])('what is no collection is named with its place: %#', (text, message) => {
  expect(() => read(text)).toThrow(message)
})
