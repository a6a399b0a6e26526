import {
  causeOf,
  type Entry,
  type ExchangeEvent,
  findingsByObligation,
  type Ledger,
  obligationId,
  type RecordedOutcome,
  type RecordedRequest,
} from '../../spec/index.ts'
import { reasonOf } from '../view/summary.ts'
import { partsBeyond, type Shape } from './body-shape.ts'
import type { Seen, SeenCase } from './observe.ts'

/** What the servers did, in the order A, B. */
export type Sides<T> = readonly [a: T, b: T]

/** A request to one of the servers, and its response. */
export type Shown = {
  readonly id: string
  readonly request: RecordedRequest
  readonly outcome: RecordedOutcome
}

/** One difference between two runs. */
export type Difference = {
  /** `verdict`: one server fails what the other does not; `waived`: the same, and a waiver accepts it; `cause`: both fail, differently; `unjudged`: only one could be judged. */
  readonly kind: 'verdict' | 'waived' | 'cause' | 'question' | 'unjudged'
  /** The obligation, or the question that a group of cases answers. */
  readonly about: string
  /** The obligation whose requirement says what it is about. */
  readonly obligation: string
  /** `verdict`, `answer`, or what differs between the responses: `status`, `error code`, `header ETag`, `body /tag`. */
  readonly aspect: string
  readonly answers: Sides<string>
  readonly exchanges: Sides<Shown | null>
  /** A server that differs from itself in this is not compared in it. */
  readonly steadiness: string
  /** The case that shows it; empty if no single one does. */
  readonly shownBy: string
}

/** All that differs between two runs of one plan. */
export const differencesBetween = (a: Seen, b: Seen): readonly Difference[] => [
  ...verdictDifferences(a, b),
  ...answerDifferences(a, b),
  ...caseDifferences(a, b),
  ...shapeDifferences(a, b),
]

const isFailed = ({ verdict: { kind } }: Entry): boolean =>
  kind === 'failed' || kind === 'waived' || kind === 'baselined'
const isUnjudged = ({ verdict: { kind } }: Entry): boolean => kind === 'untested' || kind === 'inconclusive'

const verdictDifferences = (a: Seen, b: Seen): readonly Difference[] => {
  const others = new Map(b.ledger.entries.map(entry => [entry.obligation.id, entry]))
  const [textOfA, textOfB] = [verdictTexts(a.ledger), verdictTexts(b.ledger)]
  return a.ledger.entries.flatMap((entry): readonly Difference[] => {
    const other = others.get(entry.obligation.id)
    const kind = other === undefined ? null : kindOf(entry, other, [textOfA(entry), textOfB(other)])
    if (other === undefined || kind === null) return []
    const { id } = entry.obligation
    return [
      {
        kind,
        about: id,
        obligation: id,
        aspect: 'verdict',
        answers: [textOfA(entry), textOfB(other)],
        exchanges: exchangesFor(a.ledger, b.ledger, id),
        steadiness: `verdict ${id}`,
        shownBy: '',
      },
    ]
  })
}

const kindOf = (entry: Entry, other: Entry, [a, b]: Sides<string>): Difference['kind'] | null => {
  if (isFailed(entry) !== isFailed(other))
    return [entry, other].some(({ verdict }) => verdict.kind === 'waived') ? 'waived' : 'verdict'
  if (isFailed(entry)) return a === b ? null : 'cause'
  return isUnjudged(entry) === isUnjudged(other) ? null : 'unjudged'
}

/** `failed: answered 200`, `untested: the server sent no response that shows it` */
const verdictTexts = (ledger: Ledger): ((entry: Entry) => string) => {
  const findings = findingsByObligation(ledger.findings)
  return ({ obligation: { id }, verdict }) => {
    const causes = [...new Set((findings.get(id) ?? []).map(causeOf))].toSorted()
    const reason = causes.length > 0 ? causes.join(', ') : reasonOf(verdict)
    return reason === null ? verdict.kind : `${verdict.kind}: ${reason}`
  }
}

/** The same case of both runs, one that fails if there is one that both have recorded; else the finding. */
const exchangesFor = (a: Ledger, b: Ledger, id: string): Sides<Shown | null> => {
  const failing = [a, b].flatMap(({ exchanges }) => exchanges.find(({ failed }) => failed.includes(id)) ?? [])
  const findings: Sides<Shown | null> = [findingOf(a, id), findingOf(b, id)]
  const shownBy = failing[0]?.id ?? findings[0]?.id ?? findings[1]?.id
  const shown: Sides<Shown | null> = [exchangeOf(a, id, shownBy), exchangeOf(b, id, shownBy)]
  return failing.length > 0 ? shown : [findings[0] ?? shown[0], findings[1] ?? shown[1]]
}

const findingOf = ({ findings }: Ledger, id: string): Shown | null =>
  findings.find(({ obligation, also }) => obligation === id || also.includes(id)) ?? null

/** This case; if it was not recorded, the first of the obligation. */
const exchangeOf = ({ exchanges }: Ledger, id: string, shownBy?: string): ExchangeEvent | null =>
  exchanges.find(exchange => exchange.id === shownBy) ??
  exchanges.find(({ obligation }) => obligation === id) ??
  null

/** The open questions that have cases of their own. */
const answerDifferences = (a: Seen, b: Seen): readonly Difference[] =>
  [...a.answers].flatMap(([id, answer]): readonly Difference[] => {
    const other = b.answers.get(id)
    if (other === undefined || other === answer) return []
    const exchanges: Sides<ExchangeEvent | null> = [exchangeOf(a.ledger, id), exchangeOf(b.ledger, id)]
    if (exchanges.every(exchange => exchange?.obligation !== id)) return []
    const steadiness = `answer ${id}`
    return [
      {
        kind: 'question',
        about: id,
        obligation: id,
        aspect: 'answer',
        answers: [answer, other],
        exchanges,
        steadiness,
        shownBy: '',
      },
    ]
  })

const caseDifferences = (a: Seen, b: Seen): readonly Difference[] =>
  [...a.cases].flatMap(([id, left]) => {
    const right = b.cases.get(id)
    // What a question of its own is answered has been told.
    const isTold = a.answers.get(left.question) !== b.answers.get(left.question) && isOwn(left)
    if (right === undefined || right.obligation.id !== left.obligation.id || isTold) return []
    const [status, otherStatus] = [left.aspects.get('status'), right.aspects.get('status')]
    const aspects = status === otherStatus ? [...left.aspects.keys()] : ['status']
    return aspects.flatMap(aspect => {
      const answers: Sides<string> = [
        answerOf(left, aspect, status === otherStatus),
        answerOf(right, aspect, status === otherStatus),
      ]
      return answers[0] === answers[1] ? [] : [caseDifference(left, right, aspect, answers)]
    })
  })

const isOwn = ({ obligation, question }: SeenCase): boolean => obligation.id === question

/** Beside an error code its status is told, as one code may stand for several. */
const answerOf = ({ aspects }: SeenCase, aspect: string, isSameStatus: boolean): string => {
  const code = aspects.get('error code')
  const answer = aspects.get(aspect) ?? 'none'
  return aspect === 'status' && !isSameStatus && code !== undefined && code !== 'none'
    ? `${answer} (${code})`
    : answer
}

/**
 * Where a server that differs from itself in an aspect may do so anywhere: a status depends on the request, a code on what is wrong with
 * it, and a header comes and goes in all responses alike.
 */
const placeOf = ({ obligation, question, aspects }: SeenCase, aspect: string): string => {
  if (aspect === 'status') return obligation.id
  return aspect === 'error code' ? question : `${obligation.operation} ${aspects.get('status')}`
}

const caseDifference = (
  left: SeenCase,
  right: SeenCase,
  aspect: string,
  answers: Sides<string>,
): Difference => ({
  kind: 'question',
  about: left.question,
  obligation: left.obligation.id,
  aspect,
  answers,
  exchanges: [left.exchange, right.exchange],
  steadiness: `${aspect} ${placeOf(left, aspect)}`,
  shownBy: left.exchange.id,
})

const shapeDifferences = (a: Seen, b: Seen): readonly Difference[] =>
  [...a.shapes].flatMap(([key, { shape, first }]) => {
    const other = b.shapes.get(key)
    if (other === undefined) return []
    const differing = (from: Shape, to: Shape, present: (text: string) => Sides<string>) =>
      partsBeyond(from, to).map(
        ([place, type]): Difference => ({
          kind: 'question',
          about: obligationId(first.obligation.operation, ['response', first.aspects.get('status') ?? '']),
          obligation: first.obligation.id,
          aspect: `body ${place === '' ? 'itself' : place}`,
          answers: present(type),
          exchanges: [first.exchange, other.first.exchange],
          steadiness: `shape ${key} ${place} ${type}`,
          shownBy: '',
        }),
      )
    return [
      ...differing(shape, other.shape, type => [type, `never ${type}`]),
      ...differing(other.shape, shape, type => [`never ${type}`, type]),
    ]
  })
