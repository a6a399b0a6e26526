/** One request that many requirements are about, and which of them its response shows to be met. */
import {
  isArray,
  isObject,
  isOfBody,
  type Json,
  matches,
  type Obligation,
  type Outcome,
  parseJson,
  type Subject,
  step,
  steps,
  writeJson,
} from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import { renderRequest } from '../cases/render.ts'
import { isIdentity, parameterAt, withValueAt } from '../cases/strategies/edit-spec.ts'
import { type StrategyContext, strategyOf } from '../cases/strategies/index.ts'
import { hasDone } from '../judge/expected-status.ts'
import { judgeCase } from '../judge/judge-case.ts'
import { namedPlaces } from '../pool/spoken-places.ts'
import type { OperationSession, RunSession } from '../session/session.ts'

/** A request, and the requirements that it is about. */
export type GroupedCase = { readonly testCase: TestCase; readonly members: readonly Obligation[] }

/** How the requirements of a family are tested at once. */
export type Way = {
  readonly isGrouped: (operation: OperationSession, obligation: Obligation) => boolean
  /** Which request of the operation has it; `before`: how many requirements about the same place come before. */
  readonly groupOf: (obligation: Obligation, before: number) => number
  /** The request with as many of these as it can have. */
  readonly together: (operation: OperationSession, members: readonly Obligation[]) => GroupedCase | null
  /** The request for one alone. */
  readonly single: (operation: OperationSession, obligation: Obligation) => TestCase | null
  /** The requirements that the response shows to be met; null if it is not what the contract expects. */
  readonly shownBy: (
    session: RunSession,
    group: { readonly operation: OperationSession; readonly members: readonly Obligation[] },
    testCase: TestCase,
    outcome: Outcome,
  ) => readonly Obligation[] | null
}

/** Characters of a value as JSON: servers reject a request with several longer ones for its size. */
const longestText = 600
/** Values in one list. */
const mostItems = 8

export const groupToAccept: Way = {
  isGrouped: ({ context }, { family, subject }) =>
    family === 'accept' &&
    subject.kind === 'value' &&
    subject.location.in !== 'path' &&
    (subject.texts[0]?.length ?? longestText) < longestText &&
    !isIdentity(context, subject.location),
  // Each place has one value, but for those in lists.
  groupOf: (obligation, before) =>
    placeOfBody(obligation).includes('/*') ? Math.floor(before / mostItems) : before,
  together: (operation, members) => {
    const testCase = accepted(operation, operation.valid, members)
    return testCase === null
      ? null
      : { testCase, members: members.filter(each => isIn(operation, each, testCase)) }
  },
  single: (operation, obligation) => {
    const made = accepted(operation, obligation, [obligation])
    return made !== null && isIn(operation, obligation, made) ? made : null
  },
  shownBy: (_session, { operation }, testCase, outcome) =>
    hasDone(operation.model.operation, outcome)
      ? operation.obligations.filter(each => isShownBeside(each) && isIn(operation, each, testCase))
      : null,
}

/** A valid request with these values. */
const accepted = (
  { sender, context }: OperationSession,
  obligation: Obligation | undefined,
  members: readonly Obligation[],
): TestCase | null => {
  if (obligation === undefined) return null
  const plain = sender.validCase(obligation, 'plain')
  const subjects = members.map(({ subject }) => subject as ValueSubject)
  return sender.variantOf(plain, withValues(context, plain.spec, subjects, plain.number))
}

const isIn = (
  { model }: OperationSession,
  { subject }: Obligation,
  { spec: { body, parameters }, request }: Pick<TestCase, 'spec' | 'request'>,
): boolean => matches(model, subject, { body, parameters, request }, [])

/** A request with a wrong value alone. */
const rejected: Way['single'] = ({ sender, context }, obligation) => {
  const strategy = strategyOf(context, obligation)
  return strategy === null || 'unsupported' in strategy ? null : sender.rejectedCase(obligation, strategy, 0)
}

export const groupToReject: Way = {
  isGrouped: ({ context }, { family, subject }) =>
    family === 'reject' &&
    subject.kind === 'keyword' &&
    subject.keyword !== 'required' &&
    isOfBody(subject.location) &&
    subject.location.place !== '' &&
    !isIdentity(context, subject.location),
  groupOf: (_obligation, before) => before,
  together: (operation, members) => {
    const { sender, model, valid } = operation
    if (valid === undefined) return null
    const plain = sender.validCase(valid, 'plain')
    const placed: Obligation[] = []
    let { body } = plain.spec
    for (const member of members) {
      const place = placeOfBody(member)
      const isApart = placed.map(placeOfBody).every(each => !isInside(place, each) && !isInside(each, place))
      const made = isApart ? rejected(operation, member) : null
      if (made?.spec.body === undefined || body === undefined) continue
      body = withTheSameAt(body, made.spec.body, steps(place))
      placed.push(member)
    }
    const [first] = placed
    if (first === undefined) return null
    const spec = { ...plain.spec, body }
    const request = renderRequest(model.operation, spec)
    const testCase = {
      ...plain,
      obligation: first,
      spec,
      request,
      expectation: 'reject',
      cause: 'body',
    } as const
    return { testCase, members: placed }
  },
  single: rejected,
  shownBy: ({ options }, { operation: { model }, members }, testCase, outcome) => {
    if (outcome.kind === 'failure' || judgeCase(model, testCase, outcome, options).violation !== null)
      return null
    const named = new Set(namedPlaces(outcome.response.body, testCase.spec.body))
    return members.filter(each => named.has(placeOfBody(each)))
  },
}

const isInside = (place: string, outer: string): boolean => place === outer || place.startsWith(`${outer}/`)

const placeOfBody = ({ subject }: Obligation): string => ('location' in subject ? subject.location.place : '')

/** What a request that was accepted shows besides its own requirement. */
const isShownBeside = ({ family, subject }: Obligation): boolean =>
  family === 'accept' && ['value', 'branch', 'presence'].includes(subject.kind)

/** The operation, and the place that a requirement is about. */
export const placeIn = ({ operation, subject }: Obligation): string => {
  if (!('location' in subject)) return operation
  const { location } = subject
  return `${operation} ${isOfBody(location) ? location.place : step(location.in, location.name)}`
}

/** A parameter outside the path that a requirement is about; null if it is about something else. */
export const parameterIn = ({ subject }: Obligation): string | null =>
  'location' in subject && !isOfBody(subject.location) && subject.location.in !== 'path'
    ? `${subject.location.in} ${subject.location.name}`
    : null

/** The place that a requirement is about, as values that a run has learned are kept by it. */
export const keyOfPlace = (obligation: Obligation): string =>
  parameterIn(obligation) ?? placeOfBody(obligation)

type ValueSubject = Extract<Subject, { kind: 'value' }>

/** The request with the first value of each subject beside the others, as far as it stays valid. */
const withValues = (
  context: StrategyContext,
  spec: RequestSpec,
  subjects: readonly ValueSubject[],
  number: number,
): RequestSpec => {
  let whole = spec
  for (const { location, texts } of subjects) {
    const [text] = texts
    const made = text === undefined ? null : withValueAt(context, spec, location, parseJson(text), number)
    whole = (made === null ? null : joined(context, whole, made, location)) ?? whole
  }
  return whole
}

/** The request with what another one has at a location; null if it is not valid with that. */
const joined = (
  { model }: StrategyContext,
  whole: RequestSpec,
  made: RequestSpec,
  location: ValueSubject['location'],
): RequestSpec | null => {
  const { name, place } = location
  if (!isOfBody(location)) {
    const value = made.parameters[name]
    const isValid = value !== undefined && parameterAt(model, location)?.isValid(value) === true
    return isValid ? { ...whole, parameters: { ...whole.parameters, [name]: value } } : null
  }
  if (whole.body === undefined || made.body === undefined) return null
  const body = withTheSameAt(whole.body, made.body, steps(place))
  return model.isValidBody(body) ? { ...whole, body } : null
}

/** A value with what another one has at a place, and with the objects and lists that lead there. Items of lists are added. */
const withTheSameAt = (base: Json, other: Json, names: readonly string[]): Json => {
  const [name, ...rest] = names
  if (name === undefined) return other
  if (isArray(base) && isArray(other)) {
    const index = name === '*' ? base.length : Number(name)
    const item = name === '*' ? other.at(-1) : other[index]
    if (item === undefined || base.some(each => writeJson(each) === writeJson(item))) return base
    return index < base.length
      ? base.with(index, withTheSameAt(base[index] as Json, item, rest))
      : [...base, item]
  }
  if (!isObject(base) || !isObject(other)) return other
  const key = name === '*' ? Object.keys(other).at(-1) : name
  const [known, given] = key === undefined ? [] : [base[key], other[key]]
  if (key === undefined || given === undefined) return base
  return { ...base, [key]: known === undefined ? given : withTheSameAt(known, given, rest) }
}
