import {
  chunk,
  chunked,
  each,
  kind,
  last,
  type MalformedHttpBase,
  type MalformedHttpKind,
  one,
  text,
  variants,
} from './kind.ts'

/** The same request with a body that is not JSON, which the contract rejects in any case. */
const rejectedNext = (base: MalformedHttpBase): string => text(base, { body: '{' })

/** What can be sent to an operation with a request body. */
export const bodyKinds: readonly MalformedHttpKind[] = [
  kind(
    'two-lengths',
    'MUST',
    'rejected',
    'RFC 9112 6.3',
    'a request with two different Content-Lengths',
    each(({ body: { length } }) => [
      { framing: [`Content-Length: ${length}`, `Content-Length: ${length + 1}`] },
      { framing: [`Content-Length: ${length + 1}`, `Content-Length: ${length}`] },
      { framing: [`Content-Length: ${length}, ${length + 1}`] },
    ]),
  ),
  kind(
    'bad-length',
    'MUST',
    'rejected',
    'RFC 9112 6.3',
    'a malformed Content-Length',
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
    'a request with the same Content-Length twice',
    each(({ body: { length } }) => [{ framing: [`Content-Length: ${length}`, `Content-Length: ${length}`] }]),
  ),
  kind(
    'length-and-chunked',
    'MUST',
    'rejected',
    'RFC 9112 6.3',
    'a body that is valid by its Content-Length but not by its chunks',
    each(({ body }) => [
      { framing: [`Content-Length: ${body.length}`, ...chunked] },
      { framing: [...chunked, `Content-Length: ${body.length}`] },
    ]),
  ),
  kind(
    'length-and-chunked-end',
    // The RFC says MUST; but the harm that it prevents is tested above, and popular servers leave the connection open.
    'SHOULD',
    'alone',
    'RFC 9112 6.1',
    'a request with both Content-Length and chunks',
    base => {
      const body = chunk(base.body) + last
      return [body.length, base.body.length].map(length =>
        one(text(base, { framing: [`Content-Length: ${length}`, ...chunked], body }) + rejectedNext(base), {
          responses: 2,
        }),
      )
    },
  ),
  kind(
    'no-length',
    'MUST',
    'rejected',
    'RFC 9112 6.3',
    'a body without Content-Length or chunks',
    variants({ framing: [] }),
  ),
  kind(
    'coding-not-last',
    'MUST',
    'rejected',
    'RFC 9112 6.3',
    'a request whose last transfer coding is not `chunked`',
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
    'rejected',
    'RFC 9112 7.1, 2.2',
    'a malformed chunk size',
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
    'rejected',
    'RFC 9112 7.1',
    'a chunk size that overflows an integer',
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
    'rejected',
    'RFC 9112 7.1, 2.2',
    'a chunk that is longer than its size',
    each(({ body }) => [{ framing: chunked, body: chunk(body, body.length.toString(16), 'xx\r\n') + last }]),
  ),
  kind(
    'truncated',
    'SHOULD',
    'rejected',
    'RFC 9112 8',
    'a truncated body',
    each(
      ({ body }) => [
        { framing: [`Content-Length: ${body.length + 10}`] },
        { framing: chunked, body: chunk(body) },
        { framing: chunked, body: chunk(body, (body.length + 10).toString(16), '') },
      ],
      { end: 'now' },
    ),
  ),
  kind('pipelined', 'MUST', 'in-order', 'RFC 9112 9.3.2', 'two pipelined requests', base => [
    one(text(base, {}) + rejectedNext(base), { responses: 2 }),
  ]),
]
