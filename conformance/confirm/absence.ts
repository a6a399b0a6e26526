import type { Outcome } from '../../spec/index.ts'
import { isAbsence, isOfName } from '../judge/expected-status.ts'
import type { Incident } from '../judge/run-stats.ts'

export const absenceReason = 'nothing has the name that it sends, so it may not be found'

export const statusOf = (outcome: Outcome): number =>
  outcome.kind === 'response' ? outcome.response.status : 0

/** Whether a valid request was answered that nothing has the name which its case is about. */
export const isAbsent = ({ testCase: { obligation, expectation }, outcome, violation }: Incident): boolean =>
  expectation === 'accept' &&
  violation.subject.kind !== 'response' &&
  isAbsence(statusOf(outcome)) &&
  isOfName(obligation)
