import { formatOf } from '../contract/body-format.ts'
import type { BodyFormat, Contract, DeclaredResponse, Media } from '../contract/contract.ts'
import { isJsonMedia, mediaType } from '../http/exchange.ts'
import { placesOf, type SchemaPlace } from '../schema/locations.ts'
import { jsonMedia } from './operation-context.ts'

/** A media type of a response whose bodies are judged by its schema. */
export type JudgedMedia = {
  readonly media: Media
  readonly format: Extract<BodyFormat, { kind: 'json' | 'text' | 'xml' }>
  readonly root: SchemaPlace
}

/**
 * The media types by whose schema the bodies of a response are judged: the first in JSON, else the first in XML or text, from which
 * its obligations are derived; and those in XML or text with the same schema. Null: none.
 */
export const judgedMedia = (
  { responses: { document } }: Contract,
  { media }: Pick<DeclaredResponse, 'media'>,
): { readonly first: JudgedMedia; readonly others: readonly JudgedMedia[] } | null => {
  const json = jsonMedia(media)
  const judged = media.flatMap((each): readonly JudgedMedia[] => {
    if (each.schema === null || (each !== json && isJson(each)) || each.type.includes('*')) return []
    const format = formatOf(document, each.pointer, each.type)
    return format.kind === 'json' || format.kind === 'text' || format.kind === 'xml'
      ? [{ media: each, format, root: placesOf(document, each.schema) }]
      : []
  })
  const first = judged.find(each => each.media === json) ?? judged[0]
  return first === undefined
    ? null
    : { first, others: judged.filter(each => each !== first && each.root === first.root) }
}

const isJson = ({ type }: Media): boolean => isJsonMedia(mediaType(type) ?? '')
