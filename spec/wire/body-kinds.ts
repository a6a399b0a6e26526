import { each, kind, one, text, variants, type WireBase, type WireKind } from './kind.ts'

const chunked = ['Transfer-Encoding: chunked']
const chunk = (body: string, size = body.length.toString(16), after = '\r\n'): string =>
  `${size}\r\n${body}${after}`
const last = '0\r\n\r\n'

/** The same request with a body that is not JSON: refused by the contract, whatever else is tested. */
const refusedNext = (base: WireBase): string => text(base, { body: '{' })

/** What needs a body. */
export const bodyKinds: readonly WireKind[] = [
  kind(
    'two-lengths',
    'MUST',
    'refused',
    'RFC 9112 6.3',
    'two lengths that differ are refused',
    each(({ body: { length } }) => [
      { framing: [`Content-Length: ${length}`, `Content-Length: ${length + 1}`] },
      { framing: [`Content-Length: ${length + 1}`, `Content-Length: ${length}`] },
      { framing: [`Content-Length: ${length}, ${length + 1}`] },
    ]),
  ),
  kind(
    'bad-length',
    'MUST',
    'refused',
    'RFC 9112 6.3',
    'a length that is no number of digits is refused',
    each(({ body: { length } }) =>
      [
        `-${length}`,
        `+${length}`,
        `${length} a`,
        `0x${length.toString(16)}`,
        `${length}.0`,
        `${length}_`,
        'ten',
      ].map(value => ({ framing: [`Content-Length: ${value}`] })),
    ),
  ),
  kind(
    'equal-lengths',
    'OBSERVE',
    'observed',
    'RFC 9112 6.3',
    'what happens to the same length given twice: it may be refused, or taken',
    each(({ body: { length } }) => [{ framing: [`Content-Length: ${length}`, `Content-Length: ${length}`] }]),
  ),
  kind(
    'length-and-chunked',
    'MUST',
    'refused',
    'RFC 9112 6.3',
    'with both a length and chunks the length does not count',
    // By its length the body is valid; in chunks it is none.
    each(({ body }) => [
      { framing: [`Content-Length: ${body.length}`, ...chunked] },
      { framing: [...chunked, `Content-Length: ${body.length}`] },
    ]),
  ),
  kind(
    'length-and-chunked-end',
    // By the RFC a MUST; but what it is to prevent is tested above, and servers in wide use leave the connection open.
    'SHOULD',
    'alone',
    'RFC 9112 6.1',
    'with both a length and chunks the request is refused, or the connection ends after its answer',
    base => {
      const body = chunk(base.body) + last
      return [body.length, base.body.length].map(length =>
        one(text(base, { framing: [`Content-Length: ${length}`, ...chunked], body }) + refusedNext(base), {
          answers: 2,
        }),
      )
    },
  ),
  kind(
    'no-length',
    'MUST',
    'refused',
    'RFC 9112 6.3',
    'bytes that follow a head without length and chunks are not its body',
    variants({ framing: [] }),
  ),
  kind(
    'coding-not-last',
    'MUST',
    'refused',
    'RFC 9112 6.3',
    'a request whose last transfer coding is not `chunked` is refused',
    each(({ body }) =>
      [['chunked, identity'], ['chunked, wired'], ['xchunked'], ['chunked', 'identity']].map(codings => ({
        framing: codings.map(coding => `Transfer-Encoding: ${coding}`),
        body: chunk(body) + last,
      })),
    ),
  ),
  kind(
    'chunk-size',
    'SHOULD',
    'refused',
    'RFC 9112 7.1, 2.2',
    'a chunk size that is no hexadecimal number is refused',
    each(({ body }) =>
      [
        'zz',
        `-${body.length.toString(16)}`,
        `0x${body.length.toString(16)}`,
        `+${body.length.toString(16)}`,
        '',
      ].map(size => ({ framing: chunked, body: chunk(body, size) + last })),
    ),
  ),
  kind(
    'chunk-overflow',
    'MUST',
    'refused',
    'RFC 9112 7.1',
    'a chunk size beyond all integers is not cut to a small one',
    each(
      ({ body }) =>
        ['10000000000000000', '100000000'].map(high => ({
          framing: chunked,
          body:
            chunk(body, `${high.slice(0, -2)}${body.length.toString(16).padStart(2, '0').slice(-2)}`) + last,
        })),
      { end: 'now' },
    ),
  ),
  kind(
    'chunk-end',
    'SHOULD',
    'refused',
    'RFC 9112 7.1, 2.2',
    'a chunk that is longer than its size is refused',
    each(({ body }) => [{ framing: chunked, body: chunk(body, body.length.toString(16), 'xx\r\n') + last }]),
  ),
  kind(
    'chunk-extension',
    'MUST',
    'accepted',
    'RFC 9112 7.1.1',
    'chunk extensions that nobody knows are overlooked',
    each(({ body }) => [
      { framing: chunked, body: chunk(body, `${body.length.toString(16)};wire=1;x="a b"`) + last },
    ]),
  ),
  kind(
    'chunk-zeros',
    'MUST',
    'accepted',
    'RFC 9112 7.1',
    'a chunk size in other hexadecimal digits is taken',
    each(({ body }) => [
      { framing: chunked, body: chunk(body, `000${body.length.toString(16).toUpperCase()}`) + last },
    ]),
  ),
  kind(
    'chunk-trailer',
    'MUST',
    'accepted',
    'RFC 9112 7.1.2',
    'a trailer after the last chunk is taken or overlooked',
    each(({ body }) => [{ framing: chunked, body: `${chunk(body)}0\r\nX-Wire: a\r\n\r\n` }]),
  ),
  kind(
    'truncated',
    'SHOULD',
    'refused',
    'RFC 9112 8',
    'a body that ends before its length, or before its last chunk, is not taken for whole',
    each(
      ({ body }) => [
        { framing: [`Content-Length: ${body.length + 10}`] },
        { framing: chunked, body: chunk(body) },
        { framing: chunked, body: chunk(body, (body.length + 10).toString(16), '') },
      ],
      { end: 'now' },
    ),
  ),
  kind(
    'pipelined',
    'MUST',
    'in-order',
    'RFC 9112 9.3.2',
    'requests that follow each other without waiting are answered in their order',
    base => [one(text(base, {}) + refusedNext(base), { answers: 2 })],
  ),
  kind(
    'expect-continue',
    'MUST',
    'continued',
    'RFC 9110 10.1.1',
    'a client that waits for `100 Continue` gets it, or a final answer, before it sends its body',
    base => {
      const head = text(base, { before: ['Expect: 100-continue'] })
      const at = head.length - base.body.length
      return [{ pieces: [head.slice(0, at), head.slice(at)], end: 'never', answers: 1 }]
    },
  ),
]
