import { gzipSync } from 'node:zlib'

/** Unusual methods, targets, fields and bodies; they are framed correctly. */
export const methods: readonly string[] = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PATCH', 'CONNECT', 'PROPFIND', 'M-SEARCH'],
  ...['QUERY', 'BREW', 'post', '__proto__', 'PRI', 'P\0ST'],
]

export const targets: readonly ((target: string) => string)[] = [
  target => `${target}?a=%`,
  target => `${target}?%00=%ff&&=&a[b]=c&a[__proto__][x]=1`,
  target => `${target}?${'a=1&'.repeat(2000)}`,
  target => `/${target}`,
  target => `${target}/`,
  target => `${target}/../..${target}`,
  target => target.replace(/\/([a-z])/, (_all, first: string) => `/%${first.charCodeAt(0).toString(16)}`),
  target => target.replace(/[^/]*$/, '%zz'),
  target => target.replace(/[^/]*$/, '%c0%af%ff'),
  target => target.replace(/[^/]*$/, '__proto__'),
  target => target.replace(/[^/]*$/, '9223372036854775808'),
  target => target.replace(/[^/]*$/, encodeURIComponent('../\0\r\n植😀')),
  target => `${target}\xff\xfe`,
  target => `${target}#fragment`,
  target => `${target};a=b`,
  target => `http://other.test${target}`,
  target => `HTTPS://[::1]:9${target}`,
  target => `http://${target}`,
  target => target + 'x'.repeat(60_000),
  target => target + '/x'.repeat(5000),
  () => '*',
  () => '/',
  () => '//',
  () => '?',
  () => 'plants',
  () => 'a:80',
  () => '/__plantstore/nothing/%zz',
  () => '/__plantstore',
]

export const versions: readonly string[] = [
  'HTTP/1.0',
  'HTTP/1.0',
  'HTTP/1.2',
  'HTTP/2.0',
  'HTTP/0.9',
  'http/1.1',
  '',
]

const flood = (count: number): string => Array.from({ length: count }, (_, at) => `\r\nA${at}: b`).join('')

/** Each replaces the field of its name, if there is one. */
export const fields: readonly (readonly [name: string, value: string])[] = [
  ...['undefined', ';;', 'application/json; charset=utf-16', 'application/json;', 'a/b', '', '*/*'].map(
    value => ['Content-Type', value] as const,
  ),
  ...['multipart/form-data; boundary=', 'multipart/form-data', 'application/JSON ; x="\\"', 'text'].map(
    value => ['Content-Type', value] as const,
  ),
  ...[
    'Bearer',
    'Bearer ',
    'bearer a',
    'Basic !!!',
    'Basic Og==',
    'Digest a="b',
    '\x80\xff',
    'Bearer a,b',
    '',
  ].map(value => ['Authorization', value] as const),
  ...['%%%', '*/*;q=x', 'text/html', '', ',', ';', 'application/json;q=0', 'a'.repeat(9000)].map(
    value => ['Accept', value] as const,
  ),
  ...[
    'code=999',
    'code=abc',
    'example=x; dynamic=true',
    'respond-async',
    ';;=',
    'code=404',
    'dynamic=false',
  ].map(value => ['Prefer', value] as const),
  ...['100-continue', '7', '100-continue, x', ''].map(value => ['Expect', value] as const),
  ...['close', 'keep-alive', 'Upgrade', 'Host', 'TE, close', ','].map(
    value => ['Connection', value] as const,
  ),
  ...['websocket', 'h2c', 'TLS/1.0, HTTP/2.0', ''].map(
    value => ['Connection', `Upgrade\r\nUpgrade: ${value}`] as const,
  ),
  ...['a b', '', 'a:b', '[::1', 'a\r\nHost: b', 'a/b', '\xff', '[::1]:80'].map(
    value => ['Host', value] as const,
  ),
  ...['null', 'http://page.test', '\x80', ''].map(value => ['Origin', value] as const),
  [
    'Origin',
    'http://page.test\r\nAccess-Control-Request-Method: PUT\r\nAccess-Control-Request-Headers: a, ,\x80',
  ],
  ...['a=%;;=', '=', '__proto__=1', 'a="\\"'.repeat(500)].map(value => ['Cookie', value] as const),
  ...['gzip', 'br, gzip, gzip', 'identity', 'x'].map(value => ['Content-Encoding', value] as const),
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['X-Trace', 'zz,,\x80'],
  ['If-Match', ''],
  ['Range', 'bytes=0-'],
  ['If-None-Match', '*'],
  ['X-Fold', 'a\r\n b'],
  ['X-Nul', 'a\0b'],
  ['X-Cr', 'a\rb'],
  ['X-Lf', 'a\nb: c'],
  ['X-Name :', 'a'],
  ['X-Flood', `a${flood(300)}`],
  ['X-Flood', `a${flood(2100)}`],
  ['X-Long', 'a'.repeat(20_000)],
]

const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024))

export const bodies: readonly ((body: Buffer) => Buffer)[] = [
  body => body.subarray(0, body.length >> 1),
  body => Buffer.concat([body, body]),
  body => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
  body => Buffer.from(body.toString('utf8'), 'utf16le'),
  body => gzipSync(body),
  () => bomb,
  () => Buffer.alloc(0),
  () => Buffer.alloc(3),
  () => Buffer.from([0xff, 0xfe, 0xc0, 0xaf, 0xed, 0xa0, 0x80]),
  ...[
    'null',
    '{',
    '{"id":1,',
    '{"id":1,"id":2}',
    '{"__proto__":{"id":1}}',
    '{"id":1e999,"name":"a"}',
    '{"id":-0,"name":"\\ud800"}',
    '{"id":123456789012345678901234567890,"name":"a"}',
    `{"id":1,"name":"${'n'.repeat(70_000)}"}`,
    '['.repeat(20_000),
    `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`,
    `[${'1,'.repeat(10_000)}1]`,
    '"\\u"',
    'a=%zz&&=&a[b]=c&a[__proto__]=1',
    '// no\n{}',
    'NaN',
  ].map(text => () => Buffer.from(text)),
]

/** Bytes that are no HTTP request, or one that servers read differently. */
export const noise: readonly string[] = [
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
  'GET /\r\n',
  '\r\n\r\n\r\n',
  'SSH-2.0-x\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
  ...[
    'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n',
    'Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef',
    'Content-Length: 1, 1\r\n\r\na',
    'Content-Length: +1\r\n\r\na',
    'Content-Length: 99999999999999999999\r\n\r\na',
    'Content-Length: 104857600\r\n\r\n{',
    'Content-Length: -1\r\n\r\n',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n',
    'Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n',
    'Transfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n',
    'Transfer-Encoding: chunked\r\n\r\n1\na\n0\n\n',
    `Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\na\r\n0\r\n\r\n`,
    `Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n${'T: t\r\n'.repeat(5000)}\r\n`,
    'Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 5\r\nHost: b\r\n\r\n',
    'Expect: 100-continue\r\nContent-Length: 3\r\n\r\n',
  ].map(rest => `POST /plants HTTP/1.1\r\nHost: a\r\n${rest}`),
]
