import {
  type Contract,
  type Headers,
  jsonMedia,
  type Media,
  placesOf,
  type ResponseClause,
  type SchemaPlace,
  type Validate,
} from '../spec/index.ts'
import type { Sample } from './prism.ts'

/** A response clause, ready to be answered. */
export type CompiledClause = {
  readonly media: Media | null
  readonly isJson: boolean
  readonly root: SchemaPlace | null
  readonly required: readonly string[]
  /** The properties that an answer has whether they are known or not: all but those that could have been sent and were not. */
  readonly due: readonly string[]
  readonly validate: Validate | null
  /** Of an answer that has none but those of its body. */
  readonly headers: Headers
}

export const compileClause = (
  { document, schemas }: Contract,
  clause: ResponseClause,
  sendable: ReadonlySet<string>,
): CompiledClause => {
  const media = mediaOf(clause)
  const schema = media?.schema ?? null
  const root = schema === null ? null : placesOf(document, schema)
  const required = root?.required ?? []
  return {
    media,
    isJson: media !== null && media === jsonMedia(clause.media),
    root,
    required,
    due: [...new Set([...required, ...(root?.properties ?? []).filter(name => !sendable.has(name))])],
    validate: schema === null ? null : schemas.validator(schema),
    headers: media === null ? [] : [['Content-Type', media.type]],
  }
}

/** The media type that a clause is answered in: the first JSON one, or else the first. */
export const mediaOf = ({ media }: ResponseClause): Media | null => jsonMedia(media) ?? media[0] ?? null

// What a header line cannot carry would end the answer.
export const headersOf = (clause: ResponseClause, sample: Sample): Headers =>
  Object.entries(sample.headers).flatMap(([name, value]) =>
    clause.headers.some(header => header.name.toLowerCase() === name.toLowerCase()) &&
    /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
      ? [[name, value] as const]
      : [],
  )
