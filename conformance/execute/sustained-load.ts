import { setTimeout as delay } from 'node:timers/promises'
import type { Obligation, StabilityName } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { type Strategy, strategyOf } from '../cases/strategies/index.ts'
import { type RunStats, statsOf } from '../judge/run-stats.ts'
import { requestsInFlight } from '../options/run-options.ts'
import { sliceNameOf } from '../plan/plan-slice.ts'
import { elapsedMs, isTimeUp } from '../session/run-clock.ts'
import type { OperationSession, RunSession } from '../session/session.ts'
import { recordCase } from './record-case.ts'

/** A failed request counts as this many: a server that hangs would otherwise take all day. */
const failureWeight = 100

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
    const drift = stabilityObligation(session, operation, 'drift')
    if (drift !== undefined) await load(session, operation, drift.id, stats)
  }
}

/** How long the server is left alone: this share of the run so far, but some milliseconds at least and at most. */
const idle = { share: 0.1, least: 100, most: 3000 } as const

/** How many requests are sent at the same time; no more of them are in flight than may be. */
const waves = [1, 2, 3, 4, 6, 8, 12, 16]

/**
 * Leaves the server alone for a moment, and then sends valid requests in waves: one, two at the same time, three and more, each wave when the
 * one before is answered. In the rest of a run there are always about as many in flight.
 */
export const sendInWaves = async (
  session: RunSession,
  operations: readonly OperationSession[],
  stats: RunStats,
): Promise<void> => {
  const { options, clock } = session
  const isOver = (): boolean => options.signal.aborted || isTimeUp(clock)
  const operation =
    operations.find(({ model }) => model.operation.method === 'POST' && model.body !== null) ?? operations[0]
  const obligation = operation && stabilityObligation(session, operation, 'consistency')
  if (operation === undefined || obligation === undefined || options.sustained === 0 || isOver()) return
  const ms = Math.min(idle.most, Math.max(idle.least, idle.share * elapsedMs(clock)))
  await delay(ms, undefined, { signal: options.signal }).catch(() => {})
  const { sender } = operation
  const sendOne = async (index: number): Promise<boolean> => {
    const sent = await sender.send(sender.validCase(obligation, index % 2 === 0 ? 'plain' : 'full'))
    statsOf(stats, obligation.id).cases += 1
    return recordCase(session, operation, sent, stats).length === 0
  }
  for (const size of waves) {
    if (isOver()) return
    const passed = await Promise.all(Array.from({ length: size }, (_, index) => sendOne(index)))
    if (passed.includes(false)) return
  }
}

/** The obligation that load is about, if this session tests it. */
const stabilityObligation = (
  { scope, slices }: RunSession,
  { obligations }: OperationSession,
  name: StabilityName,
): Obligation | undefined =>
  obligations.find(
    ({ subject, id, operation, family }) =>
      subject.kind === 'stability' &&
      subject.name === name &&
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

  /** One case of each row by turns, so many times, or until there are none. */
  function* turns(
    rows: readonly Row[],
    most: number,
  ): Generator<{ readonly row: Row; readonly testCase: TestCase }> {
    for (let turn = 0, before = left + 1; turn < most && left < before; turn++) {
      before = left
      for (const row of rows) {
        if (isOver()) return
        const testCase = operation.sender.rejectedCase(row.obligation, row.strategy, row.index++)
        if (testCase === null) continue
        left -= 1
        yield { row, testCase }
      }
    }
  }

  const sendAll = async (cases: ReturnType<typeof turns>): Promise<void> => {
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

  // Which rows go on is decided once, when all are answered, so that neither timing nor the number of requests in flight decides what is sent.
  const rows = rejectedRows(operation, left)
  await sendAll(turns(rows, 1))
  await sendAll(
    turns(
      rows.filter(row => !row.hasFailed),
      Number.POSITIVE_INFINITY,
    ),
  )
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
