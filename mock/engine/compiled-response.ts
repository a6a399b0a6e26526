import {
  type BodyFormat,
  type Contract,
  type DeclaredResponse,
  formatOf,
  type Headers,
  type Json,
  type Media,
  type Parameter,
  placesOf,
  type SchemaPlace,
  sampleFile,
  type Validate,
  type WrittenBody,
  withRateLimit,
  writeBody,
  writeJson,
} from '../../spec/index.ts'
import { isJson, mediaOf } from '../media/negotiate.ts'
import { perObject } from '../memo.ts'
import type { Pace } from '../streams/pace.ts'
import type { Examples } from '../values/examples.ts'
import { withLikelyHeaders } from '../values/likely/likely-header.ts'
import type { PrismSample } from '../values/prism.ts'
import { isFieldValue, isFraming } from '../values/repaired.ts'

/** A response of the mock; it conforms to the contract unless a scenario or a mutant breaks it on purpose. */
export type MockResponse = {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
  /** Written after `body`, chunk by chunk, until it ends or the client disconnects. */
  readonly stream?: AsyncIterable<Uint8Array>
  /** The client has got it already. */
  readonly delivered?: true
  /** Of a stream of items: its body as a scenario wants it to come. */
  readonly paced?: (pace: Pace) => Promise<Pick<MockResponse, 'body' | 'stream'>>
}

/**
 * How delivery fails: the connection is reset at once; half of the body is sent; nothing is ever sent; or
 * `Content-Length` announces more bytes than follow.
 */
export type Fault = 'reset' | 'truncate' | 'hang' | 'wrong-length'

export const noBody: Uint8Array = new Uint8Array()

/** Statuses whose responses have no body and no Content-Length (RFC 9110, 15.3.5 and 15.4.5). */
export const isBodiless = (status: number): boolean => status === 204 || status === 304

/** The value of Content-Length; null: the response has none. */
export const contentLength = ({ status, body, stream }: MockResponse, fault: Fault | null): string | null =>
  isBodiless(status) || stream !== undefined
    ? null
    : String(fault === 'wrong-length' ? body.length + 10 : body.length)

/** The response with this header in the place of all others of its name; `value` null: without any. */
export const withHeader = (response: MockResponse, name: string, value: string | null): MockResponse => ({
  ...response,
  headers: [
    ...response.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase()),
    ...(value === null ? [] : [[name, value] as const]),
  ],
})

/** A declared response, compiled to be built. */
export type CompiledResponse = {
  readonly media: Media | null
  readonly isJson: boolean
  readonly format: BodyFormat | null
  readonly root: SchemaPlace | null
  readonly required: readonly string[]
  /** The properties that a response gets even if no value is known: all but those that the request could have sent. */
  readonly due: readonly string[]
  readonly validate: Validate | null
  /** The headers of a response that declares none. */
  readonly headers: Headers
}

export const compileResponse = (
  { responses: { document, schemas } }: Contract,
  declared: DeclaredResponse,
  sendable: ReadonlySet<string>,
): CompiledResponse => {
  const media = mediaOf(declared)
  const schema = media?.schema ?? null
  const root = schema === null ? null : placesOf(document, schema)
  const required = root?.required ?? []
  return {
    media,
    isJson: media !== null && isJson(media),
    format: media === null ? null : formatOf(document, media.pointer, media.type, true),
    root,
    required,
    due: [...new Set([...required, ...(root?.properties ?? []).filter(name => !sendable.has(name))])],
    validate: schema === null ? null : schemas.validator(schema),
    headers: media === null ? [] : [['Content-Type', media.type]],
  }
}

/** The names of the examples that the mock's response can be. */
export const exampleNames = (examples: Examples, declared: DeclaredResponse): readonly string[] => {
  const media = mediaOf(declared)
  return media === null ? [] : examples.names(media.pointer)
}

/** The headers of a sample; those that are well known by their grammar, where no example of the document says what they are. */
export const headersOf = (
  { contract, examples }: { readonly contract: Contract; readonly examples: Examples },
  declared: DeclaredResponse,
  status: number,
  sample: PrismSample,
  seed: string,
): Headers => {
  const { headers } = declared
  const lines = Object.entries(sample.headers).filter(
    ([name, value]) => headerOf(headers, name) !== undefined && isFieldValue(value) && !isFraming(name),
  )
  const isFree = (name: string, value: string): boolean => {
    const header = headerOf(headers, name)
    if (header === undefined || examples.named(header.pointer, null, null) !== undefined) return false
    if (header.schema === null) return true
    const { document, schemas } = contract.responses
    const place = placesOf(document, header.schema)
    return (
      place.types?.includes('string') === true &&
      place.schemas.every(schema => examples.ofSchema(schema) === undefined) &&
      schemas.validator(header.schema)(value).length === 0
    )
  }
  return withRateLimit(declared, status, withLikelyHeaders(lines, seed, cookieOf(contract), isFree))
}

const headerOf = (headers: readonly Parameter[], name: string): Parameter | undefined =>
  headers.find(each => each.name.toLowerCase() === name.toLowerCase())

/** The name of the cookie that requests have to have. */
const cookieOf = perObject(({ operations }: Contract): string => {
  for (const scheme of operations.flatMap(({ security }) => security.flat()))
    if (scheme.kind === 'apiKey' && scheme.in === 'cookie') return scheme.key
  return 'session'
})

/** The status of a declared response; for `4XX` and `default` it is `fallback` if that falls under them. */
export const statusOf = ({ status }: DeclaredResponse, fallback: number): number => {
  if (status === 'default') return fallback
  if (!/^\dXX$/.test(status)) return Number(status)
  return status[0] === String(fallback)[0] ? fallback : Number(status[0]) * 100
}

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
