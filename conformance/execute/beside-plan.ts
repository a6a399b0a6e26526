/** What is sent beside the plan: cases whose requirements nobody can plan, as they need what the user gives or what comes to a listener. */
import type { Obligation, Subject, UntestedReason } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { strategyOf } from '../cases/strategies/index.ts'
import type { RunStats } from '../judge/run-stats.ts'
import { sliceNameOf } from '../plan/plan-slice.ts'
import type { Sent } from '../send/lost-connections.ts'
import type { OperationSession, RunSession } from '../session/session.ts'
import { recordCase } from './record-case.ts'

/** How many cases were judged, and why requirements could not be tested. */
export type SentBeside = {
  readonly cases: number
  readonly untested: ReadonlyMap<string, UntestedReason>
}

export type BesidePlan = {
  /** The requirements of this kind that this session tests, in the order of the contract. */
  readonly due: (kind: Subject['kind']) => readonly Obligation[]
  /** Sends and judges a case; null if it could not be sent. */
  readonly attempt: (operation: OperationSession, testCase: TestCase) => Promise<Sent | null>
  /** The same for the only case of a requirement, which is untested if it could not be sent. */
  readonly send: BesidePlan['attempt']
  readonly sent: () => SentBeside
}

export const createBesidePlan = (session: RunSession, stats: RunStats): BesidePlan => {
  const { scope, slices } = session
  const names = new Set(slices.map(({ name }) => name))
  const untested = new Map<string, UntestedReason>()
  let cases = 0
  const judged = (operation: OperationSession, sent: Sent): Sent | null => {
    if (sent.missing !== undefined) return null
    recordCase(session, operation, sent, stats)
    cases += 1
    return sent
  }
  return {
    due: kind =>
      scope.obligations.filter(
        obligation =>
          obligation.subject.kind === kind &&
          scope.isSelected(obligation.id) &&
          names.has(sliceNameOf(obligation)),
      ),
    attempt: async (operation, testCase) => judged(operation, await operation.sender.send(testCase)),
    send: async (operation, testCase) => {
      const sent = await operation.sender.send(testCase)
      if (sent.missing !== undefined)
        untested.set(testCase.obligation.id, { cause: 'unprovoked', reason: sent.missing })
      return judged(operation, sent)
    },
    sent: () => ({ cases, untested }),
  }
}

/** Whether the requests of a requirement have to be rejected. */
export const isOfInvalid = ({ family, subject }: Obligation): boolean =>
  family === 'reject' || (subject.kind === 'credentials' && !subject.isAccepted)

/** The first request for a requirement that has to be rejected; null if none can be made. */
export const firstInvalid = (
  { context, sender }: OperationSession,
  obligation: Obligation,
): TestCase | null => {
  const strategy = strategyOf(context, obligation)
  return strategy === null || 'unsupported' in strategy ? null : sender.rejectedCase(obligation, strategy, 0)
}
