import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { type Answer, header } from './exchange.ts'

/** Bytes that a body may unfold to; more is a bomb. */
const maxOutputLength = 20 * 1024 * 1024

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: bytes => gunzipSync(bytes, { maxOutputLength }),
  'x-gzip': bytes => gunzipSync(bytes, { maxOutputLength }),
  deflate: bytes => inflateSync(bytes, { maxOutputLength }),
  br: bytes => brotliDecompressSync(bytes, { maxOutputLength }),
}

/** The body of an answer without its content codings (RFC 9110 8.4); or why it cannot be read. */
export const decodedBody = (answer: Answer): Uint8Array | { readonly problem: string } => {
  const codings = (header(answer.headers, 'content-encoding') ?? '')
    .split(',')
    .map(coding => coding.trim().toLowerCase())
    .filter(coding => coding !== '' && coding !== 'identity')
  let { body } = answer
  for (const coding of codings.reverse()) {
    const decode = decoders[coding]
    if (decode === undefined) return { problem: `Content-Encoding ${coding}, which was not asked for` }
    try {
      body = decode(body)
    } catch (error) {
      return { problem: `Content-Encoding ${coding}, but the body is not: ${(error as Error).message}` }
    }
  }
  return body
}
