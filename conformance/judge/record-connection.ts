import { type Obligation, violationOf } from '../../spec/index.ts'
import { addIncident, type Incident, type RunStats, statsOf } from './run-stats.ts'

/** Whether an obligation is that connections last until the response is complete. */
export const isConnection = ({ subject }: Pick<Obligation, 'subject'>): boolean =>
  subject.kind === 'stability' && subject.name === 'connection'

/** Adds a request to the stats of the obligation of connections; `lost`: its connection was lost before it got a response on another. */
export const recordConnection = (
  stats: RunStats,
  connection: Obligation,
  lost: Pick<Incident, 'testCase' | 'outcome'> | null,
): void => {
  statsOf(stats, connection.id).cases += 1
  if (lost === null) return
  const violation = violationOf(connection, {
    expected: 'a response',
    actual: 'the connection was lost',
  })
  addIncident(stats, { ...lost, violation })
}
