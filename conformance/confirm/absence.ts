import { statusOf } from '../../spec/index.ts'
import { isOfName } from '../judge/expected-status.ts'
import type { Incident } from '../judge/run-stats.ts'
import { isAbsence } from '../pool/rejection-words.ts'

export const absenceReason = 'nothing has the name that it sends, so it may not be found'

/** Whether a valid request was answered that nothing has the name which its case is about. */
export const isAbsent = (incident: Incident): boolean =>
  isAbsence(statusOf(incident.outcome)) && isOfMadeUpName(incident)

/**
 * Whether it may be so though the server does not say it: who must not know what exists is answered as if somebody else had it, and some servers
 * answer 400 to a name of a form that nothing has.
 */
export const mayBeAbsent = (incident: Incident): boolean =>
  [400, 403, 422].includes(statusOf(incident.outcome)) && isOfMadeUpName(incident)

const isOfMadeUpName = ({ testCase: { obligation, expectation }, violation }: Incident): boolean =>
  expectation === 'accept' && violation.subject.kind !== 'response' && isOfName(obligation)
