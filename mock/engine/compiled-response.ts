import {
  type BodyFormat,
  type Contract,
  type DeclaredResponse,
  formatOf,
  type Headers,
  type Media,
  type Parameter,
  placesOf,
  type SchemaPlace,
  type Validate,
  withRateLimit,
} from '../../spec/index.ts'
import { isJson, mediaOf } from '../media/offers.ts'
import { perObject } from '../per-object.ts'
import type { Examples } from '../values/examples.ts'
import { withLikelyHeaders } from '../values/likely/likely-header.ts'
import type { PrismSample } from '../values/prism.ts'
import { isFieldValue, isFraming } from '../values/repaired.ts'

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
