import {
  type Headers,
  type Json,
  sampleFile,
  type WrittenBody,
  writeBody,
  writeJson,
} from '../../spec/index.ts'
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
  const { bytes, contentType }: WrittenBody =
    body === undefined
      ? { bytes: noBody, contentType: media?.type ?? null }
      : media === null || isJson
        ? { bytes: bytesOf(writeJson(body)), contentType: media?.type ?? null }
        : writeOther(response, media.type, body)
  return {
    status,
    headers: contentType === null ? headers : [['Content-Type', contentType], ...headers],
    body: bytes,
  }
}

/** An example that is a text stands for the whole body; a value is written in the format of its type, parts with their boundary. */
const writeOther = (response: CompiledResponse, contentType: string, body: Json): WrittenBody => {
  const { format, root } = response
  if (typeof body === 'string' && body === fileFor(response))
    return { bytes: Uint8Array.from(body, char => char.charCodeAt(0)), contentType }
  const isVerbatim = typeof body === 'string' && root?.types?.includes('string') !== true
  if (!isVerbatim && format !== null && format.kind !== 'opaque' && format.kind !== 'json')
    return writeBody(format, body, { contentType })
  return { bytes: bytesOf(typeof body === 'string' ? body : writeJson(body)), contentType }
}
