import {
  type BodyFormat,
  bodyMedia,
  type Contract,
  fillToken,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type Operation,
  type Parameter,
  parseJson,
  placesOf,
  scalarText,
  writeBody,
  writeRequestHead,
} from '../../../spec/index.ts'
import type { MockRequest } from '../../engine/request.ts'
import type {
  EditableRequest,
  ExchangeDetails,
  FieldInput,
  FieldTexts,
  HeaderPairs,
  Upload,
} from '../messages.ts'

/** A request before it is written. Absent parameters are not sent. */
export type RequestSpec = {
  readonly parameters: JsonObject
  readonly body: Json | undefined
  /** Sent as it is, instead of `body`. */
  readonly text?: string
  /** Instead of the declared content type; null: none. */
  readonly contentType?: string | null
  /** Instead of valid ones: values of the Authorization header, or of the API key. */
  readonly credentials?: readonly string[]
}

/** Writes a request, with a placeholder for its token. */
export const writeSample = (operation: Operation, spec: RequestSpec): EditableRequest => {
  const media = bodyMedia(operation) ?? operation.body?.media[0] ?? null
  const usual = media?.type.replace(/\/\*.*|^\*/, '/json').replace(/^\//, 'application/') ?? null
  const format = media === null || media.format.kind === 'opaque' ? { kind: 'json' as const } : media.format
  const contentType = spec.contentType === undefined ? usual : spec.contentType
  const written = spec.body === undefined ? null : writeBody(format, spec.body, { contentType })
  const text = spec.text ?? (written === null ? null : new TextDecoder().decode(written.bytes))
  const head = writeRequestHead(operation, {
    path: operation.path,
    parameters: spec.parameters,
    contentType:
      text === null && spec.contentType === undefined ? null : (written?.contentType ?? contentType),
    credentials: spec.credentials ?? null,
    extra: [],
  })
  return { ...head, body: text, fields: fieldTexts(spec.parameters) }
}

/** The request as the engine receives it, with this token. */
export const requestOf = (
  method: string,
  written: Pick<EditableRequest, 'target' | 'headers' | 'body'>,
  token: string,
): MockRequest => ({
  method,
  target: fillToken(written.target, encodeURIComponent(token)),
  headers: written.headers.map(([name, value]) => [name, fillToken(value, token)]),
  body: written.body === null ? null : new TextEncoder().encode(written.body),
  tooLarge: false,
  connection: written,
})

/** How people fill in a value in the form: by its schema. */
export const inputOf = (
  { requests }: Contract,
  { schema, content }: Pick<Parameter, 'schema' | 'content'>,
): FieldInput => {
  if (content !== null) return plainInput('json')
  if (schema === null) return plainInput('text')
  const { readAs, keywords } = placesOf(requests.document, schema)
  const listed = keywords.find(({ keyword }) => keyword === 'enum')?.value as readonly Json[] | undefined
  if (listed !== undefined) return { kind: 'choice', options: listed.map(scalarText) }
  if (readAs?.includes('array')) return plainInput('lines')
  if (readAs?.includes('object')) return plainInput('json')
  if (readAs?.every(type => type === 'boolean' || type === 'null')) return plainInput('boolean')
  return plainInput(readAs?.every(isNumeric) ? 'number' : 'text')
}

const isNumeric = (type: string): boolean => type === 'integer' || type === 'number' || type === 'null'

const plainInput = (kind: FieldInput['kind']): FieldInput => ({ kind, options: [] })

/** What the form shows of values: a list has one item a line, and an object is JSON. */
export const fieldTexts = (values: JsonObject): FieldTexts =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isArray(value) && !value.some(item => isArray(item) || isObject(item))
        ? value.map(scalarText).join('\n')
        : scalarText(value),
    ]),
  )

/** The values of the parameters in path and query that a scenario can compare; null: there are none. */
export const likeOf = ({ parameters }: Operation, values: JsonObject): ExchangeDetails['like'] => {
  const valuesIn = (part: 'path' | 'query') => {
    const named = parameters.flatMap(({ name, in: place }) => {
      const value = values[name]
      const isPlain = value !== undefined && !isArray(value) && !isObject(value)
      return place === part && isPlain ? [[name, scalarText(value)] as const] : []
    })
    return named.length === 0 ? {} : { [part]: Object.fromEntries(named) }
  }
  const like = { ...valuesIn('path'), ...valuesIn('query') }
  return Object.keys(like).length === 0 ? null : like
}

/** The target, and the headers and cookies that are parameters, of a request with these values; empty ones are not sent. */
export const filledHead = (
  contract: Contract,
  operation: Operation,
  texts: FieldTexts,
): { readonly target: string; readonly headers: HeaderPairs } => {
  const parameters = Object.fromEntries(
    operation.parameters.flatMap(parameter => {
      const text = texts[parameter.name] ?? ''
      return text === '' ? [] : [[parameter.name, valueIn(inputOf(contract, parameter), text)] as const]
    }),
  )
  const head = writeRequestHead(operation, {
    path: operation.path,
    parameters,
    contentType: null,
    credentials: null,
    extra: [],
  })
  const names = new Set(operation.parameters.map(headerOf))
  return { target: head.target, headers: head.headers.filter(([name]) => names.has(name)) }
}

/** The header that a parameter is a part of; null: none. */
const headerOf = ({ in: part, name }: Parameter): string | null =>
  part === 'header' ? name : part === 'cookie' ? 'Cookie' : null

// In a path, a query or a header a number is a text.
const valueIn = ({ kind }: FieldInput, text: string): Json => {
  if (kind === 'lines') return text.split('\n').filter(Boolean)
  if (kind !== 'json') return text
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

/** How files become a part of a body; null: there are none in it. */
export const uploadOf = (format: BodyFormat): Upload | null => {
  if (isFile(format)) return { kind: 'file' }
  if (format.kind !== 'multipart' || !format.parts.some(part => isFile(part.format))) return null
  return {
    kind: 'parts',
    parts: format.parts.map(({ name, isList, contentType, format }) => ({
      name,
      isFile: isFile(format),
      isList,
      contentType: isFile(format) ? null : contentType,
    })),
  }
}

const isFile = ({ kind }: BodyFormat): boolean => kind === 'binary' || kind === 'opaque'
