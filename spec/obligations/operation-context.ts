import type { Contract, Media, Operation } from '../contract/contract.ts'
import { isJsonMedia } from '../http/exchange.ts'
import { listPlaces, placesOf, type SchemaPlace } from '../schema/locations.ts'

/** What the obligations of one operation are derived from. */
export type OperationContext = {
  readonly contract: Contract
  readonly operation: Operation
  /** The request body in JSON, or else as a form; null if the operation declares neither with a schema. */
  readonly body: {
    readonly in: 'body' | 'form'
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
  if (media?.schema == null) return null
  const root = placesOf(contract.requests.document, media.schema)
  return { in: media.form === null ? 'body' : 'form', media, root, places: listPlaces(root) }
}

/** The first JSON media type with a schema. */
export const jsonMedia = (media: readonly Media[]): Media | null =>
  media.find(({ type, schema }) => schema !== null && isJsonMedia(type.split(';')[0] ?? '')) ?? null

/** The media type that bodies of an operation are generated in: JSON, or else a form; null if it declares neither. */
export const bodyMedia = ({ body }: Operation): Media | null =>
  jsonMedia(body?.media ?? []) ?? body?.media.find(({ form }) => form !== null) ?? null
