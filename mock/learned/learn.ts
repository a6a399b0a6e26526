import {
  type ExchangeEvent,
  type Headers,
  isObject,
  type Ledger,
  type ObligationId,
  type ObligationPath,
  obligationId,
  type Pin,
  questionId,
  type RecordedObligation,
  readJson,
  recordedBytes,
} from '../../spec/index.ts'

/** A rejection as a server sent it. */
export type LearnedAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
}

/** A rejection of which only this is known; `code`: the one in its body, null if that depends on the request. */
export type LearnedFailure = { readonly status: number; readonly code: number | null }

export type LearnedRejection = LearnedAnswer | LearnedFailure

/** How a server answers what the contract leaves open, from the ledger of a run against it or from pins. */
export type LearnedBehavior = {
  /** The server that was tested, or the file of the pins. */
  readonly target: string
  /** How requests are rejected, by the obligation that they break or what is above it: see `beginningsOf`. */
  readonly rejections: ReadonlyMap<string, LearnedRejection>
  /** By the id of an open question, how most requests are rejected that ask it. */
  readonly questions: ReadonlyMap<ObligationId, LearnedRejection>
  /** The open questions that successes answer which have what was sent without being declared. */
  readonly echoing: ReadonlySet<ObligationId>
  /** By operation, milliseconds in which most valid requests were answered. */
  readonly delays: ReadonlyMap<string, readonly [from: number, to: number]>
  /** Open questions whose answer a mock cannot give, and why. */
  readonly notLearned: readonly string[]
}

/** Learns from a run. What broke the contract is not taken over. */
export const learnFrom = ({ start, exchanges }: Ledger): LearnedBehavior => {
  const obligations = new Map(start.obligations.map(each => [each.id, each]))
  const taught = exchanges.flatMap(exchange => {
    const obligation = obligations.get(exchange.obligation)
    const isOpen = obligation?.family === 'unspecified' || exchange.expectation === 'reject'
    return obligation?.question === undefined || !isOpen || exchange.failed.length > 0
      ? []
      : [{ exchange, obligation, question: obligation.question }]
  })
  const byCause = grouped(
    taught
      .filter(({ obligation }) => obligation.family !== 'unspecified')
      .flatMap(({ exchange, obligation: { operation, names = [] } }) =>
        beginningsOf(operation, names).map(key => [key, exchange] as const),
      ),
  )
  const byQuestion = grouped(
    taught.map(
      ({ exchange, obligation, question }) => [questionId(obligation.operation, question), exchange] as const,
    ),
  )
  const questions = new Map<ObligationId, LearnedAnswer>()
  const echoing = new Set<ObligationId>()
  const notLearned: string[] = []
  for (const [id, group] of byQuestion) {
    const usual = usualRejection(group)
    const problem = group.every(({ obligation }) => obligation === id) ? problemOf(group, usual) : null
    if (obligations.get(id)?.question === 'undeclared-property' && group.every(isEchoed)) echoing.add(id)
    if (problem !== null) notLearned.push(`${id}: ${problem}`)
    else if (usual !== null) questions.set(id, usual)
  }
  const rejections = new Map(
    [...byCause].flatMap(([key, group]) => {
      const usual = usualRejection(group)
      return usual === null ? [] : [[key, usual] as const]
    }),
  )
  const delays = delaysIn(exchanges, obligations)
  return { target: start.target, rejections, questions, echoing, delays, notLearned }
}

const grouped = (
  pairs: readonly (readonly [key: ObligationId, exchange: ExchangeEvent])[],
): ReadonlyMap<ObligationId, readonly ExchangeEvent[]> =>
  new Map(
    [...Map.groupBy(pairs, ([key]) => key)].map(([key, alike]) => [
      key,
      alike.map(([, exchange]) => exchange),
    ]),
  )

/** A path of an operation and what is above it, the longest first: `request/body/json/truncated`, `request/body/json`, `request/body`. */
export const beginningsOf = (operation: string, path: ObligationPath): readonly ObligationId[] =>
  path.slice(1).map((_, index) => obligationId(operation, path.slice(0, path.length - index)))

const isRejected = ({ outcome }: ExchangeEvent): boolean =>
  outcome.kind === 'response' && outcome.status >= 400

/** Why the answer to a question of its own cannot be given by rule; null: it can, or the mock answers so anyway. */
const problemOf = (group: readonly ExchangeEvent[], usual: LearnedAnswer | null): string | null => {
  const rejected = group.filter(isRejected).length
  if (rejected === 0) return null
  if (rejected < group.length) return 'the server accepts some such requests, and rejects others'
  return usual === null ? 'the body of the response is not recorded whole' : null
}

const isEchoed = ({ outcome }: ExchangeEvent): boolean =>
  outcome.kind === 'response' && outcome.body.data.includes('"undeclared"')

/** The first of the rejections that are most frequent: with the same status and the same numbers in the body. */
const usualRejection = (group: readonly ExchangeEvent[]): LearnedAnswer | null => {
  const rejections = group.flatMap(({ outcome }): readonly LearnedAnswer[] => {
    const body = outcome.kind === 'response' && outcome.status >= 400 ? recordedBytes(outcome.body) : null
    return outcome.kind !== 'response' || body === null
      ? []
      : [{ status: outcome.status, headers: outcome.headers, body }]
  })
  const kinds = Map.groupBy(rejections, ({ status, body }) => `${status} ${numbersIn(body)}`)
  const [most] = [...kinds.values()].toSorted((left, right) => right.length - left.length)
  return most?.[0] ?? null
}

const numbersIn = (body: Uint8Array): string => {
  const reading = readJson(body)
  if (!reading.ok || !isObject(reading.value)) return ''
  return JSON.stringify(Object.entries(reading.value).filter(([, value]) => typeof value === 'number'))
}

const fewest = 5

/** Between the 5th and the 95th percentile of the successes of each operation. */
const delaysIn = (
  exchanges: readonly ExchangeEvent[],
  obligations: ReadonlyMap<string, RecordedObligation>,
): LearnedBehavior['delays'] => {
  const accepted = exchanges.flatMap(({ expectation, obligation, outcome }) => {
    const operation = obligations.get(obligation)?.operation
    return operation === undefined || expectation !== 'accept' || outcome.kind !== 'response'
      ? []
      : [{ operation, ms: outcome.ms }]
  })
  const times = Map.groupBy(accepted, ({ operation }) => operation)
  return new Map(
    [...times].flatMap(([operation, all]) => {
      if (all.length < fewest) return []
      const sorted = all.map(({ ms }) => ms).toSorted((left, right) => left - right)
      const at = (share: number): number => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
      return [[operation, [at(0.05), at(0.95)] as const] as const]
    }),
  )
}

/**
 * Learns from the answers that pins require, which are those that a run observed; `source`: what they are called. Pins have statuses
 * and codes, but no bodies: failures have the bodies of the mock.
 */
export const learnFromPins = (pins: readonly Pin[], source: string): LearnedBehavior => {
  const questions = new Map<ObligationId, LearnedFailure>()
  const echoing = new Set<ObligationId>()
  const notLearned: string[] = []
  for (const { obligation, answers } of pins) {
    const read = answers.map(readAnswer)
    const [first] = read
    if (first === undefined || read.includes(null))
      notLearned.push(`${obligation}: the pin has a pattern, or an answer without a status`)
    else if (new Set(read.map(each => each?.status)).size > 1)
      notLearned.push(`${obligation}: the pin allows several statuses`)
    else if (first?.status != null) {
      const codes = new Set(read.map(each => each?.code ?? null))
      questions.set(obligation, { status: first.status, code: codes.size === 1 ? first.code : null })
    } else if (answers.every(answer => answer === 'accepted, echoed')) echoing.add(obligation)
  }
  return { target: source, rejections: new Map(), questions, echoing, delays: new Map(), notLearned }
}

type Answer = { readonly status: number | null; readonly code: number | null }

/** `accepted (200)`, `rejected (400 error 7)`, `401 error 1`, `PUT: 405, Allow: POST`, `404`. Null: none of these. */
const readAnswer = (answer: string): Answer | null => {
  if (answer.startsWith('accepted')) return { status: null, code: null }
  const [, status] = /^(?:rejected \(|[A-Z]+: )?([45]\d\d)\b/.exec(answer) ?? []
  const [, code] = / (?:error|code|errorCode|error_code|errno) (\d+)\b/.exec(answer) ?? []
  return status === undefined || answer.includes('*')
    ? null
    : { status: Number(status), code: code === undefined ? null : Number(code) }
}
