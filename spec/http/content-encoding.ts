import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { type Headers, header } from './exchange.ts'

/** The bytes that a body may decode to unless the caller says otherwise, and the codings that it may have: more is a bomb, and decoding stops. */
const mostBytes = 10 * 1024 * 1024
const maxCodings = 4

type Decoder = (bytes: Uint8Array, limit: { readonly maxOutputLength: number }) => Uint8Array

// Each names its function when it is called: in a browser there are none.
const decoders: Readonly<Record<string, Decoder>> = {
  gzip: (bytes, limit) => gunzipSync(bytes, limit),
  'x-gzip': (bytes, limit) => gunzipSync(bytes, limit),
  deflate: (bytes, limit) => inflateSync(bytes, limit),
  br: (bytes, limit) => brotliDecompressSync(bytes, limit),
  zstd: (bytes, limit) => zstdDecompressSync(bytes, limit),
}

/** Why a body cannot be decoded; `bomb`: because it gets too large. */
type Undecoded = { readonly problem: string; readonly bomb: boolean }

/** A request or a response with a body. */
type Message = { readonly headers: Headers; readonly body: Uint8Array }

/** The body of a message without its content codings (RFC 9110 8.4), or why it cannot be decoded. */
export const decodedBody = (message: Message, maxOutputLength = mostBytes): Uint8Array | Undecoded => {
  const codings = (header(message.headers, 'content-encoding') ?? '')
    .split(',')
    .map(coding => coding.trim().toLowerCase())
    .filter(coding => coding !== '' && coding !== 'identity')
  if (codings.length > maxCodings) return { problem: `${codings.length} nested content codings`, bomb: true }
  let { body } = message
  for (const coding of codings.reverse()) {
    const decode = decoders[coding]
    if (decode === undefined)
      return { problem: `Content-Encoding ${coding}, which the request did not accept`, bomb: false }
    try {
      body = decode(body, { maxOutputLength })
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      return code === 'ERR_BUFFER_TOO_LARGE'
        ? { problem: `a body that ${coding} decodes to more than ${maxOutputLength} bytes`, bomb: true }
        : { problem: `Content-Encoding ${coding}, but the body is not ${coding}: ${message}`, bomb: false }
    }
  }
  return body
}

/** The same for people: as it is, if it cannot be decoded. */
export const readableBody = (message: Message): Uint8Array => {
  const decoded = decodedBody(message)
  return 'problem' in decoded ? message.body : decoded
}

/** Bytes that come in pieces. A list of the pieces would take a hundred times the memory if they are small. */
export type GrowingBytes = {
  /** How many bytes are announced. */
  readonly expect: (bytes: number) => void
  /** Adds a piece; the first one must not be changed afterwards. */
  readonly add: (piece: Uint8Array) => void
  readonly whole: () => Uint8Array
}

const leastCapacity = 16_384
/** An announcement may be a lie: it counts when so much has come. */
const trusted = 2 ** 18

const empty = new Uint8Array()

export const createGrowingBytes = (): GrowingBytes => {
  let expected = 0
  let bytes: Uint8Array = empty
  let size = 0
  return {
    expect: announced => {
      expected = announced
    },
    add: piece => {
      // Most bodies come in one piece, which need not be copied.
      if (size === 0) bytes = piece
      else {
        if (size + piece.length > bytes.length) {
          const grown = Buffer.allocUnsafeSlow(
            Math.max(size >= trusted ? expected : leastCapacity, size + piece.length, 2 * bytes.length),
          )
          grown.set(bytes.subarray(0, size))
          bytes = grown
        }
        bytes.set(piece, size)
      }
      size += piece.length
    },
    whole: () => (size === bytes.length ? bytes : bytes.subarray(0, size)),
  }
}
