import { rawPlaceholders } from '../../../http/raw.ts'
import { chunk, chunked, each, inParts, kind, last, type MalformedHttpKind, one, text } from './kind.ts'

const { base: prefix } = rawPlaceholders

/** Valid HTTP that is written in an unusual way: a client may do it, and some do. It is tested in any run. */
export const ordinaryHeadKinds: readonly MalformedHttpKind[] = [
  kind(
    'connection-close',
    'MUST',
    'closed',
    'RFC 9112 9.6',
    'a request with `Connection: close`',
    each(() => [{ before: ['Connection: close'] }], { responses: 99 }),
  ),
  kind(
    'version-1.0',
    'SHOULD',
    'accepted',
    'RFC 9110 2.5',
    'an HTTP/1.0 request with Host',
    each(({ method, target }) => [{ line: `${method} ${prefix}${target} HTTP/1.0` }]),
  ),
  kind(
    'upgrade',
    // Servers with WebSockets often take any such offer for one of these.
    'SHOULD',
    'accepted',
    'RFC 9110 7.8',
    'a request that offers to change the protocol',
    // Without its settings an offer of HTTP/2 cannot be taken.
    each(() => ['example/1', 'h2c'].map(name => ({ before: ['Connection: Upgrade', `Upgrade: ${name}`] }))),
  ),
  kind(
    'head-in-parts',
    'MUST',
    'accepted',
    'RFC 9112 2.2',
    'a head that arrives in parts',
    // In the method, between the bytes that end a line, and in a header name.
    inParts(whole => [2, whole.indexOf('\r\n') + 1, whole.indexOf('Accept:') + 3]),
  ),
  kind(
    'field-whitespace',
    'MUST',
    'accepted',
    'RFC 9112 5',
    'a request with other white space around header values',
    base =>
      [':', ':\t', ':   '].map(separator =>
        one(text({ ...base, lines: base.lines.map(line => `${line.replace(': ', separator)} \t`) }, {})),
      ),
  ),
  kind(
    'field-letter-case',
    'MUST',
    'accepted',
    'RFC 9110 5.1',
    'a request with header names in another letter case',
    base =>
      [(name: string) => name.toUpperCase(), (name: string) => name.toLowerCase()].map(change =>
        one(text({ ...base, lines: base.lines.map(line => line.replace(/^[^:]+/, change)) }, {})),
      ),
  ),
]

/** The same of requests with a body. */
export const ordinaryBodyKinds: readonly MalformedHttpKind[] = [
  kind(
    'chunk-extension',
    'MUST',
    'accepted',
    'RFC 9112 7.1.1',
    'a chunk with unknown extensions',
    each(({ body }) => [
      { framing: chunked, body: chunk(body, `${body.length.toString(16)};a=1;b="c d"`) + last },
    ]),
  ),
  kind(
    'chunk-zeros',
    'MUST',
    'accepted',
    'RFC 9112 7.1',
    'a chunk size with leading zeros',
    each(({ body }) => [
      { framing: chunked, body: chunk(body, `000${body.length.toString(16).toUpperCase()}`) + last },
    ]),
  ),
  kind(
    'chunk-trailer',
    'MUST',
    'accepted',
    'RFC 9112 7.1.2',
    'a trailer after the last chunk',
    each(({ body }) => [{ framing: chunked, body: `${chunk(body)}0\r\nX-Extra: a\r\n\r\n` }]),
  ),
  kind(
    'chunk-many',
    'MUST',
    'accepted',
    'RFC 9112 7.1',
    'a body in chunks of one byte',
    each(({ body }) => [{ framing: chunked, body: [...body].map(byte => chunk(byte)).join('') + last }]),
  ),
  kind(
    'body-in-parts',
    'MUST',
    'accepted',
    'RFC 9112 6.2',
    'a body that arrives in parts',
    // Also between the bytes of a character.
    inParts(({ length }, bodyAt) => [bodyAt, bodyAt + 1, Math.floor((bodyAt + length) / 2), length - 1]),
  ),
  kind(
    'expect-continue',
    'MUST',
    'continued',
    'RFC 9110 10.1.1',
    'a request with `Expect: 100-continue`',
    base => {
      const head = text(base, { before: ['Expect: 100-continue'] })
      const at = head.length - base.body.length
      return [{ pieces: [head.slice(0, at), head.slice(at)], end: 'never', responses: 1 }]
    },
  ),
]
