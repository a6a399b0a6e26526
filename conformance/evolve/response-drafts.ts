import {
  bodyLocation,
  type DeclaredResponse,
  formatOf,
  isShown,
  type Json,
  locationText,
  type Media,
  mediaFor,
  type Parameter,
  type Pointer,
  placesOf,
  type ReadableFormat,
  type ValueLocation,
  writeParameter,
} from '../../spec/index.ts'
import { validValue } from '../cases/valid-value.ts'
import type { Notes, Pair } from './counterexample.ts'
import { hasSameSchema, valueCounterexamples } from './value-counterexamples.ts'

/** A response before it is written. */
export type Draft = {
  readonly status: number
  readonly media: Media | null
  readonly body: Json | undefined
  readonly headers: Readonly<Record<string, string>>
  /** See `ValueApart`. */
  readonly origin?: string | null
}

/** The responses of `from` with a status that may show a difference. */
export function* draftsOf(
  pair: Pair,
  status: number,
  declared: DeclaredResponse,
  other: DeclaredResponse | null,
  { undecided, shared }: Notes,
): Iterable<Draft> {
  const { from, responses: sides } = pair
  const isBodiless = from.operation.method === 'HEAD' || declared.media.length === 0
  const headers = Object.fromEntries(
    declared.headers.filter(({ required }) => required).map(each => [each.name, plainHeader(pair, each)]),
  )
  const draftOf = (media: Media | null): Draft => ({
    status,
    media,
    body: media?.schema == null ? undefined : plainBody(pair, media.schema),
    headers,
  })
  const all: readonly (Media | null)[] = isBodiless ? [null] : declared.media
  // Of a large contract most responses have changed in their schemas alone.
  const [first = null, ...rest] = all.filter(media => other === null || !isTaken(other, media))
  if (first !== null || all.includes(null) || hasOtherHeaders(pair, declared, other))
    yield draftOf(first ?? all[0] ?? null)
  for (const media of rest) yield draftOf(media)
  if (other === null) return
  for (const each of declared.headers) {
    const same = other.headers.find(({ name }) => name.toLowerCase() === each.name.toLowerCase())
    if (same?.schema == null || each.schema === null || sides.isSame(each.pointer, same.pointer)) continue
    const found = valueCounterexamples(sides, each.schema, same.schema)
    undecided.push(
      ...found.undecided.map(({ reason }) => ({ subject: `the header ${each.name} of ${status}`, reason })),
    )
    shared.push(...found.shared)
    const root = placesOf(from.contract.responses.document, each.schema)
    for (const { value, origin } of found.values.filter(({ value }) => isShown(each, root, value)))
      yield { ...draftOf(all[0] ?? null), headers: { ...headers, [each.name]: written(each, value) }, origin }
  }
  if (isBodiless || other.media.length === 0) return
  for (const media of declared.media) {
    const same = sameMedia(other.media, media.type)
    if (media.schema === null || same?.schema == null || sides.isSame(media.pointer, same.pointer)) continue
    const subject = `the ${status} response in ${media.type}`
    if (readable(pair, media) === null) {
      // Often the same schema in another media type has shown it.
      const isShown = declared.media.some(
        each => readable(pair, each) !== null && hasSameSchema(sides.from, each, media),
      )
      if (isShown) continue
      undecided.push({ subject, reason: 'bodies of this media type are not judged' })
      continue
    }
    const found = valueCounterexamples(sides, media.schema, same.schema)
    undecided.push(
      ...found.undecided.map(({ place, reason }) => ({ subject: bodyPlace(subject, place), reason })),
    )
    shared.push(...found.shared)
    for (const { value, origin } of found.values) yield { status, media, body: value, headers, origin }
  }
}

const isTaken = ({ media }: DeclaredResponse, sent: Media | null): boolean =>
  sent !== null && sameMedia(media, sent.type) !== null

const hasOtherHeaders = (
  { responses: { isSame } }: Pair,
  { headers }: DeclaredResponse,
  other: DeclaredResponse | null,
): boolean =>
  other === null ||
  other.headers.some(each => {
    const same = headers.find(({ name }) => name.toLowerCase() === each.name.toLowerCase())
    return same === undefined || !isSame(same.pointer, each.pointer)
  })

const sameMedia = (media: readonly Media[], type: string): Media | null =>
  media.find(each => each.type === type) ?? mediaFor(media, type)[0] ?? null

const plainBody = ({ from }: Pair, schema: Pointer): Json =>
  validValue(
    { requests: from.contract.responses },
    placesOf(from.contract.responses.document, schema),
    null,
    'a',
  )

const plainHeader = (pair: Pair, parameter: Parameter): string =>
  written(parameter, parameter.schema === null ? 'a' : plainBody(pair, parameter.schema))

const written = (parameter: Parameter, value: Json): string => writeParameter(parameter, value).header ?? ''

/** How a body of a response is written; null if such bodies are not judged. */
export const readable = ({ from }: Pair, media: Media): ReadableFormat | null => {
  const format = formatOf(from.contract.responses.document, media.pointer, media.type)
  return format.kind === 'json' || format.kind === 'text' || format.kind === 'xml' ? format : null
}

/** «`name` must have at least 1 character», for what the judges say with a pointer. */
export const valueReason = (at: ValueLocation, message: string): string => {
  const told = [at.place, `the ${at.in} parameter ${at.name}${at.place}`].find(
    each => each !== '' && message.startsWith(`${each} `),
  )
  return told === undefined ? message : `${locationText(at)}${message.slice(told.length)}`
}

/** A place in a body: «`name` in its body». */
export const bodyPlace = (body: string, place: Pointer): string =>
  place === '' ? body : `${locationText(bodyLocation(place))} in ${body}`
