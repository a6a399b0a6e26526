import { describeResponse, isBlocking, type NoteEvent, statusOf } from '../../spec/index.ts'
import { absenceReason, isAbsent, mayBeAbsent } from '../confirm/absence.ts'
import type { Confirmations } from '../confirm/confirm.ts'
import { type Confirmed, isSettled } from '../confirm/confirm-incident.ts'
import { loadReason } from '../confirm/passes-alone.ts'
import type { Incident } from '../judge/run-stats.ts'
import { answerOf } from '../judge/server-words.ts'
import { isConflictInWords } from '../pool/rejection-words.ts'
import { isHanging } from '../send/transport/failure.ts'

const ofLoad = (confirmations: Confirmations): readonly Confirmed[] =>
  [...confirmations.values()].filter(({ isOfLoad }) => isOfLoad === true)

/**
 * Tells why a confirmation shows nothing; null if it shows something. What failed under load is known by its answer wherever it did not come
 * again, and a 400 or 403 to a made-up name is one to any such name if nobody has asked.
 */
export const excusesOf = (confirmations: Confirmations): ((confirmed: Confirmed) => string | null) => {
  const answers = new Set(ofLoad(confirmations).map(({ incident }) => answerOf(incident)))
  const isBlocked = [...confirmations.values()].some(({ incident }) => isBlocking(incident.outcome))
  return confirmed => {
    const { excuse, repeat, incident } = confirmed
    return (
      excuse ??
      (isAbsent(incident) || (!isSettled(confirmed) && mayBeAbsent(incident)) ? absenceReason : null) ??
      (incident.testCase.expectation === 'reject' && isTakenName(incident) ? takenReason : null) ??
      (repeat !== 'steady' && answers.has(answerOf(incident)) ? loadReason : null) ??
      (isBlocked && repeat !== 'steady' && isHanging(incident.outcome) && !isBlocking(incident.outcome)
        ? blockedReason
        : null)
    )
  }
}

/** One of several processes of a server may be busy, and those that wait for it hang while others are answered. */
const blockedReason =
  'it hung in a run in which another request kept the server busy, and not each time that it was sent'

/** Whether an invalid request was rejected for what it would have been a second time: the server looks at the name first. */
const isTakenName = ({ outcome }: Incident): boolean =>
  statusOf(outcome) === 409 && isConflictInWords(outcome)

const takenReason = 'the server says that something has the name that it sends already'

/** A note if requests failed only under the load of the run: how many were sent at once is up to whoever runs it. */
export const loadNotes = (confirmations: Confirmations): readonly NoteEvent[] => {
  const all = ofLoad(confirmations)
  const [first] = all
  if (first === undefined) return []
  const operations = [...new Set(all.map(({ incident }) => incident.violation.operation))]
  const { outcome } = first.incident
  const shown = outcome.kind === 'response' ? describeResponse(outcome.response) : outcome.detail
  return [
    {
      type: 'note',
      level: 'warning',
      message: `${operations.join(', ')}: requests failed only while others were in flight, and passed alone (${shown}); --concurrency 1 shows them without that`,
    },
  ]
}
