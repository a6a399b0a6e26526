import { cut, failureText, header, isObject, mediaType, type Outcome, readJson } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'

/** One word for an outcome, by which causes are told apart: `200`, `500`, `reset`. */
export const signature = (outcome: Outcome): string =>
  outcome.kind === 'failure' ? outcome.failure : String(outcome.response.status)

/** A response may have any number of numbers; the first ones tell its cause. */
const numbersShown = 4

/** `400 error 7`: the status, and the first other numbers in a JSON object; else the media type. */
export const summary = (outcome: Outcome): string => {
  if (outcome.kind === 'failure') return failureText[outcome.failure]
  const { status, headers, body } = outcome.response
  const reading = readJson(body)
  if (!reading.ok) return `${status} ${cut(mediaType(header(headers, 'content-type')) ?? 'no body')}`
  const numbers = isObject(reading.value)
    ? Object.entries(reading.value)
        .filter(([, value]) => typeof value === 'number' && value !== status)
        .slice(0, numbersShown)
    : []
  return [status, ...numbers.map(([name, value]) => `${name} ${value}`)].join(' ')
}

/** What the response to a case says about an open question. */
export const observation = ({ obligation, spec, callback }: TestCase, outcome: Outcome): string => {
  if (callback?.observed !== undefined) return callback.observed
  const { subject } = obligation
  const question = subject.kind === 'unspecified' ? subject.name : subject.kind
  if (outcome.kind === 'failure' || obligation.family !== 'unspecified') return summary(outcome)
  const { status, headers, body } = outcome.response
  const rejected = `rejected (${summary(outcome)})`
  const isAccepted = status >= 200 && status < 300
  switch (question) {
    case 'other-method': {
      const allow = header(headers, 'allow')
      return `${spec.method}: ${status}${allow === null ? ' without Allow' : `, Allow: ${cut(allow)}`}`
    }
    case 'other-path':
      return String(status)
    case 'other-accept':
      return isAccepted
        ? `accepted, with ${cut(header(headers, 'content-type') ?? 'no Content-Type')}`
        : rejected
    case 'duplicate-id':
      return isAccepted ? `accepted (${status})` : rejected
    case 'undeclared-property': {
      const reading = readJson(body)
      const isEchoed = reading.ok && isObject(reading.value) && Object.hasOwn(reading.value, 'undeclared')
      return isAccepted ? `accepted, ${isEchoed ? 'echoed' : 'not echoed'}` : rejected
    }
    default:
      return isAccepted ? 'accepted' : rejected
  }
}

const suspectsShown = 8

/** A request that got no response, and when it was sent and lost, on the clock of `performance.now`. */
export type Unanswered = {
  readonly testCase: TestCase
  readonly outcome: Outcome
  readonly sentAt: number
  readonly lostAt: number
}

/** The requests without a response, after what came of another one. `lostAt`: when that was lost, if it was. */
export const unansweredAfter = (
  unanswered: readonly Unanswered[],
  testCase: TestCase,
  outcome: Outcome,
  lostAt = performance.now(),
): readonly Unanswered[] =>
  outcome.kind === 'response'
    ? // What was lost while this one was on its way may have ended the server.
      unanswered.filter(each => each.lostAt > performance.now() - outcome.ms)
    : [...unanswered, { testCase, outcome, sentAt: lostAt - outcome.ms, lostAt }]

/**
 * The requests that may have ended a server, as the rest of a sentence; empty if there are none. They are those that were in flight when the first
 * was lost. The others met a server that was gone.
 */
export const suspectsText = (unanswered: readonly Unanswered[]): string => {
  const end = Math.min(...unanswered.map(({ lostAt }) => lostAt))
  // In the order in which they were sent: most servers begin with the first.
  const suspects = unanswered
    .filter(({ sentAt }) => sentAt <= end)
    .toSorted((one, other) => one.testCase.number - other.testCase.number)
  if (suspects.length === 0) return ''
  const names = suspects.slice(0, suspectsShown).map(({ testCase }) => requestText(testCase))
  const more = suspects.length > suspectsShown ? ` and ${suspects.length - suspectsShown} more` : ''
  return `. The last requests before that, without a response, were ${names.join('; ')}${more}`
}

/** `POST /plants {"name":"Fern"} (createPlant/request/valid)`: nobody can look it up, as the run has no result for it. */
const requestText = ({ obligation, request: { method, target, body } }: TestCase): string => {
  const text = body === null ? '' : ` ${cut(new TextDecoder().decode(body))}`
  return `${method} ${cut(target)}${text} (${obligation.id})`
}
