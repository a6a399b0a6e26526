import { gzipSync } from 'node:zlib'
import {
  bodyMedia,
  type HttpRequest,
  header,
  isArray,
  isNumber,
  isObject,
  isReadable,
  type Json,
  malformedKinds,
  malformedKindsOf,
  mediaFor,
  numberText,
  type Operation,
  type ReadableFormat,
  readBody,
  step,
  writeBody,
  writeJson,
  writtenAs,
} from '../../spec/index.ts'
import type { Encoding, RequestSpec } from './case.ts'

const utf8 = new TextEncoder()

/** The body of a request as it goes over the wire, with the Content-Type that it needs; `bytes` null: no body at all. */
export const encodeBody = (
  operation: Operation,
  { body, encoding, contentType }: Pick<RequestSpec, 'body' | 'encoding' | 'contentType'>,
): { readonly bytes: Uint8Array | null; readonly contentType: string | null } => {
  const format = formatOf(operation, contentType)
  switch (encoding.kind) {
    case 'absent':
      return { bytes: null, contentType }
    case 'empty':
      return { ...writeBody(format, {}, { contentType }), bytes: new Uint8Array() }
    case 'text':
      return { bytes: utf8.encode(encoding.text), contentType }
    case 'malformed': {
      const own = malformedKindsOf(format).find(({ name }) => name === encoding.name)
      if (own !== undefined) {
        const written = writeBody(format, body ?? {}, { contentType })
        return { ...written, bytes: own.make(written.bytes) }
      }
      const kind = malformedKinds.find(({ name }) => name === encoding.name)
      if (kind === undefined) throw new Error(`no such kind of malformed body: ${encoding.name}`)
      return { bytes: kind.make(writeJson(body ?? {}), encoding.pick), contentType }
    }
    default: {
      if (body === undefined) return { bytes: null, contentType }
      if (format.kind === 'json' && encoding.kind !== 'part')
        return { bytes: encodeJson(body, encoding), contentType }
      const value = encoding.kind === 'layout' ? reversed(body) : body
      return writeBody(format, value, {
        contentType,
        change: encoding.kind === 'part' ? encoding.change : null,
      })
    }
  }
}

/** The format of a declared media type; of any other, that of the usual bodies. */
const formatOf = (operation: Operation, contentType: string | null): ReadableFormat => {
  const [declared] = mediaFor((operation.body?.media ?? []).filter(isReadable), contentType)
  const format = (declared ?? bodyMedia(operation))?.format
  return format === undefined || format.kind === 'opaque' ? { kind: 'json' } : format
}

/** The value in the body of a request of an operation; undefined if it cannot be read. */
export const decodeBody = (
  operation: Operation,
  { headers, body }: Pick<HttpRequest, 'headers' | 'body'>,
): Json | undefined => {
  if (body === null) return undefined
  const contentType = header(headers, 'content-type')
  const reading = readBody(formatOf(operation, contentType), body, contentType)
  return reading.ok ? reading.value : undefined
}

/** The same without files, of which no response shows the bytes. */
export const sentValue = (
  operation: Operation,
  request: Pick<HttpRequest, 'headers' | 'body'>,
): Json | undefined => {
  const value = decodeBody(operation, request)
  const format = formatOf(operation, header(request.headers, 'content-type'))
  return format.kind !== 'multipart' || !isObject(value)
    ? value
    : Object.fromEntries(
        Object.entries(value).filter(([name]) => writtenAs(format, step('', name)) !== 'binary'),
      )
}

/** The request with another value in its body. */
export const withBody = (operation: Operation, request: HttpRequest, body: Json): HttpRequest => ({
  ...request,
  body: encodeBody(operation, {
    body,
    encoding: { kind: 'json' },
    contentType: header(request.headers, 'content-type'),
  }).bytes,
})

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
  'short-escapes': (value: Json) =>
    write(value, { name: plain, text: text => plain(text).replaceAll('/', '\\/'), gap: '' }),
  'escaped-values': (value: Json) => write(value, { name: plain, text: escaped, gap: '' }),
}
