import type { Contract, Media, Operation, Parameter } from '../contract.ts'
import { isJsonMedia } from '../exchange.ts'
import type { Family, Level } from '../obligation.ts'
import { listPlaces, placesOf, type SchemaPlace } from '../places.ts'
import { type Pointer, steps } from '../pointer.ts'
import { isOfBody, type Subject, type Where } from '../subject.ts'

/** An obligation before it has its operation's name and its place in a file. */
export type Draft = {
  readonly path: string
  readonly family: Family
  readonly level: Level
  readonly promise: string
  readonly pointer: Pointer
  /** The RFC section it rests on, beside the document. */
  readonly rfc?: string
  readonly subject: Subject
}

/** What the obligations of one operation are derived from. */
export type Context = {
  readonly contract: Contract
  readonly operation: Operation
  /** The JSON media type of the request body with a schema, or else its form. */
  readonly body: {
    readonly in: 'body' | 'form'
    readonly media: Media
    readonly root: SchemaPlace
    readonly places: readonly SchemaPlace[]
  } | null
}

export const contextOf = (contract: Contract, operation: Operation): Context => ({
  contract,
  operation,
  body: bodyContext(contract, operation),
})

const bodyContext = (contract: Contract, operation: Operation): Context['body'] => {
  const media = bodyMedia(operation)
  if (media?.schema == null) return null
  const root = placesOf(contract.document, media.schema)
  return { in: media.form === null ? 'body' : 'form', media, root, places: listPlaces(root) }
}

/** The first JSON media type with a schema. */
export const jsonMedia = (media: readonly Media[]): Media | null =>
  media.find(({ type, schema }) => schema !== null && isJsonMedia(type.split(';')[0] ?? '')) ?? null

/** The media type that an operation's bodies are generated in: JSON, or else a form; null where it has neither. */
export const bodyMedia = ({ body }: Operation): Media | null =>
  jsonMedia(body?.media ?? []) ?? body?.media.find(({ form }) => form !== null) ?? null

/** `request/body/owner/name` of a place in the body, `request/query/limit` of a parameter. */
export const wherePath = (where: Where): string =>
  [
    'request',
    ...(isOfBody(where) ? ['body'] : [where.in, where.name]),
    ...(where.place === '' ? [] : [where.place.slice(1)]),
  ].join('/')

/** How a place is spoken of: `id` in the body, the query parameter `limit`. */
export const whereName = (where: Where): string => {
  const inside = steps(where.place).join('.').replaceAll('.*', '[]')
  if (isOfBody(where)) return inside === '' ? 'the body' : `\`${inside}\``
  return `the ${where.in} parameter \`${where.name}\`${inside === '' ? '' : ` (${inside})`}`
}

export const bodyWhere = (place: Pointer, part: 'body' | 'form' = 'body'): Where => ({
  in: part,
  name: '',
  place,
})

export const parameterWhere = (parameter: Parameter, place: Pointer = ''): Where => ({
  in: parameter.in,
  name: parameter.name,
  place,
})
