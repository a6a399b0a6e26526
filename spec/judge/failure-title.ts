import { redact, type Secret } from '../http/credential-placeholders.ts'
import { type Failure, header, mediaType, type Outcome } from '../http/exchange.ts'
import { type Json, parseJson } from '../json/json.ts'
import { malformedHttpKinds } from '../obligations/inputs/malformed-http/index.ts'
import { listedValue, type Values, valuesAt } from '../obligations/matches/values.ts'
import type { Obligation } from '../obligations/obligation.ts'
import type { StabilityName, Subject } from '../obligations/subject.ts'
import { jsonIfShort, visible } from '../text/shown-text.ts'
import { type Expectation, redirectPath } from './expected-status.ts'
import { isUndeclaredStatus, type ResponseViolation } from './response-violation.ts'

/** A test case that shows a failed obligation. */
export type SeenFailure = {
  /** The obligation that the finding is named after; the test case may be one of another obligation. */
  readonly obligation: Obligation
  readonly testCase: {
    readonly obligation: Obligation
    readonly expectation: Expectation
    readonly values: Values
  }
  readonly outcome: Outcome
  readonly violation: ResponseViolation
}

const longest = 140

/**
 * What went wrong, in one line of at most 140 characters: «accepted a request without credentials». Starts in lower case,
 * has no full stop and none of the `secrets`.
 */
export const failureTitle = (seen: SeenFailure, secrets: readonly Secret[]): string => {
  // Before the cut: half a secret is still half a secret.
  const title = redact(visible(titleOf(seen)), secrets)
  return title.length <= longest ? title : `${title.slice(0, longest - 1).trimEnd()}…`
}

const titleOf = (seen: SeenFailure): string => {
  const { testCase, outcome } = seen
  const { subject } = seen.obligation
  switch (subject.kind) {
    case 'stability':
      return stabilityTitle(subject.name, seen)
    case 'unspecified':
      return `${outcomeText(outcome, inputOf(testCase.obligation, seen), 'either')}, contrary to its pin`
    case 'protocol':
      return protocolTitle(subject.name, outcome, inputText(seen))
    default:
      return plainTitle(seen)
  }
}

const plainTitle = (seen: SeenFailure): string => {
  const { testCase, outcome, violation } = seen
  const { title } = violation
  if (title !== undefined && !isUndeclaredStatus(violation)) return title
  const { expectation } = testCase
  const leadsTo =
    outcome.kind === 'response' && expectation === 'reject' ? redirectPath(outcome.response) : null
  if (title !== undefined && outcome.kind === 'response' && leadsTo !== null)
    return `redirected ${inputText(seen)} to ${leadsTo} (${outcome.response.status}), an undeclared status`
  // A 5xx says enough.
  const isUndeclared = title !== undefined && outcome.kind === 'response' && outcome.response.status < 500
  if (!isUndeclared) return outcomeText(outcome, inputText(seen), expectation)
  // Any valid request may get an undeclared success, so which one it was says nothing.
  const input = expectation === 'accept' ? unnamed.accept : inputText(seen)
  return `${outcomeText(outcome, input, expectation)}, an undeclared status`
}

const stabilityTitle = (name: StabilityName, seen: SeenFailure): string => {
  const { testCase, outcome } = seen
  switch (name) {
    case 'pairing':
      return seen.violation.title ?? 'mixed up the responses to concurrent requests'
    case 'consistency':
      return `sometimes ${testedTitle(seen)}`
    case 'drift': {
      const shown = outcome.kind === 'response' ? outcome.response.status : outcome.failure
      return testCase.expectation === 'accept'
        ? `stopped accepting valid requests during the run (${shown})`
        : `${plainTitle(seen)} under sustained load`
    }
    case 'recovery':
      return plainTitle(seen)
    case 'connection':
      return seen.violation.title ?? 'lost connections before the response was complete'
  }
}

/** What went wrong with a case, by what that was about. */
const testedTitle = (seen: SeenFailure): string => {
  const { subject } = seen.testCase.obligation
  return subject.kind === 'protocol'
    ? protocolTitle(subject.name, seen.outcome, inputText(seen))
    : plainTitle(seen)
}

/** What was sent: as the obligation says it if the request is really of its kind, else as that of the test case does. */
const inputText = (seen: SeenFailure): string => {
  const { obligation, testCase } = seen
  const isSame = obligation.id === testCase.obligation.id
  const isOfKind =
    isSame ||
    (obligation.family === 'accept' &&
      testCase.expectation === 'accept' &&
      (obligation.subject.kind !== 'value' || sentValue(obligation.subject, testCase.values) !== undefined))
  return inputOf(isOfKind ? obligation : testCase.obligation, seen)
}

const unnamed: Readonly<Record<Expectation, string>> = {
  accept: 'a valid request',
  reject: 'an invalid request',
  either: 'a request',
}

/** «a string with quotation marks as `name` ("it's")» */
const inputOf = ({ input, subject }: Obligation, { testCase }: SeenFailure): string => {
  if (input === null) return unnamed[testCase.expectation]
  const value = sentValue(subject, testCase.values)
  const text = value === undefined ? null : jsonIfShort(value)
  // `0 as \`id\`` and an empty string say it all.
  const isObvious = text === null || text === '""' || ` ${input}`.includes(` ${text} as `)
  return isObvious ? input : `${input} (${text})`
}

/** The one value that a request has at the location that an obligation is about; undefined if it has none or several. */
const sentValue = (subject: Subject, values: Values): Json | undefined => {
  switch (subject.kind) {
    case 'value':
      return listedValue(subject, values) ?? shrunkValue(subject, values)
    case 'keyword': {
      const [value, ...others] = subject.keyword === 'required' ? [] : valuesAt(values, subject.location)
      return others.length === 0 ? value : undefined
    }
    default:
      return undefined
  }
}

/** What shrinking left of a listed text, if it is more than plain letters, which are seldom the cause. */
const shrunkValue = (
  { location, texts }: Extract<Subject, { kind: 'value' }>,
  values: Values,
): Json | undefined => {
  const listed = texts.map(parseJson).filter(value => typeof value === 'string')
  return valuesAt(values, location).find(
    value =>
      typeof value === 'string' && /[^a-z0-9 ]/i.test(value) && listed.some(text => text.includes(value)),
  )
}

/** What went wrong with a request that breaks HTTP, or that comes after one that does. */
const protocolTitle = (name: string, outcome: Outcome, input: string): string => {
  const check = malformedHttpKinds.find(kind => kind.name === name)?.check ?? 'accepted'
  const plain = outcomeText(outcome, input, check === 'rejected' ? 'reject' : 'accept')
  if (outcome.kind === 'failure') return plain
  const { response, trace } = outcome
  const { status } = response
  const isAccepted = status >= 200 && status < 400
  switch (check) {
    case 'continued':
      return trace?.early === false
        ? `sent neither 100 Continue nor a response before the body of ${input}`
        : plain
    case 'closed':
      return isAccepted && trace?.closed === false ? `left the connection open after ${input}` : plain
    case 'alone':
      return `answered ${input} and left the connection open`
    case 'in-order':
      return pipelinedTitle(trace?.statuses ?? [], input)
    case 'plain':
      return trace !== undefined && trace.interim.length > 0
        ? `sent the interim response ${trace.interim[0]} to ${input}`
        : `answered ${input} with Transfer-Encoding`
    default:
      return plain
  }
}

const pipelinedTitle = ([first = 0, second]: readonly number[], input: string): string => {
  if (first < 200 || first >= 400) return `answered ${first} to the first of ${input}`
  return second === undefined
    ? `did not respond to the second of ${input}`
    : `answered ${second} to the second of ${input}, which is invalid`
}

/** Whether the server answered nothing else while it was busy with the request. */
export const isBlocking = (outcome: Outcome): boolean =>
  outcome.kind === 'failure' && outcome.blockedMs !== undefined

/** What a server did with a request, given as a noun phrase: «accepted a body without `id`», «answered 500 to …». */
export const outcomeText = (outcome: Outcome, input: string, expectation: Expectation): string => {
  if (isBlocking(outcome)) return `did not respond to ${input} in time, nor to anything else meanwhile`
  if (outcome.kind === 'failure')
    return outcome.status === null
      ? noResponse[outcome.failure](input)
      : brokenResponse[outcome.failure](outcome.status, input)
  const { status, headers } = outcome.response
  const isSuccess = status >= 200 && status < 300
  // Many web apps answer so whatever they are asked for: that accepts nothing.
  if (isSuccess && expectation !== 'accept' && mediaType(header(headers, 'content-type')) === 'text/html')
    return `answered ${status} with an HTML page to ${input}`
  if (isSuccess && expectation !== 'accept') return `accepted ${input}`
  if ((status === 400 || status === 422) && expectation !== 'reject') return `rejected ${input}`
  return `answered ${status} to ${input}`
}

const noResponse: Readonly<Record<Failure, (input: string) => string>> = {
  refused: input => `refused the connection for ${input}`,
  unreachable: input => `could not be reached with ${input}`,
  reset: input => `closed the connection on ${input}`,
  timeout: input => `did not respond to ${input} in time`,
  malformed: input => `responded to ${input} with malformed HTTP`,
  'too-large': input => `responded to ${input} beyond the size limits`,
}

const closed = (status: number, input: string): string =>
  `closed the connection in the middle of its ${status} response to ${input}`

const brokenResponse: Readonly<Record<Failure, (status: number, input: string) => string>> = {
  refused: closed,
  unreachable: closed,
  reset: closed,
  timeout: (status, input) => `did not finish its ${status} response to ${input} in time`,
  malformed: (status, input) => `sent a malformed ${status} response to ${input}`,
  'too-large': (status, input) => `sent a ${status} response beyond the size limits to ${input}`,
}
