import { type NoteEvent, type Obligation, violationOf } from '../../spec/index.ts'
import { isConnection } from '../judge/record-outcome.ts'
import type { Incident, ObligationStats, RunStats } from '../judge/run-stats.ts'
import type { Cluster } from './cluster.ts'

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
