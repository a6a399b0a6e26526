import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { type Answer, header } from './exchange.ts'

/** Bytes that a body may unfold to, and codings that it may have: more is a bomb. Unfolding stops there. */
const maxOutputLength = 10 * 1024 * 1024
const maxCodings = 4

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: bytes => gunzipSync(bytes, { maxOutputLength }),
  'x-gzip': bytes => gunzipSync(bytes, { maxOutputLength }),
  deflate: bytes => inflateSync(bytes, { maxOutputLength }),
  br: bytes => brotliDecompressSync(bytes, { maxOutputLength }),
  zstd: bytes => zstdDecompressSync(bytes, { maxOutputLength }),
}

/** Why a body cannot be read; `bomb`: because there is no end to it. */
type Undecoded = { readonly problem: string; readonly bomb: boolean }

/** The body of an answer without its content codings (RFC 9110 8.4); or why it cannot be read. */
export const decodedBody = (answer: Answer): Uint8Array | Undecoded => {
  const codings = (header(answer.headers, 'content-encoding') ?? '')
    .split(',')
    .map(coding => coding.trim().toLowerCase())
    .filter(coding => coding !== '' && coding !== 'identity')
  if (codings.length > maxCodings)
    return { problem: `${codings.length} content codings, one over the other`, bomb: true }
  let { body } = answer
  for (const coding of codings.reverse()) {
    const decode = decoders[coding]
    if (decode === undefined)
      return { problem: `Content-Encoding ${coding}, which was not asked for`, bomb: false }
    try {
      body = decode(body)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      return code === 'ERR_BUFFER_TOO_LARGE'
        ? { problem: `a body that ${coding} unfolds to more than ${maxOutputLength} bytes`, bomb: true }
        : { problem: `Content-Encoding ${coding}, but the body is not: ${message}`, bomb: false }
    }
  }
  return body
}
