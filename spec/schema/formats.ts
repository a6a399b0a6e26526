import type { Ajv2020 } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'

const add = formatsPlugin as unknown as (
  ajv: Ajv2020,
  options: { readonly formats: readonly string[] },
) => void

/**
 * The formats that values are checked against. Each is defined by JSON Schema 2020-12 (validation, 7.3) or OpenAPI: of those that Ajv has
 * as well (`url`, `iso-time`, `iso-date-time`), no specification says what they mean.
 */
const checkedFormats: readonly string[] = [
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'uri-template',
  'uuid',
  'json-pointer',
  'relative-json-pointer',
  'regex',
  'byte',
  'int32',
  'int64',
]

/** Formats of OpenAPI that leave no value out: they say how one is shown, sent or kept. */
const openFormats = ['binary', 'commonmark', 'decimal', 'double', 'float', 'html', 'password']

/** Formats that JSON Schema or OpenAPI's registry define, and nothing here checks. */
const otherFormats = [
  'base64url',
  'char',
  'date-time-local',
  'decimal128',
  'double-int',
  'http-date',
  'idn-email',
  'idn-hostname',
  'int16',
  'int8',
  'iri',
  'iri-reference',
  'media-range',
  'sf-binary',
  'sf-boolean',
  'sf-decimal',
  'sf-integer',
  'sf-string',
  'sf-token',
  'time-local',
  'uint16',
  'uint32',
  'uint64',
  'uint8',
]

/** Whether values are checked against a format. */
export const isCheckedFormat = (name: string): boolean => checked.has(name)

const checked = new Set(checkedFormats)

/** Why no value is checked against a format; null if values are, or there is nothing to check. */
export const uncheckedFormat = (name: string): string | null => {
  if (isCheckedFormat(name) || openFormats.includes(name)) return null
  const undefinedText = otherFormats.includes(name) ? '' : ', which neither OpenAPI nor JSON Schema defines'
  return `no value is checked against the format "${name}"${undefinedText}`
}

/** An offset is `Z`, or hours, a colon and minutes (RFC 3339, 5.6). Ajv takes `+0200` and `+02` as well. */
const endsInOffset = (text: string): boolean => /(?:z|[+-]\d\d:\d\d)$/i.test(text)

/** Those of ajv-formats, and times with offsets of RFC 3339 only. */
export const addFormats = (ajv: Ajv2020): void => {
  add(ajv, { formats: checkedFormats })
  for (const name of ['date-time', 'time']) {
    const format = ajv.formats[name]
    if (typeof format !== 'object' || format instanceof RegExp || typeof format.validate !== 'function')
      continue
    const validate = format.validate as (text: string) => boolean
    ajv.addFormat(name, {
      ...format,
      validate: (text: string) => endsInOffset(text) && validate(text),
    } as Parameters<Ajv2020['addFormat']>[1])
  }
}
