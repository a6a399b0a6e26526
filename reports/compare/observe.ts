import {
  type Contract,
  type ExchangeEvent,
  header,
  idOf,
  type Ledger,
  type ObligationId,
  observedAnswers,
  questionId,
  type RecordedObligation,
  responseFor,
} from '../../spec/index.ts'
import { type Aspects, aspectsOf, bodyOf } from './aspects.ts'
import { addShape, placeOfBody, type Shape } from './body-shape.ts'

/** One case of a run, and how the server answered it. */
export type SeenCase = {
  readonly exchange: ExchangeEvent
  readonly obligation: RecordedObligation
  /** What its answer is about, as the id of an open question: `createPlant/unspecified/invalid-body`. */
  readonly question: ObligationId
  readonly aspects: Aspects
}

/** What a run shows of a server, in the form in which two servers are compared. */
export type Seen = {
  readonly ledger: Ledger
  readonly cases: ReadonlyMap<string, SeenCase>
  /** By open question: its answers, without their counts. */
  readonly answers: ReadonlyMap<string, string>
  /** By operation and status, `createPlant 200`, with the first case that shows each. */
  readonly shapes: ReadonlyMap<string, { readonly shape: Shape; readonly first: SeenCase }>
}

export const seenIn = (contract: Contract, ledger: Ledger): Seen => {
  const operations = new Map(contract.operations.map(operation => [operation.id, operation]))
  const obligations = new Map(ledger.start.obligations.map(each => [each.id, each]))
  const cases = new Map<string, SeenCase>()
  const shapes = new Map<string, { shape: Map<string, Set<string>>; first: SeenCase }>()
  for (const exchange of ledger.exchanges) {
    const obligation = obligations.get(exchange.obligation)
    // Of what breaks the contract, the verdict tells.
    if (obligation === undefined || exchange.failed.length > 0) continue
    const { outcome } = exchange
    const operation = isElsewhere(obligation) ? undefined : operations.get(obligation.operation)
    const declared =
      operation === undefined || outcome.kind === 'failure' ? null : responseFor(operation, outcome.status)
    const seen = {
      exchange,
      obligation,
      question: questionOf(exchange, obligation),
      aspects: aspectsOf(contract, declared, outcome),
    }
    cases.set(exchange.id, seen)
    const body = bodyOf(outcome)
    if (operation === undefined || outcome.kind === 'failure' || body === undefined) continue
    const key = `${operation.id} ${outcome.status}`
    const known = shapes.get(key) ?? { shape: new Map(), first: seen }
    shapes.set(key, known)
    addShape(known.shape, body, placeOfBody(contract, declared, header(outcome.headers, 'content-type')))
  }
  return { ledger, cases, answers: answersIn(ledger), shapes }
}

const answersIn = ({ entries }: Ledger): ReadonlyMap<string, string> =>
  new Map(
    entries.flatMap(({ obligation, verdict }) =>
      verdict.kind === 'observed'
        ? [[obligation.id, observedAnswers(verdict).map(plainAnswer).toSorted().join(' · ')] as const]
        : [],
    ),
  )

/** JSON is UTF-8, whether a server says so or not. */
const plainAnswer = (answer: string): string => answer.replace(/; ?charset=utf-8\b/i, '')

/** Whether its requests are for what the contract does not declare. */
const isElsewhere = ({ question }: RecordedObligation): boolean =>
  question === 'other-path' || question === 'other-method'

/** Cases that ask alike are told together: all that a server has to reject for its body, all valid requests of an operation. */
const questionOf = (
  { expectation }: ExchangeEvent,
  { id, operation, family, question }: RecordedObligation,
): ObligationId => {
  if (question !== undefined) return questionId(operation, question)
  return expectation === 'accept' && family !== 'state' && family !== 'ownership'
    ? idOf(operation, { kind: 'valid' })
    : id
}
