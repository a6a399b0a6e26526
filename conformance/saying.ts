import { header, isObject, mediaType, type Outcome, readJson } from '../spec/index.ts'
import type { Case } from './case.ts'

/** Why there was no answer, in words. */
export const failureWords = {
  refused: 'the connection was refused',
  unreachable: 'the server cannot be reached',
  reset: 'the connection was closed before the answer was whole',
  timeout: 'no whole answer in time',
  malformed: 'what came is not HTTP',
  'too-large': 'the answer is larger than the limits',
}

/** One word for what came, to tell causes apart: `200`, `500`, `reset`. */
export const signature = (outcome: Outcome): string =>
  outcome.kind === 'failure' ? outcome.failure : String(outcome.answer.status)

/** `400 application/json` with what a JSON object of it says in short. */
export const summary = (outcome: Outcome): string => {
  if (outcome.kind === 'failure') return failureWords[outcome.failure]
  const { status, headers, body } = outcome.answer
  const reading = readJson(body)
  const said =
    reading.ok && isObject(reading.value)
      ? Object.entries(reading.value)
          .filter(([, value]) => typeof value === 'number')
          .map(([name, value]) => `${name} ${value}`)
      : []
  return [status, ...(reading.ok ? said : [mediaType(header(headers, 'content-type')) ?? 'no body'])].join(
    ' ',
  )
}

/** What an answer to an open question says. */
export const observation = ({ obligation, draft }: Case, outcome: Outcome): string => {
  const { subject } = obligation
  const name = subject.kind === 'open' ? subject.name : subject.kind
  const said = summary(outcome)
  if (outcome.kind === 'failure' || name === 'credentials') return said
  const { status, headers, body } = outcome.answer
  const taken = status >= 200 && status < 300
  switch (name) {
    case 'other-method': {
      const allow = header(headers, 'allow')
      return `${draft.method}: ${status}${allow === null ? ' without Allow' : `, Allow: ${allow}`}`
    }
    case 'other-path':
      return String(status)
    case 'duplicate-id':
      return taken ? `accepted (${status})` : `refused (${said})`
    case 'undeclared-property': {
      const reading = readJson(body)
      const back = reading.ok && isObject(reading.value) && Object.hasOwn(reading.value, 'undeclared')
      return taken ? `accepted, ${back ? 'given back' : 'not given back'}` : `refused (${said})`
    }
    default:
      return taken ? 'accepted' : `refused (${said})`
  }
}
