import { type Headers, type Json, sampleFile, writeBody, writeJson } from '../../spec/index.ts'
import type { CompiledResponse } from './compiled-response.ts'
import { type MockResponse, noBody } from './mock-response.ts'

// A browser has no Buffer; there the slower way has to do.
const utf8 = new TextEncoder()
export const bytesOf = (text: string): Uint8Array =>
  typeof Buffer === 'undefined' ? utf8.encode(text) : Buffer.from(text)

/** A small file of the declared type, which looks more real than any made-up bytes; undefined: there is none. */
export const fileFor = ({ media, format }: CompiledResponse): Json | undefined =>
  media === null || (format?.kind !== 'binary' && format?.kind !== 'opaque')
    ? undefined
    : sampleFile(media.type)

/** A response with this body, under the declared media type. */
export const writeResponse = (
  response: CompiledResponse,
  status: number,
  headers: Headers,
  body: Json | undefined,
): MockResponse => {
  const { media, isJson } = response
  return {
    status,
    headers: media === null ? headers : [['Content-Type', media.type], ...headers],
    body:
      body === undefined
        ? noBody
        : media === null || isJson
          ? bytesOf(writeJson(body))
          : writeOther(response, media.type, body),
  }
}

/** An example that is a text stands for the whole body; a value is written in the format of its type. */
const writeOther = (response: CompiledResponse, type: string, body: Json): Uint8Array => {
  const { format, root } = response
  if (typeof body === 'string' && body === fileFor(response))
    return Uint8Array.from(body, char => char.charCodeAt(0))
  const isVerbatim = typeof body === 'string' && root?.types?.includes('string') !== true
  if (!isVerbatim && format !== null && format.kind !== 'opaque' && format.kind !== 'json')
    return writeBody(format, body, { contentType: type }).bytes
  return bytesOf(typeof body === 'string' ? body : writeJson(body))
}
