import { statusOf } from '../../spec/index.ts'
import { isAbsence, isOfName } from '../judge/expected-status.ts'
import type { Incident } from '../judge/run-stats.ts'

export const absenceReason = 'nothing has the name that it sends, so it may not be found'

/** Whether a valid request was answered that nothing has the name which its case is about. */
export const isAbsent = (incident: Incident): boolean =>
  isAbsence(statusOf(incident.outcome)) && isOfMadeUpName(incident)

/** Whether it may be so though the server does not say it: who must not know what exists is answered as if somebody else had it. */
export const mayBeAbsent = (incident: Incident): boolean =>
  statusOf(incident.outcome) === 403 && isOfMadeUpName(incident)

const isOfMadeUpName = ({ testCase: { obligation, expectation }, violation }: Incident): boolean =>
  expectation === 'accept' && violation.subject.kind !== 'response' && isOfName(obligation)
