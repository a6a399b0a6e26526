import { type Outcome, statusOf } from '../../spec/index.ts'
import { isTaken } from '../judge/expected-status.ts'
import { reasonOf, tellsApart } from '../judge/server-words.ts'
import { isAbsence, isAbsenceInWords } from '../pool/rejection-words.ts'
import type { Sent } from '../send/lost-connections.ts'
import { is503 } from '../send/patient-send.ts'
import { isHanging } from '../send/transport/failure.ts'
import type { OperationSession } from '../session/session.ts'
import { isMadeUp } from './access-problem.ts'

/**
 * If the head of a response came and its body broke off, the request was accepted all the same. What could not be asked shows nothing.
 */
export const isAccepted = ({ model }: OperationSession, { testCase, outcome, missing }: Sent): boolean => {
  if (missing !== undefined) return true
  const status = outcome.kind === 'response' ? outcome.response.status : outcome.status
  return status !== null && isTaken(model.operation, status, testCase.chain?.exists === true)
}

export const wasSentAndAccepted = (operation: OperationSession, sent: Sent): boolean =>
  sent.missing === undefined && !isMadeUp(sent) && isAccepted(operation, sent)

/** Whether a request was not served, as the server is too busy or hangs: more of them take their time, and show as little. */
export const isUnserved = (outcome: Outcome): boolean => is503(outcome) || isHanging(outcome)

/** Whether a request was rejected for something that the server may name: some servers have a 500 for that. */
export const isRejected = (sent: Sent): boolean => {
  const { outcome } = sent
  const status = statusOf(outcome)
  return status >= 500
    ? !isUnserved(outcome) && !isAbsenceInWords(outcome) && tellsApart(reasonOf(sent, []))
    : status >= 400 && !isAbsence(status)
}
