import { isJsonMedia, mediaType } from '../http/exchange.ts'
import type { DocumentNode } from '../json/follow-refs.ts'
import { type Pointer, step, steps, valueAt } from '../json/pointer.ts'
import { placesOf } from '../schema/locations.ts'
import { formOf, isFormMedia } from './form-fields.ts'
import { multipartParts } from './multipart-parts.ts'
import type { BodyFormat } from './operation.ts'
import { formatOfType, opaque } from './value-format.ts'

/**
 * How the bodies of a media type are read and written, by the document as it holds for them. `byDefaults`: XML of which the document does
 * not say how it is written, is written by the defaults of OpenAPI. Servers seldom keep to these, so that nobody is judged by them.
 */
export const formatOf = (
  document: DocumentNode,
  media: Pointer,
  contentType: string,
  byDefaults = false,
): BodyFormat => {
  const type = mediaType(contentType) ?? ''
  if (isJsonMedia(type)) return { kind: 'json' }
  if (type.includes('*')) return opaque('a range names no media type')
  const schema = step(media, 'schema')
  if (valueAt(document, schema) === undefined) return opaque('it has no schema')
  if (isFormMedia(type)) {
    return formOf(document, media) ?? opaque('its schema describes no object')
  }
  if (type === 'multipart/form-data') {
    const parts = multipartParts(document, media)
    return typeof parts === 'string'
      ? opaque(parts)
      : { kind: 'multipart', root: placesOf(document, schema), parts }
  }
  return formatOfType(type, placesOf(document, schema), byDefaults)
}

/** The media type in a range that bodies of its schema are sent as; null: there is none that any recipient knows. */
export const typeInRange = (document: DocumentNode, media: Pointer, range: string): string | null => {
  const root = placesOf(document, step(media, 'schema'))
  const isBytes = root.keywords.some(({ keyword, value }) => keyword === 'format' && value === 'binary')
  const type = mediaType(range) ?? ''
  if (type === '*/*' || type === 'application/*')
    return isBytes ? 'application/octet-stream' : 'application/json'
  return usualIn[type] ?? null
}

const usualIn: Readonly<Record<string, string>> = { 'text/*': 'text/plain', 'image/*': 'image/png' }

/** How a place of a body is written: as JSON with its types, as bytes, or as text, in which all values are alike. */
export const writtenAs = (format: BodyFormat, pattern: Pointer): 'json' | 'text' | 'binary' => {
  if (format.kind === 'json') return 'json'
  if (format.kind === 'binary') return 'binary'
  if (format.kind !== 'multipart') return 'text'
  const [name] = steps(pattern)
  const kind = format.parts.find(part => part.name === name)?.format.kind
  return name === undefined ? 'text' : kind === 'json' || kind === 'binary' ? kind : 'text'
}

/** Whether no bytes at all are a body: a form without fields, an empty text or file. */
export const mayBeEmpty = ({ kind }: BodyFormat): boolean =>
  kind === 'form' || kind === 'text' || kind === 'binary'
