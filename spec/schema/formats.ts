import type { Ajv2020 } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'

const add = formatsPlugin as unknown as (
  ajv: Ajv2020,
  options: { readonly formats: readonly string[] },
) => void

const { get: formatOf } = formatsPlugin as unknown as { readonly get: (name: string) => AnyFormat }

type Test = (text: string) => boolean
type AnyFormat = RegExp | Test | { readonly type?: string; readonly validate: RegExp | Test }

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

/** Integers of OpenAPI's registry, some of which only a text can carry: a string of such a format has one in decimal digits. */
const integerFormat = /^(u?)int(?:8|16|32|64)$/

/** A pattern for the texts of a format of integers; null if it is none. No text is rejected for it: it chooses among valid ones. */
export const digitsOf = (format: unknown): RegExp | null => {
  const [, unsigned] = typeof format === 'string' ? (integerFormat.exec(format) ?? []) : []
  if (unsigned === undefined) return null
  return unsigned === 'u' ? /^(?:0|[1-9]\d{0,8})$/ : /^(?:0|-?[1-9]\d{0,8})$/
}

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

const withOffset: readonly string[] = ['date-time', 'time']

/** Those of ajv-formats, and times with offsets of RFC 3339 only. */
export const addFormats = (ajv: Ajv2020): void => {
  add(ajv, { formats: checkedFormats })
  for (const name of withOffset) {
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

/** Whether a text is in a format, without Ajv: the same as `addFormats` has it judge. A format that is not checked takes any text. */
export const textFormat = (name: string): Test => {
  if (!isCheckedFormat(name)) return () => true
  const format = formatOf(name)
  const { type = 'string', validate } =
    format instanceof RegExp || typeof format === 'function' ? { validate: format } : format
  if (type !== 'string') return () => true
  const test: Test = text => (validate instanceof RegExp ? validate.test(text) : Boolean(validate(text)))
  return withOffset.includes(name) ? text => endsInOffset(text) && test(text) : test
}
