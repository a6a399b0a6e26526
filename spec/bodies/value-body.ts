import type { BodyFormat } from '../contract/operation.ts'
import type { FormPart } from '../http/multipart.ts'
import { type Json, readJson, writeJson } from '../json/json.ts'
import { xmlName } from '../schema/xml-names.ts'
import { readScalar } from '../serialization/read-text.ts'
import { scalarText } from '../serialization/serialize-parameter.ts'
import { bytesOf, latin1, utf8Text } from '../text/latin1.ts'
import { readXml } from './parse-xml.ts'
import { readElement } from './xml-read.ts'
import { writeXml } from './xml-write.ts'

/** What is in the bytes of a body. `parts`: as they came, of `multipart/form-data` only. */
export type BodyReading =
  | { readonly ok: true; readonly value: Json; readonly parts?: readonly FormPart[] }
  /** `problem`: after «the body cannot be read: ». */
  | { readonly ok: false; readonly problem: string }

/** Reads one value, which is a whole body or a part of one. */
export const readValue = (format: BodyFormat, bytes: Uint8Array, contentType: string | null): BodyReading => {
  switch (format.kind) {
    case 'json':
      return readJson(bytes)
    case 'text': {
      const reading = readText(bytes, contentType)
      return reading.ok ? { ok: true, value: readScalar(reading.value, format.root) } : reading
    }
    case 'binary':
      return { ok: true, value: latin1(bytes) }
    case 'xml': {
      const text = textOf(bytes, charsetIn(contentType) === null ? declaredEncoding(bytes) : contentType)
      if (typeof text !== 'string') return text
      const { element, root: place } = format
      const reading = readXml(text)
      if (!reading.ok) return reading
      const { root } = reading
      if (element !== null && root.name !== element)
        return { ok: false, problem: `its root element must be ${element}, not ${root.name.slice(0, 80)}` }
      const namespace = xmlName(place)?.namespace ?? null
      if (namespace !== null && root.namespace !== namespace)
        return { ok: false, problem: `its root element must be in the namespace ${namespace}` }
      return { ok: true, value: readElement(place, root) }
    }
    default:
      throw new Error(`a body of the kind ${format.kind} is not one value`)
  }
}

/** Reads a text. Without a charset, any is right (RFC 9110, 8.3.2): UTF-8 is likeliest. */
export const readText = (
  bytes: Uint8Array,
  contentType: string | null,
): { readonly ok: true; readonly value: string } | Extract<BodyReading, { ok: false }> => {
  const isOther = charsetIn(contentType) === null && utf8Text(bytes) === null
  const text = isOther ? latin1(bytes) : textOf(bytes, contentType)
  return typeof text === 'string' ? { ok: true, value: text } : text
}

/** Writes one value. */
export const writeValue = (format: BodyFormat, value: Json): Uint8Array => {
  switch (format.kind) {
    case 'text':
      return utf8.encode(scalarText(value).toWellFormed())
    case 'binary':
      return bytesOf(scalarText(value))
    case 'xml':
      return utf8.encode(writeXml(format.root, format.element ?? 'root', value))
    default:
      return utf8.encode(writeJson(value))
  }
}

const utf8 = new TextEncoder()

const charsetIn = (contentType: string | null): string | null =>
  /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? '')?.[1] ?? null

/** A text in the charset that its Content-Type names, else in UTF-8. */
const textOf = (
  bytes: Uint8Array,
  contentType: string | null,
): string | Extract<BodyReading, { ok: false }> => {
  const charset = charsetIn(contentType) ?? 'utf-8'
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: /^utf-?8$/i.test(charset) }).decode(bytes)
  } catch (error) {
    const problem =
      error instanceof RangeError
        ? `the charset ${charset} is not known`
        : `it is not valid ${charset.toUpperCase()}`
    return { ok: false, problem }
  }
}

/** What an XML declaration says, as a Content-Type would. */
const declaredEncoding = (bytes: Uint8Array): string | null => {
  const found = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/.exec(latin1(bytes.subarray(0, 200)))
  return found === null ? null : `;charset=${found[1]}`
}
