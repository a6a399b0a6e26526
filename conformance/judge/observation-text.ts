import { cut, failureText, header, isObject, mediaType, type Outcome, readJson } from '../../spec/index.ts'
import { caseId, type TestCase } from '../cases/case.ts'

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

/** The requests that may have ended a server, as the rest of a sentence; empty if there are none. */
export const suspectsText = (cases: readonly TestCase[]): string => {
  if (cases.length === 0) return ''
  const names = cases
    .slice(0, suspectsShown)
    .map(({ number, obligation }) => `${caseId(number)} (${obligation.id})`)
    .join(', ')
  const more = cases.length > suspectsShown ? ` and ${cases.length - suspectsShown} more` : ''
  return `. The last requests before that, without a response, were ${names}${more}`
}
