import type { BodyFormat } from '../contract/operation.ts'
import { boundaryOf, isMultipartForm } from '../http/multipart.ts'
import type { Json } from '../json/json.ts'
import { readForm, strayText, writeForm } from '../serialization/form-body.ts'
import { shortText } from '../text/shown-text.ts'
import { type PartChange, readParts, writeParts } from './multipart-body.ts'
import { type BodyReading, readValue, writeValue } from './value-body.ts'

/** Any format whose bodies have a value. */
export type ReadableFormat = Exclude<BodyFormat, { readonly kind: 'opaque' }>

/** The value in a body. `contentType`: as it was sent, with its parameters. */
export const readBody = (
  format: ReadableFormat,
  bytes: Uint8Array,
  contentType: string | null,
): BodyReading => {
  if (format.kind === 'form') {
    const stray = strayText(format, bytes)
    return stray === null
      ? { ok: true, value: readForm(format, bytes) }
      : { ok: false, problem: `${shortText(stray)} is not a field of it, and has no value` }
  }
  return format.kind === 'multipart'
    ? readParts(format, bytes, contentType)
    : readValue(format, bytes, contentType)
}

export type WrittenBody = { readonly bytes: Uint8Array; readonly contentType: string | null }

export type WriteOptions = {
  /** The Content-Type to send; parts are written with its boundary, or add the usual one to it. */
  readonly contentType: string | null
  /** What one part has instead. */
  readonly change?: PartChange | null
}

/** The bytes of a value, and the Content-Type to send them with. */
export const writeBody = (
  format: ReadableFormat,
  value: Json,
  { contentType, change = null }: WriteOptions,
): WrittenBody => {
  if (format.kind === 'form') return { bytes: utf8.encode(writeForm(format, value)), contentType }
  if (format.kind !== 'multipart') return { bytes: writeValue(format, value), contentType }
  const given = boundaryOf(contentType)
  const { body, boundary } = writeParts(format, value, { boundary: given, change })
  return {
    bytes: body,
    contentType:
      given === null && isMultipartForm(contentType) ? `${contentType}; boundary=${boundary}` : contentType,
  }
}

const utf8 = new TextEncoder()
