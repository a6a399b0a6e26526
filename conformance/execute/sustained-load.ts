import type { Obligation } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { type Strategy, strategyOf } from '../cases/strategies/index.ts'
import { type RunStats, statsOf } from '../judge/run-stats.ts'
import { requestsInFlight } from '../options/run-options.ts'
import { sliceNameOf } from '../plan/plan-slice.ts'
import { recordCase } from './record-case.ts'
import { isTimeUp } from './run-clock.ts'
import type { OperationSession, RunSession } from './session.ts'

/** A failed request counts as this many: a server that hangs would otherwise take all day. */
const failureWeight = 100

/** The least number of requests in a round. */
const roundSize = 64

/**
 * Keeps operations busy with requests that have to be rejected, and so create nothing. A server that gives out over some thousand
 * requests shows it without filling anybody's store, and every obligation to reject something gets many more cases.
 */
export const sustainLoad = async (
  session: RunSession,
  operations: readonly OperationSession[],
  stats: RunStats,
): Promise<void> => {
  if (session.options.sustained === 0) return
  for (const operation of operations) {
    const drift = driftObligation(session, operation)
    if (drift !== undefined) await load(session, operation, drift.id, stats)
  }
}

/** The obligation that load is about, if this session tests it. */
const driftObligation = (
  { scope, slices }: RunSession,
  { obligations }: OperationSession,
): Obligation | undefined =>
  obligations.find(
    ({ subject, id, operation, family }) =>
      subject.kind === 'stability' &&
      subject.name === 'drift' &&
      scope.isSelected(id) &&
      slices.some(({ name }) => name === sliceNameOf({ operation, family })),
  )

const load = async (
  session: RunSession,
  operation: OperationSession,
  drift: string,
  stats: RunStats,
): Promise<void> => {
  const { options, clock, operations } = session
  let left = Math.floor(options.sustained / operations.size)
  const isOver = (): boolean => left <= 0 || options.signal.aborted || isTimeUp(clock)

  /** One case of each row by turns; several if there are few rows. */
  function* round(rows: readonly Row[]): Generator<{ readonly row: Row; readonly testCase: TestCase }> {
    for (let turn = 0; turn < Math.ceil(roundSize / rows.length); turn++)
      for (const row of rows) {
        if (isOver()) return
        const testCase = operation.sender.rejectedCase(row.obligation, row.strategy, row.index++)
        if (testCase === null) continue
        left -= 1
        yield { row, testCase }
      }
  }

  const sendAll = async (cases: ReturnType<typeof round>): Promise<void> => {
    const worker = async (): Promise<void> => {
      for (const { row, testCase } of cases) {
        const sent = await operation.sender.send(testCase)
        statsOf(stats, drift).cases += 1
        row.hasFailed ||= recordCase(session, operation, sent, stats).length > 0
        if (sent.outcome.kind === 'failure') left -= failureWeight
      }
    }
    await Promise.all(Array.from({ length: requestsInFlight(options) }, worker))
  }

  // Rows end between rounds only, so that neither timing nor the number of requests in flight decides what is sent.
  for (let rows = rejectedRows(operation, left); rows.length > 0; rows = rows.filter(row => !row.hasFailed)) {
    const before = left
    await sendAll(round(rows))
    if (left === before || isOver()) return
  }
}

type Row = {
  readonly obligation: Obligation
  readonly strategy: Strategy
  /** Of the next request. */
  index: number
  /** Further cases would show nothing new. */
  hasFailed: boolean
}

/** Of an endless strategy, requests from this index on are not in the plan. */
const beyondPlanned = 10_000

/** The first obligations to reject something, at most as many as there are requests, with requests that the plan does not have. */
const rejectedRows = ({ obligations, context }: OperationSession, most: number): readonly Row[] => {
  const rows: Row[] = []
  for (const obligation of obligations) {
    if (rows.length >= most) break
    const { family, level } = obligation
    if ((family !== 'reject' && family !== 'auth') || level === 'OBSERVE') continue
    const strategy = strategyOf(context, obligation)
    // A precondition would be a valid request, which creates something.
    if (strategy === null || 'unsupported' in strategy || strategy.precondition !== 'none') continue
    rows.push({ obligation, strategy, index: Math.min(strategy.size, beyondPlanned), hasFailed: false })
  }
  return rows
}
