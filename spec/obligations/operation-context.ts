import type { ReadableFormat } from '../bodies/body-codec.ts'
import type { Contract, Media, Operation } from '../contract/contract.ts'
import { writtenAs } from '../contract/form-fields.ts'
import { isJsonMedia } from '../http/exchange.ts'
import type { Pointer } from '../json/pointer.ts'
import { possiblePlaces } from '../schema/closed.ts'
import { placesOf, type SchemaPlace } from '../schema/locations.ts'
import { bodyLocation, type ValueLocation } from './value-location.ts'

/** What the obligations of one operation are derived from. */
export type OperationContext = {
  readonly contract: Contract
  readonly operation: Operation
  /** The request body in JSON, or else in another format with values; null if the operation declares none with a schema. */
  readonly body: {
    /** `form`: in any format but JSON. */
    readonly in: 'body' | 'form'
    readonly format: ReadableFormat
    readonly media: Media
    readonly root: SchemaPlace
    readonly places: readonly SchemaPlace[]
  } | null
}

export const operationContext = (contract: Contract, operation: Operation): OperationContext => {
  const known = contexts.get(operation)
  if (known?.contract === contract) return known
  const context = { contract, operation, body: bodyContext(contract, operation) }
  contexts.set(operation, context)
  return context
}

// A mutant of the mock looks at it for each obligation with each request.
const contexts = new WeakMap<Operation, OperationContext>()

const bodyContext = (contract: Contract, operation: Operation): OperationContext['body'] => {
  const media = bodyMedia(operation)
  if (media?.schema == null || media.format.kind === 'opaque') return null
  const { format } = media
  const root = placesOf(contract.requests.document, media.schema)
  return { in: format.kind === 'json' ? 'body' : 'form', format, media, root, places: possiblePlaces(root) }
}

/** The first JSON media type with a schema. */
export const jsonMedia = (media: readonly Media[]): Media | null =>
  media.find(({ type, schema }) => schema !== null && isJsonMedia(type.split(';')[0] ?? '')) ?? null

/** The media type that bodies of an operation are generated in: JSON, else a form, else the first that has values; or null. A range is sent as a type in it. */
export const bodyMedia = ({ body }: Operation): Media | null => {
  const media = body?.media ?? []
  const json = jsonMedia(media)
  if (json !== null) return json
  const others = media.filter(isReadable)
  return (
    others.find(({ format }) => format.kind === 'form') ??
    others[0] ??
    media.find(({ sentAs }) => sentAs !== undefined && isReadable(sentAs))?.sentAs ??
    null
  )
}

/** Whether bodies of a media type can be made and judged. */
export const isReadable = ({ type, schema, format }: Media): boolean =>
  schema !== null && format.kind !== 'opaque' && !type.includes('*')

/** Where a place of the body is: in JSON, or in what has only texts. */
export const bodyLocationOf = (
  { format }: NonNullable<OperationContext['body']>,
  place: Pointer,
): ValueLocation => bodyLocation(place, writtenAs(format, place) === 'json' ? 'body' : 'form')
