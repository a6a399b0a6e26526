import { rawPlaceholders } from '../../../http/raw.ts'
import { each, kind, type MalformedHttpKind, requestLine, variants } from './kind.ts'

const { host, origin, base: prefix } = rawPlaceholders
const bad9112 = 'RFC 9112 2.2'
const otherCredentials = 'Authorization: Bearer other'

/** What can be sent to any operation. */
export const headKinds: readonly MalformedHttpKind[] = [
  kind(
    'request-line',
    'SHOULD',
    'rejected',
    'RFC 9112 3',
    'a malformed request line',
    each(({ method, target }) =>
      [
        `${method} ${prefix}${target}`,
        `${method} ${prefix}${target} extra HTTP/1.1`,
        `${prefix}${target} HTTP/1.1`,
        `HTTP/1.1 ${method} ${prefix}${target}`,
      ].map(line => ({ line })),
    ),
  ),
  kind(
    'version',
    'SHOULD',
    'rejected',
    'RFC 9112 2.3, 3',
    'a malformed HTTP version',
    each(({ method, target }) =>
      ['HTP/1.1', 'HTTP/1.1x', 'http/1.1'].map(version => ({
        line: `${method} ${prefix}${target} ${version}`,
      })),
    ),
  ),
  kind(
    'method-case',
    'SHOULD',
    'rejected',
    'RFC 9110 9.1',
    'a method in lower case',
    each(base => [{ line: requestLine({ ...base, method: base.method.toLowerCase() }) }]),
  ),
  kind(
    'unknown-method',
    'SHOULD',
    'rejected',
    'RFC 9110 9.1',
    'an unknown method',
    each(base => [{ line: requestLine({ ...base, method: 'BREW' }) }]),
  ),
  kind(
    'missing-host',
    'MUST',
    'rejected',
    'RFC 9112 3.2',
    'a request without Host',
    // A line before the first field that begins with a space is no field, so the second variant has no Host either.
    variants({ host: [] }, { host: [], before: [` Host: ${host}`] }),
  ),
  kind(
    'two-hosts',
    'MUST',
    'rejected',
    'RFC 9112 3.2',
    'a request with two Host fields',
    variants(
      { host: [`Host: ${host}`, 'Host: other.invalid'] },
      { host: [`Host: ${host}`, `Host: ${host}`] },
    ),
  ),
  kind(
    'bad-host',
    'MUST',
    'rejected',
    'RFC 9112 3.2',
    'a malformed Host',
    variants({ host: ['Host: a b'] }, { host: ['Host: a/b'] }),
  ),
  kind(
    'space-before-colon',
    'MUST',
    'rejected',
    'RFC 9112 5.1',
    'white space between a field name and its colon',
    variants({ before: ['X-Extra : a'] }, { before: ['X-Extra\t: a'] }),
  ),
  kind(
    'field-name',
    'SHOULD',
    'rejected',
    bad9112,
    'a header line with a malformed field name',
    variants(
      { before: ['X Wire: a'] },
      { before: [': a'] },
      { before: ['X-Extra'] },
      { before: ['X[Wire]: a'] },
    ),
  ),
  kind(
    'field-nul',
    'OBSERVE',
    'observed',
    'RFC 9110 5.5',
    'a NUL in a field value',
    variants({ before: ['X-Extra: a\0b'] }),
  ),
  kind(
    'bare-cr',
    'OBSERVE',
    'observed',
    bad9112,
    'a bare CR in a field value',
    variants({ before: ['X-Extra: a\rb'] }),
  ),
  kind(
    'obs-fold',
    'OBSERVE',
    'observed',
    'RFC 9112 5.2',
    'a folded field value',
    variants({ before: ['X-Extra: a', ' b'] }),
  ),
  kind(
    'future-version',
    'OBSERVE',
    'observed',
    'RFC 9110 15.6.6',
    'a higher major version of HTTP',
    each(({ method, target }) => [{ line: `${method} ${prefix}${target} HTTP/9.9` }]),
  ),
  // HTTP forbids clients to send these, and does not say which of them counts: proxies reject them, most servers read the first.
  kind(
    'two-authorizations',
    'OBSERVE',
    'observed',
    'RFC 9110 5.3',
    'a request with a wrong and a right Authorization header',
    each(({ body }) => [
      { before: [otherCredentials] },
      { framing: [`Content-Length: ${body.length}`, otherCredentials] },
    ]),
  ),
  kind(
    'bare-lf',
    'OBSERVE',
    'observed',
    bad9112,
    'a request with bare LF line ends',
    variants({ newline: '\n' }),
  ),
  kind(
    'large-header',
    'MUST',
    'survived',
    'RFC 9110 5.4',
    'an oversized header section',
    variants(
      { before: [`X-Extra: ${'x'.repeat(100_000)}`] },
      { before: Array.from({ length: 2000 }, (_, nth) => `X-Extra-${nth}: a`) },
    ),
  ),
  kind(
    'long-target',
    'MUST',
    'survived',
    'RFC 9112 3',
    'a request target of 40,000 characters',
    each(base => [
      {
        line: requestLine({
          ...base,
          target: `${base.target}${base.target.includes('?') ? '&' : '?'}${'x'.repeat(40_000)}`,
        }),
      },
    ]),
  ),
  kind(
    'empty-line-before',
    'SHOULD',
    'accepted',
    bad9112,
    'an empty line before the request line',
    each(base => [{ line: `\r\n${requestLine(base)}` }]),
  ),
  kind(
    'absolute-form',
    'MUST',
    'accepted',
    'RFC 9112 3.2.2',
    'a request target in absolute form',
    each(({ method, target }) => [{ line: `${method} ${origin}${prefix}${target} HTTP/1.1` }]),
  ),
  kind(
    'http-1.0',
    'SHOULD',
    'accepted',
    'RFC 9112 2.3',
    'an HTTP/1.0 request without Host',
    each(({ method, target }) => [{ line: `${method} ${prefix}${target} HTTP/1.0`, host: [] }]),
  ),
  kind(
    'http-1.0-response',
    'MUST',
    'plain',
    'RFC 9112 6.1, RFC 9110 15.2',
    'an HTTP/1.0 request',
    each(({ method, target }) => [{ line: `${method} ${prefix}${target} HTTP/1.0` }]),
  ),
  kind(
    'connect-port',
    'MUST',
    'rejected',
    'RFC 9110 9.3.6',
    'a CONNECT to an empty or impossible port',
    each(() =>
      ['CONNECT example.invalid: HTTP/1.1', 'CONNECT example.invalid:99999 HTTP/1.1'].map(line => ({
        line,
        framing: [],
        body: '',
      })),
    ),
  ),
]
