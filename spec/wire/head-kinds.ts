import { rawPlaceholders } from '../raw.ts'
import { each, kind, requestLine, variants, type WireKind } from './kind.ts'

const { host, origin, base: prefix } = rawPlaceholders
const bad9112 = 'RFC 9112 2.2'

/** What can be sent whatever the operation takes. */
export const headKinds: readonly WireKind[] = [
  kind(
    'request-line',
    'SHOULD',
    'refused',
    'RFC 9112 3',
    'a request line that is none is refused',
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
    'refused',
    'RFC 9112 2.3, 3',
    'a version that is none, or is far from known, is refused',
    each(({ method, target }) =>
      ['HTP/1.1', 'HTTP/9.9', 'HTTP/1.1x', 'http/1.1'].map(version => ({
        line: `${method} ${prefix}${target} ${version}`,
      })),
    ),
  ),
  kind(
    'method-case',
    'SHOULD',
    'refused',
    'RFC 9110 9.1',
    'a method in other letter case is another method',
    each(base => [{ line: requestLine({ ...base, method: base.method.toLowerCase() }) }]),
  ),
  kind(
    'unknown-method',
    'SHOULD',
    'refused',
    'RFC 9110 9.1',
    'a method that nobody knows is refused',
    each(base => [{ line: requestLine({ ...base, method: 'BREW' }) }]),
  ),
  kind(
    'missing-host',
    'MUST',
    'refused',
    'RFC 9112 3.2',
    'a request without Host is refused',
    // A line that begins with a space before the first field is no field, so there Host is missing as well.
    variants({ host: [] }, { host: [], before: [` Host: ${host}`] }),
  ),
  kind(
    'two-hosts',
    'MUST',
    'refused',
    'RFC 9112 3.2',
    'a request with two Host lines is refused',
    variants(
      { host: [`Host: ${host}`, 'Host: other.invalid'] },
      { host: [`Host: ${host}`, `Host: ${host}`] },
    ),
  ),
  kind(
    'bad-host',
    'MUST',
    'refused',
    'RFC 9112 3.2',
    'a Host that is none is refused',
    variants({ host: ['Host: a b'] }, { host: ['Host: a/b'] }),
  ),
  kind(
    'space-before-colon',
    'MUST',
    'refused',
    'RFC 9112 5.1',
    'white space between a field name and its colon is refused',
    variants({ before: ['X-Wire : a'] }, { before: ['X-Wire\t: a'] }),
  ),
  kind(
    'field-name',
    'SHOULD',
    'refused',
    bad9112,
    'a header line without a name, without a colon or with a space in its name is refused',
    variants(
      { before: ['X Wire: a'] },
      { before: [': a'] },
      { before: ['X-Wire'] },
      { before: ['X[Wire]: a'] },
    ),
  ),
  kind(
    'field-nul',
    'OBSERVE',
    'observed',
    'RFC 9110 5.5',
    'what happens to a NUL in a field value: it may be refused, or taken for a space',
    variants({ before: ['X-Wire: a\0b'] }),
  ),
  kind(
    'bare-cr',
    'OBSERVE',
    'observed',
    bad9112,
    'what happens to a CR alone in a field value: it may be refused, or taken for a space',
    variants({ before: ['X-Wire: a\rb'] }),
  ),
  kind(
    'obs-fold',
    'OBSERVE',
    'observed',
    'RFC 9112 5.2',
    'what happens to a field value that goes on in the next line: it may be refused, or joined',
    variants({ before: ['X-Wire: a', ' b'] }),
  ),
  kind(
    'bare-lf',
    'OBSERVE',
    'observed',
    bad9112,
    'what happens to lines that end with LF alone: they may be refused, or taken',
    variants({ newline: '\n' }),
  ),
  kind(
    'large-header',
    'MUST',
    'survived',
    'RFC 9110 5.4',
    'header fields that are larger than the server wishes are answered by a 4xx, not by a failure of its own',
    variants(
      { before: [`X-Wire: ${'x'.repeat(100_000)}`] },
      { before: Array.from({ length: 2000 }, (_, nth) => `X-Wire-${nth}: a`) },
    ),
  ),
  kind(
    'long-target',
    'MUST',
    'survived',
    'RFC 9112 3',
    'a target that is longer than the server wishes is answered by a 4xx, not by a failure of its own',
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
    'an empty line before the request line is overlooked',
    each(base => [{ line: `\r\n${requestLine(base)}` }]),
  ),
  kind(
    'absolute-form',
    'MUST',
    'accepted',
    'RFC 9112 3.2.2',
    'a target that is a whole URL is taken as its path is',
    each(({ method, target }) => [{ line: `${method} ${origin}${prefix}${target} HTTP/1.1` }]),
  ),
  kind(
    'connection-close',
    'MUST',
    'closed',
    'RFC 9112 9.6',
    'with `Connection: close` the connection ends after the answer',
    each(() => [{ before: ['Connection: close'] }], { answers: 99 }),
  ),
  kind(
    'http-1.0',
    'SHOULD',
    'accepted',
    'RFC 9112 2.3',
    'a request of HTTP/1.0, without Host, is taken',
    each(({ method, target }) => [{ line: `${method} ${prefix}${target} HTTP/1.0`, host: [] }]),
  ),
  kind(
    'http-1.0-answer',
    'MUST',
    'plain',
    'RFC 9112 6.1, RFC 9110 15.2',
    'a request of HTTP/1.0 gets neither chunks nor an interim answer',
    each(({ method, target }) => [{ line: `${method} ${prefix}${target} HTTP/1.0` }]),
  ),
  kind(
    'connect-port',
    'MUST',
    'refused',
    'RFC 9110 9.3.6',
    'a CONNECT to an empty or impossible port is refused',
    each(() =>
      ['CONNECT example.invalid: HTTP/1.1', 'CONNECT example.invalid:99999 HTTP/1.1'].map(line => ({
        line,
        framing: [],
        body: '',
      })),
    ),
  ),
]
