import {
  describeResponse,
  isBlocking,
  type NoteEvent,
  type Obligation,
  statusOf,
  violationOf,
} from '../../spec/index.ts'
import { absenceReason, isAbsent, mayBeAbsent } from '../confirm/absence.ts'
import type { Confirmations } from '../confirm/confirm.ts'
import { type Confirmed, isSettled } from '../confirm/confirm-incident.ts'
import { loadReason } from '../confirm/group.ts'
import { isConnection } from '../judge/record-outcome.ts'
import type { Incident, ObligationStats, RunStats } from '../judge/run-stats.ts'
import { answerOf } from '../judge/server-words.ts'
import { isConflictInWords } from '../pool/rejection-words.ts'
import { isLost } from '../send/lost-connections.ts'
import { isHanging } from '../send/transport/failure.ts'
import { type Cluster, partition } from './cluster.ts'

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

/** The share of requests from which lost connections are a finding. Below it the network is as likely to have lost them. */
const share = 0.01
/** So many may be chance, however few requests were sent. */
const mostByChance = 2

/**
 * Lost connections as a finding of their own, if there are many. `unanswered`: incidents of other obligations without a response
 * that got one when they were sent again after the cases.
 */
export const connectionCluster = (
  obligations: readonly Obligation[],
  { obligations: all }: RunStats,
  unanswered: readonly Incident[],
): Cluster | null => {
  const connection = obligations.find(isConnection)
  const stats = connection === undefined ? undefined : all.get(connection.id)
  if (connection === undefined || stats === undefined) return null
  const incidents = [...stats.incidents, ...unanswered]
  const counts = { cases: stats.cases, failed: stats.failed + unanswered.length }
  const [first] = incidents
  if (first === undefined || !isMany(counts)) return null
  const violation = violationOf(connection, {
    expected: 'a response to every request; less than 1 % lost connections are put down to the network',
    actual: `${lostText(counts)} before the response was complete`,
    title: `lost ${counts.failed} connections before the response was complete`,
  })
  return {
    obligations: [connection],
    confirmed: { incident: { ...first, violation }, repeat: 'flaky', key: 'connection' },
    incidents,
    cases: counts.failed,
    key: 'connection',
    signature: 'connection',
  }
}

/** Splits off what lost its connection once, in an operation that loses many: one more shows nothing about its request. */
export const lostAsOthers = (
  clusters: readonly Cluster[],
  obligations: readonly Obligation[],
  { obligations: all }: RunStats,
): readonly [asOthers: readonly Cluster[], rest: readonly Cluster[]] => {
  const isLosing = obligations.some(each => isConnection(each) && isMany(all.get(each.id) ?? noCases))
  return partition(
    clusters,
    ({ confirmed }) => isLosing && confirmed.repeat !== 'steady' && isLost(confirmed.incident.outcome),
  )
}

const noCases = { cases: 0, failed: 0 }

/** A note for each operation that lost connections, but not so many that it is a finding. */
export const connectionNotes = (
  obligations: readonly Obligation[],
  { obligations: all }: RunStats,
): readonly NoteEvent[] =>
  obligations.filter(isConnection).flatMap(({ id, operation }) => {
    const stats = all.get(id)
    return stats === undefined || stats.failed === 0 || isMany(stats)
      ? []
      : [
          {
            type: 'note' as const,
            level: 'warning' as const,
            message: `${operation}: ${lostText(stats)}, by the server or the network; they were sent again. More than ${mostByChance}, and 1 % or more, would be a finding`,
          },
        ]
  })

export const lostReason = 'its connection was lost each time, until it was sent again after the cases'

type Counts = Pick<ObligationStats, 'cases' | 'failed'>

const isMany = ({ cases, failed }: Counts): boolean => failed > mostByChance && failed >= cases * share

const lostText = ({ cases, failed }: Counts): string =>
  `${failed} of ${cases} requests (${Math.max(0.1, (100 * failed) / cases).toFixed(1)} %) lost their connection`
