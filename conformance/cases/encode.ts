import { gzipSync } from 'node:zlib'
import {
  isArray,
  isNumber,
  isObject,
  type Json,
  malformedKinds,
  numberText,
  type OperationContext,
  type Parameter,
  readForm,
  readJson,
  writeForm,
  writeJson,
} from '../../spec/index.ts'
import type { Encoding } from './case.ts'

const utf8 = new TextEncoder()

/** The bytes of a body, as JSON or as a form with these fields; null: the request has no body at all. */
export const encodeBody = (
  body: Json | undefined,
  encoding: Encoding,
  form: readonly Parameter[] | null,
): Uint8Array | null => {
  switch (encoding.kind) {
    case 'absent':
      return null
    case 'empty':
      return new Uint8Array()
    case 'text':
      return utf8.encode(encoding.text)
    case 'malformed': {
      const kind = malformedKinds.find(({ name }) => name === encoding.name)
      if (kind === undefined) throw new Error(`no such kind of malformed JSON: ${encoding.name}`)
      return kind.make(writeJson(body ?? {}), encoding.pick)
    }
    default:
      if (body === undefined) return null
      return form === null
        ? encodeJson(body, encoding)
        : utf8.encode(writeForm(form, encoding.kind === 'layout' ? reversed(body) : body))
  }
}

/** The value in the bytes of an operation's body; undefined if they cannot be read. */
export const decodeBody = (bytes: Uint8Array, body: OperationContext['body']): Json | undefined => {
  if (body?.media.form != null) return readForm(body.media.form, body.root, bytes)
  const reading = readJson(bytes)
  return reading.ok ? reading.value : undefined
}

const encodeJson = (
  body: Json,
  encoding: Extract<Encoding, { kind: 'json' | 'layout' | 'padded' | 'bom' | 'gzip' }>,
): Uint8Array => {
  const text = writeJson(body)
  switch (encoding.kind) {
    case 'json':
      return utf8.encode(text)
    case 'bom':
      return utf8.encode(`\ufeff${text}`)
    case 'gzip':
      return gzipSync(text)
    case 'padded':
      return utf8.encode(text + ' '.repeat(Math.max(0, encoding.bytes - utf8.encode(text).length)))
    case 'layout':
      return utf8.encode(
        encoding.layout === 'key-order' ? writeJson(reversed(body)) : layouts[encoding.layout](body),
      )
  }
}

const reversed = (value: Json): Json =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, item]) => [name, reversed(item)]),
      )
    : isArray(value)
      ? value.map(reversed)
      : value

type Style = {
  readonly name: (text: string) => string
  readonly text: (text: string) => string
  readonly gap: string
}

const write = (value: Json, style: Style): string => {
  const { gap } = style
  if (typeof value === 'string') return style.text(value)
  if (isNumber(value)) return numberText(value)
  if (isArray(value)) return `[${gap}${value.map(item => write(item, style)).join(`${gap},${gap}`)}${gap}]`
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([name, item]) => `${style.name(name)}${gap}:${gap}${write(item, style)}`,
    )
    return `{${gap}${members.join(`${gap},${gap}`)}${gap}}`
  }
  return String(value)
}

const escaped = (text: string): string =>
  `"${Array.from({ length: text.length }, (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')}"`

const plain = (text: string): string => JSON.stringify(text)
const space = ' \n\t\r '

const layouts = {
  whitespace: (value: Json) => `${space}${write(value, { name: plain, text: plain, gap: space })}${space}`,
  'escaped-names': (value: Json) => write(value, { name: escaped, text: plain, gap: '' }),
  'escaped-values': (value: Json) => write(value, { name: plain, text: escaped, gap: '' }),
}
