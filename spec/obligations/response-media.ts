import type { BodyFormat, Contract, DeclaredResponse, Media } from '../contract/contract.ts'
import { formatOf } from '../contract/form-fields.ts'
import { isJsonMedia, mediaType, takesMedia } from '../http/exchange.ts'
import { type StreamKind, streamKindOf } from '../http/stream-kind.ts'
import { type Pointer, step, valueAt } from '../json/pointer.ts'
import { placesOf, type SchemaPlace } from '../schema/locations.ts'
import { jsonMedia } from './operation-context.ts'

/** A media type of a response whose bodies are judged by its schema. */
export type JudgedMedia = {
  readonly media: Media
  readonly format: Extract<BodyFormat, { kind: 'json' | 'text' | 'xml' | 'form' | 'multipart' }>
  readonly root: SchemaPlace
}

/**
 * The media types by whose schema the bodies of a response are judged: the first in JSON, else a range that takes JSON, else the first
 * in another format that is read, from which its obligations are derived; and others with the same schema. Null: none.
 */
export const judgedMedia = (
  { responses: { document } }: Contract,
  { media }: Pick<DeclaredResponse, 'media'>,
): { readonly first: JudgedMedia; readonly others: readonly JudgedMedia[] } | null => {
  const json = jsonMedia(media)
  const judged = media.flatMap((each): readonly JudgedMedia[] => {
    if (each.schema === null || (each !== json && isJson(each))) return []
    const root = placesOf(document, each.schema)
    if (isRange(each))
      return takesMedia(each.type, 'application/json')
        ? [{ media: each, format: { kind: 'json' }, root }]
        : []
    const format = formatOf(document, each.pointer, each.type)
    return format.kind === 'opaque' || format.kind === 'binary' ? [] : [{ media: each, format, root }]
  })
  const first =
    judged.find(each => each.media === json) ?? judged.find(({ media: each }) => isRange(each)) ?? judged[0]
  return first === undefined
    ? null
    : { first, others: judged.filter(each => each !== first && each.root === first.root) }
}

/** A media type of a response that is a stream, the schema of whose items is declared. */
export type StreamMedia = { readonly media: Media; readonly kind: StreamKind; readonly items: Pointer }

export const streamMedia = (
  { responses: { document } }: Contract,
  { media }: Pick<DeclaredResponse, 'media'>,
): readonly StreamMedia[] =>
  media.flatMap(each => {
    const kind = streamKindOf(each.type)
    const items = step(each.pointer, 'itemSchema')
    return kind === null || valueAt(document, items) === undefined ? [] : [{ media: each, kind, items }]
  })

// `*/*`, `application/*`: the bodies that are JSON are judged.
export const isRange = ({ type }: Media): boolean => type.includes('*')

const isJson = ({ type }: Media): boolean => isJsonMedia(mediaType(type) ?? '')
