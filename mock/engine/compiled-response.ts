import {
  type BodyFormat,
  type Contract,
  type DeclaredResponse,
  formatOf,
  type Headers,
  type Media,
  placesOf,
  type SchemaPlace,
  type Validate,
} from '../../spec/index.ts'
import { isJson, mediaOf } from '../media/offers.ts'
import type { Examples } from '../values/examples.ts'
import { isFieldValue, isFraming } from '../values/mended.ts'
import type { PrismSample } from '../values/prism.ts'

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
    format: media === null ? null : formatOf(document, media.pointer, media.type),
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

export const headersOf = (declared: DeclaredResponse, sample: PrismSample): Headers =>
  Object.entries(sample.headers).flatMap(([name, value]) =>
    declared.headers.some(header => header.name.toLowerCase() === name.toLowerCase()) &&
    isFieldValue(value) &&
    !isFraming(name)
      ? [[name, value] as const]
      : [],
  )

/** The status of a declared response; for `4XX` and `default` it is `fallback` if that falls under them. */
export const statusOf = ({ status }: DeclaredResponse, fallback: number): number => {
  if (status === 'default') return fallback
  if (!/^\dXX$/.test(status)) return Number(status)
  return status[0] === String(fallback)[0] ? fallback : Number(status[0]) * 100
}
