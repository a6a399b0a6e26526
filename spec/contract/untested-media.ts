import { takesMedia } from '../http/exchange.ts'
import type { DocumentNode } from '../json/follow-refs.ts'
import type { Place, Problem } from '../openapi/diagnostic.ts'
import { formatOf } from './body-format.ts'
import type { Media, Operation } from './operation.ts'

/** What is said of one media type for one reason, with the first place that it holds for. */
type Untested = { readonly text: string; readonly pointer: string; count: number }

/** The media types whose bodies are neither made nor judged, but for their type: one problem for each reason. */
export const untestedMedia = (
  operations: readonly Operation[],
  responses: DocumentNode,
  place: (pointer: string) => Place,
): readonly Problem[] => {
  const found = new Map<string, Untested>()
  const add = (media: Media, text: string): void => {
    const known = found.get(text)
    if (known === undefined) found.set(text, { text, pointer: media.pointer, count: 1 })
    else known.count += 1
  }
  for (const { body, responses: declared } of operations) {
    for (const media of body?.media ?? []) {
      const { format } = media.sentAs ?? media
      const reason = reasonOf(media, format)
      if (reason !== null) add(media, `the content of ${media.type} requests (${reason})`)
      for (const name of format.kind === 'form' ? format.unread : [])
        add(media, `the field ${name} of ${media.type} requests (no style can write it)`)
    }
    for (const media of declared.flatMap(response => response.media)) {
      // Where any type may come, JSON is judged.
      if (takesMedia(media.type, 'application/json')) continue
      const format = formatOf(responses, media.pointer, media.type)
      const reason = reasonOf(media, format)
      if (reason !== null) add(media, `the content of ${media.type} responses (${reason})`)
    }
  }
  return [...found.values()].map(({ text, pointer, count }) => ({
    message: `${text}${count === 1 ? '' : `, in ${count} places,`} is not tested`,
    place: place(pointer),
  }))
}

const reasonOf = ({ schema }: Media, format: Media['format']): string | null => {
  if (schema === null || format.kind === 'json') return null
  return format.kind === 'opaque' ? format.reason : null
}
