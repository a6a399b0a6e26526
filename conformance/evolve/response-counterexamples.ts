import {
  bodyLocation,
  type DeclaredResponse,
  type HttpResponse,
  type Json,
  type ObligationId,
  type ResponseViolation,
  responseFor,
  writeBody,
  writeJson,
} from '../../spec/index.ts'
import { shrink } from '../confirm/shrink.ts'
import type { Counterexample, Pair, Search, Undecided } from './counterexample.ts'
import { type Draft, draftsOf, readable, valueReason } from './response-drafts.ts'
import { isSentBy } from './value-counterexamples.ts'

type Judged = { readonly draft: Draft; readonly violations: readonly ResponseViolation[] }

/** The responses that `from` allows and `to` does not, one for each requirement of `to`. */
export const responseCounterexamples = async (pair: Pair): Promise<Search> => {
  const { from, to } = pair
  const undecided: Undecided[] = []
  const shared: string[] = []
  if (from.operation.responses.length === 0 || to.operation.responses.length === 0)
    return { counterexample: [], undecided, shared }
  const found: Counterexample[] = []
  for (const status of statusesOf(pair)) {
    const declared = responseFor(from.operation, status)
    const other = responseFor(to.operation, status)
    if (declared === null || isSameResponse(pair, declared, other)) continue
    const best = new Map<ObligationId, Judged>()
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
    for (const [id, judged] of best) found.push(...counterexampleOf(id, await smallest(pair, id, judged)))
  }
  return { counterexample: found, undecided, shared }
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
const smallest = async (pair: Pair, id: ObligationId, judged: Judged): Promise<Judged> => {
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

const counterexampleOf = (id: ObligationId, { draft, violations }: Judged): readonly Counterexample[] => {
  const [rest, own] = [violations.filter(each => each.id !== id), violations.filter(each => each.id === id)]
  const [violation] = own
  if (violation?.subject.kind !== 'response') return []
  const { subject } = violation
  const reasons = [...own, ...rest].map(reasonOf)
  const { status, body, headers, media } = draft
  const name = subject.aspect === 'header' ? subject.header.toLowerCase() : null
  const header = Object.entries(headers).find(([each]) => each.toLowerCase() === name)
  const isOfBody = subject.aspect === 'schema'
  return [
    {
      part: 'response',
      status,
      requirement: id,
      subject,
      at: isOfBody ? bodyLocation('') : null,
      reason: reasons[0] ?? '',
      witness:
        header !== undefined
          ? `${status}, ${header.join(': ')}`
          : isOfBody && body !== undefined
            ? writeJson(body)
            : `${status}${media === null ? '' : `, ${media.type}`}`,
      schema: media?.schema ?? null,
      origin: draft.origin ?? null,
      violated: reasons,
    },
  ]
}

const reasonOf = ({ expected }: ResponseViolation): string => {
  const [, place] = /^(\/\S*) /.exec(expected) ?? []
  return place === undefined ? expected : valueReason(bodyLocation(place), expected)
}
