import {
  describeResponse,
  isRejection,
  type Outcome,
  type RawTrace,
  type ResponseViolation,
  violationOf,
} from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { malformedHttpKindOf } from '../cases/render.ts'
import { isTaken } from './expected-status.ts'

const success = 'the response to a valid request'

/**
 * Judges the response to malformed HTTP by what HTTP says of it. The contract has no say here: a server that cannot read a request
 * may respond before its application sees the request.
 */
export const judgeMalformedHttp = (
  { operation }: OperationModel,
  { obligation }: TestCase,
  outcome: Outcome,
): ResponseViolation | null => {
  const { subject } = obligation
  const kind = subject.kind === 'protocol' ? malformedHttpKindOf(subject.name) : null
  if (kind === null) return null
  const violation = (expected: string, actual: string): ResponseViolation =>
    violationOf(obligation, { expected, actual })
  const missing = (expected: string, actual: string): ResponseViolation => ({
    ...violation(expected, actual),
    waited: true,
  })
  if (outcome.kind === 'failure') {
    // That a response breaks off is not about how the request was framed: other requests show it.
    if (outcome.status !== null && isTaken(operation, outcome.status, false)) return null
    const isSilent = ['reset', 'timeout', 'malformed'].includes(outcome.failure)
    const isNeeded = ['accepted', 'continued', 'in-order', 'closed'].includes(kind.check)
    return isSilent && isNeeded ? violation(success, outcome.detail) : null
  }
  const { response, trace = untraced } = outcome
  const { status } = response
  const actual = describeResponse(response)
  const isAccepted = isTaken(operation, status, false)
  switch (kind.check) {
    case 'rejected':
      return status >= 200 && status < 300 ? violation('400, or the end of the connection', actual) : null
    case 'accepted':
      return isAccepted ? null : violation(success, actual)
    case 'survived':
      return status >= 500 ? violation('any response below 500', actual) : null
    case 'continued':
      if (!trace.early) return missing('100 Continue, or a final response before the body is sent', 'neither')
      return isAccepted || trace.interim.length === 0 ? null : violation(success, actual)
    case 'closed':
      if (!isAccepted) return violation(success, actual)
      return trace.closed ? null : missing('the end of the connection', 'a connection that stays open')
    case 'alone':
      return trace.statuses.length > 1 && isAccepted
        ? violation(
            'the end of the connection after the first response',
            `responses to both requests: ${trace.statuses.join(', ')}`,
          )
        : null
    case 'in-order': {
      const [first = 0, second] = trace.statuses
      if (!isTaken(operation, first, false)) return violation(`first ${success}`, actual)
      if (second === undefined)
        return trace.closed ? null : missing('a second response, or the end of the connection', 'neither')
      return isRejection(operation, 'body', second, 'declared') || second >= 400
        ? null
        : violation('a rejection of the second request', `${first}, then ${second}`)
    }
    case 'plain': {
      const isChunked = response.headers.some(([name]) => name.toLowerCase() === 'transfer-encoding')
      if (isChunked) return violation('a response without Transfer-Encoding', 'Transfer-Encoding')
      return trace.interim.length > 0 ? violation('no interim response', trace.interim.join(', ')) : null
    }
    case 'observed':
      return null
  }
}

const untraced: RawTrace = { statuses: [], interim: [], early: false, closed: false }
