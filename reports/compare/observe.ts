import {
  type Contract,
  type DeclaredResponse,
  type ExchangeEvent,
  header,
  idOf,
  isArray,
  isNumber,
  isObject,
  type Json,
  type Ledger,
  mediaType,
  numberText,
  type ObligationId,
  observedAnswers,
  questionId,
  type RecordedObligation,
  type RecordedOutcome,
  readJson,
  recordedBytes,
  responseFor,
  valueAt,
} from '../../spec/index.ts'
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

/** What is compared of a response, each as a text: `status` → 400, `error code` → error 7, `header ETag` → present. */
type Aspects = ReadonlyMap<string, string>

/** Headers that HTTP gives a meaning for clients, whether the contract names them or not. */
const known = ['Allow', 'Retry-After', 'WWW-Authenticate']

const aspectsOf = (
  contract: Contract,
  declared: DeclaredResponse | null,
  outcome: RecordedOutcome,
): Aspects => {
  if (outcome.kind === 'failure') return new Map([['status', outcome.failure]])
  const { status, headers } = outcome
  const aspects = new Map([
    ['status', String(status)],
    ['media type', mediaType(header(headers, 'content-type')) ?? 'none'],
  ])
  for (const { name, schema } of declared?.headers ?? [])
    aspects.set(`header ${name}`, headerText(header(headers, name.toLowerCase()), isListed(contract, schema)))
  for (const name of known)
    if (!aspects.has(`header ${name}`))
      aspects.set(`header ${name}`, headerText(header(headers, name.toLowerCase()), name === 'Allow'))
  const body = status < 400 ? undefined : bodyOf(outcome)
  if (body !== undefined) aspects.set('error code', codesIn(body))
  return aspects
}

/** Values are compared only where the contract lists them: any other may differ, as a date does. */
const headerText = (value: string | null, isValue: boolean): string => {
  if (value === null) return 'absent'
  return isValue ? value : 'present'
}

const isListed = ({ document }: Contract, schema: string | null): boolean => {
  const node = schema === null ? undefined : valueAt(document, schema)
  return isObject(node as Json) && ('enum' in (node as object) || 'const' in (node as object))
}

/** The body as JSON; undefined if it is none, or not recorded whole. */
const bodyOf = (outcome: RecordedOutcome): Json | undefined => {
  const bytes = outcome.kind === 'response' ? recordedBytes(outcome.body) : null
  const reading = bytes === null ? null : readJson(bytes)
  return reading?.ok === true ? reading.value : undefined
}

/** Names that documents give the code of a failure. */
const codeNames = /^(?:code|error|err|errno|error_?code|type|kind|reason)$/i
const mostCodes = 6

/** `error 7, details code TOO_LONG`: the numbers and the words in a failure by which programs tell it from others. */
const codesIn = (body: Json): string => {
  const codes: string[] = []
  const look = (value: Json, names: readonly string[], depth: number): void => {
    if (isArray(value)) for (const item of value.slice(0, 1)) look(item, names, depth)
    if (!isObject(value) || depth === 0) return
    for (const [name, each] of Object.entries(value)) {
      const isWord = typeof each === 'string' && codeNames.test(name) && /^[\w.:/-]{1,64}$/.test(each)
      const label = [...names, name].join(' ')
      if (isNumber(each)) codes.push(`${label} ${numberText(each)}`)
      else if (isWord) codes.push(`${label} ${each}`)
      else look(each, [...names, name], depth - 1)
    }
  }
  look(body, [], 2)
  return codes.slice(0, mostCodes).join(', ') || 'none'
}
