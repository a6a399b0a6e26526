import { headerIn, type ResponseViolation, responseFor } from '../../spec/index.ts'
import { compiledOperation, type Engine } from '../engine/engine.ts'
import { isBodiless, type MockResponse } from '../engine/mock-response.ts'
import type { JudgedRequest } from '../engine/request.ts'

const maxShown = 5

/** How an answer breaks the contract, in one line with the place and the way out; null: it does not. */
export const answerViolation = (
  engine: Engine,
  operation: JudgedRequest['operation'],
  response: MockResponse,
): string | null => {
  const { status, body } = response
  const declared = responseFor(operation, status)
  const extra = body.length > 0 && declared?.media.length === 0
  const violations = compiledOperation(engine, operation).judgeResponse(response, undefined)
  const found = [
    ...(extra ? ['the contract declares no body'] : []),
    ...new Set(violations.map(violationText)),
  ]
  if (found.length === 0) return null
  const more = found.length > maxShown ? `; and ${found.length - maxShown} more` : ''
  return `the answer ${status} breaks the contract: ${found.slice(0, maxShown).join('; ')}${more}; change it, or add undeclared: true to break the contract on purpose`
}

/** How headers break the contract of a response, whatever its body; null: they do not. */
export const headerBreachOf = (
  engine: Engine,
  operation: JudgedRequest['operation'],
  response: MockResponse,
  names: ReadonlySet<string>,
): string | null => {
  const [found] = compiledOperation(engine, operation)
    .judgeResponse(response, undefined)
    .filter(({ subject }) => names.has(headerIn(subject) ?? ''))
  return found === undefined
    ? null
    : `headers break the contract of ${response.status}: ${violationText(found)}; change them, or add undeclared: true to break the contract on purpose`
}

/** Null: the answer can be sent as it is. */
export const unsendable = (status: number, hasBody: boolean): string | null =>
  hasBody && isBodiless(status) ? `a ${status} response cannot have a body` : null

const violationText = ({ subject, expected, actual, kind }: ResponseViolation): string => {
  switch (subject.kind === 'response' ? subject.aspect : null) {
    case 'declared':
      return `the status is not declared (${expected.replace(/^[^:]*: /, 'declared: ')})`
    case 'schema':
      return / is (?:missing|not declared)$/.test(expected) ? expected : `${expected}, not ${actual}`
    case 'json':
      return actual
    case 'header':
      return kind === 'absent' ? `${expected} is missing` : `${expected}, not ${actual}`
    default:
      return `it must have ${expected}, not ${actual}`
  }
}
