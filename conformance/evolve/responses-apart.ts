import {
  bodyLocation,
  type DeclaredResponse,
  formatOf,
  type HttpResponse,
  type Json,
  type Media,
  mediaType,
  type Parameter,
  type Pointer,
  placesOf,
  type ReadableFormat,
  type ResponseViolation,
  responseFor,
  takesMedia,
  writeBody,
  writeJson,
  writeParameter,
} from '../../spec/index.ts'
import { validValue } from '../cases/valid-value.ts'
import { shrink } from '../confirm/shrink.ts'
import type { Apart, Search, Undecided } from './apart.ts'
import { bodyPlace, valueReason } from './reason.ts'
import type { Pair } from './side.ts'
import { isSentBy, valuesApart } from './values-apart.ts'

/** A response before it is written. */
type Draft = {
  readonly status: number
  readonly media: Media | null
  readonly body: Json | undefined
  readonly headers: Readonly<Record<string, string>>
  /** See `ValueApart`. */
  readonly origin?: string | null
}

type Judged = { readonly draft: Draft; readonly violations: readonly ResponseViolation[] }

/** The responses that `from` allows and `to` does not, one for each requirement of `to`. */
export const responsesApart = async (pair: Pair): Promise<Search> => {
  const { from, to } = pair
  const undecided: Undecided[] = []
  const shared: string[] = []
  if (from.operation.responses.length === 0 || to.operation.responses.length === 0)
    return { apart: [], undecided, shared }
  const found: Apart[] = []
  for (const status of statusesOf(pair)) {
    const declared = responseFor(from.operation, status)
    const other = responseFor(to.operation, status)
    if (declared === null || isSameResponse(pair, declared, other)) continue
    const best = new Map<string, Judged>()
    for (const draft of draftsOf(pair, status, declared, other, { undecided, shared })) {
      const judged = judge(pair, draft)
      for (const { id } of judged?.violations ?? []) {
        const known = best.get(id)
        if (judged !== null && (known === undefined || sizeOf(judged) < sizeOf(known)))
          best.set(id, {
            ...judged,
            draft: { ...draft, origin: known?.draft.origin ?? draft.origin ?? null },
          })
      }
    }
    for (const [id, judged] of best) found.push(apartOf(id, await smallest(pair, id, judged)))
  }
  return { apart: found, undecided, shared }
}

const isSameResponse = (
  { responses: { isSame } }: Pair,
  declared: DeclaredResponse,
  other: DeclaredResponse | null,
): boolean => other !== null && isSame(declared.pointer, other.pointer)

/** Every status that one of the documents names, and one for each range and `default`. */
const statusesOf = ({ from, to }: Pair): readonly number[] => {
  const all = [...from.operation.responses, ...to.operation.responses].map(({ status }) => status)
  const exact = all.filter(status => /^\d+$/.test(status)).map(Number)
  const free = (start: number, end: number): readonly number[] => {
    for (let status = start; status < end; status++) if (!exact.includes(status)) return [status]
    return []
  }
  const ranges = all.flatMap(status => {
    const first = /^(\d)XX$/.exec(status)?.[1]
    return first === undefined ? [] : free(Number(first) * 100, Number(first) * 100 + 100)
  })
  const rest = all.includes('default') ? free(500, 600) : []
  return [...new Set([...exact, ...ranges, ...rest])].sort((left, right) => left - right)
}

function* draftsOf(
  pair: Pair,
  status: number,
  declared: DeclaredResponse,
  other: DeclaredResponse | null,
  { undecided, shared }: { readonly undecided: Undecided[]; readonly shared: string[] },
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
    const found = valuesApart(sides, each.schema, same.schema)
    undecided.push(
      ...found.undecided.map(({ reason }) => ({ subject: `the header ${each.name} of ${status}`, reason })),
    )
    shared.push(...found.shared)
    for (const { value, origin } of found.values)
      yield { ...draftOf(all[0] ?? null), headers: { ...headers, [each.name]: written(each, value) }, origin }
  }
  if (isBodiless || other.media.length === 0) return
  for (const media of declared.media) {
    const same = mediaFor(other.media, media.type)
    if (media.schema === null || same?.schema == null || sides.isSame(media.pointer, same.pointer)) continue
    const subject = `the ${status} response in ${media.type}`
    if (readable(pair, media) === null) {
      undecided.push({ subject, reason: 'bodies of this media type are not judged' })
      continue
    }
    const found = valuesApart(sides, media.schema, same.schema)
    undecided.push(
      ...found.undecided.map(({ place, reason }) => ({ subject: bodyPlace(subject, place), reason })),
    )
    shared.push(...found.shared)
    for (const { value, origin } of found.values) yield { status, media, body: value, headers, origin }
  }
}

const isTaken = ({ media }: DeclaredResponse, sent: Media | null): boolean =>
  sent !== null && mediaFor(media, sent.type) !== null

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

const mediaFor = (media: readonly Media[], type: string): Media | null =>
  media.find(each => each.type === type) ??
  media.find(each => takesMedia(each.type, mediaType(type) ?? '')) ??
  null

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
const readable = ({ from }: Pair, media: Media): ReadableFormat | null => {
  const format = formatOf(from.contract.responses.document, media.pointer, media.type)
  return format.kind === 'json' || format.kind === 'text' || format.kind === 'xml' ? format : null
}

const judge = (pair: Pair, draft: Draft): Judged | null => {
  const { from, to } = pair
  const { media, body } = draft
  if (media?.schema != null && body !== undefined && !isSentBy(pair.responses.from, media.schema, body))
    return null
  const response = responseOf(pair, draft)
  return from.model().judgeResponse(response, undefined).length > 0
    ? null
    : { draft, violations: to.model().judgeResponse(response, undefined) }
}

const responseOf = (pair: Pair, { status, media, body, headers }: Draft): HttpResponse => {
  const type = media === null ? null : media.type.replace('*/*', 'application/json').replace('/*', '/plain')
  const format = media === null ? null : readable(pair, media)
  const bytes =
    format === null || body === undefined ? null : writeBody(format, body, { contentType: type }).bytes
  return {
    status,
    headers: [...(type === null ? [] : [['Content-Type', type] as const]), ...Object.entries(headers)],
    body: bytes ?? new Uint8Array(),
  }
}

const sizeOf = ({ violations, draft: { body } }: Judged): number =>
  violations.length * 1e6 + (body === undefined ? 0 : writeJson(body).length)

/** The smallest response for which both judges keep their word. */
const smallest = async (pair: Pair, id: string, judged: Judged): Promise<Judged> => {
  const { draft } = judged
  const shrunk = await shrink<{ body: Json | undefined; judged: Judged }>(
    { body: draft.body, judged },
    async body => {
      const next = judge(pair, { ...draft, body })
      return next?.violations.some(each => each.id === id) === true &&
        next.violations.length <= judged.violations.length
        ? { body, judged: next }
        : null
    },
    mostTries,
  )
  return shrunk.judged
}

const mostTries = 200

const apartOf = (id: string, { draft, violations }: Judged): Apart => {
  const [rest, own] = [violations.filter(each => each.id !== id), violations.filter(each => each.id === id)]
  const reasons = [...own, ...rest].map(reasonOf)
  const { status, body, headers, media } = draft
  const name = id.split('/headers/')[1]
  const header = Object.entries(headers).find(([each]) => each.toLowerCase() === name)
  return {
    part: 'response',
    status,
    requirement: id,
    at: id.includes('/body') ? bodyLocation('') : null,
    reason: reasons[0] ?? '',
    witness:
      header !== undefined
        ? `${status}, ${header.join(': ')}`
        : id.includes('/body') && body !== undefined
          ? writeJson(body)
          : `${status}${media === null ? '' : `, ${media.type}`}`,
    schema: media?.schema ?? null,
    origin: draft.origin ?? null,
    violated: reasons,
  }
}

const reasonOf = ({ expected }: ResponseViolation): string => {
  const [, place] = /^(\/\S*) /.exec(expected) ?? []
  return place === undefined ? expected : valueReason(bodyLocation(place), expected)
}
