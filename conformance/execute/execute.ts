import type { RunEvent } from '../../spec/index.ts'
import { createRunStats } from '../judge/run-stats.ts'
import type { RunOptions } from '../options/run-options.ts'
import { createScope, type Scope } from '../options/scope.ts'
import { additionsOf } from '../send/redaction.ts'
import { connect } from './connect.ts'
import type { RunResults } from './evidence.ts'
import { askAgain, confirmFailures, probeAgain } from './follow-up.ts'
import { preflight, unreachable } from './preflight.ts'
import { elapsedMs, startClock } from './run-clock.ts'
import { closingNotes, openingNotes } from './run-notes.ts'
import { sendPlan } from './send-plan.ts'
import { openSession, planOf, testedOperations } from './session.ts'
import { startEvent } from './start-event.ts'
import { sustainLoad } from './sustained-load.ts'
import { waitForServer } from './wait-for-server.ts'

/** What a run was about, and what came of it. */
export type Executed = { readonly scope: Scope; readonly results: RunResults }

/**
 * Sends all requests of a run: waits for the server, tries valid requests, sends the plan, keeps up the load, and confirms what
 * failed. Concludes nothing. Throws before anything is sent if the rules do not fit the contract (see `createScope`).
 */
export const execute = async (options: RunOptions, emit: (event: RunEvent) => void): Promise<Executed> => {
  const clock = startClock(options)
  const scope = createScope(options.contract, options, options.at, options.planCache?.models)
  const transport = connect(options, clock)
  try {
    const first = openSession({ options, scope, clock, transport }, 0)
    const problem = await waitForServer(transport, options)
    const state = problem === null ? await preflight(first) : unreachable(first, problem)
    const { session, blocked } = state
    const plan = planOf(session)
    emit(startEvent(session, plan))
    openingNotes(session).forEach(emit)
    const stats = createRunStats()
    const sent = await sendPlan(session, plan, state, stats, emit)
    const operations = testedOperations(session).filter(
      ({ model: { operation } }) =>
        sent.stopped !== 'unreachable' &&
        sent.stopped !== 'access' &&
        !blocked.has(operation.id) &&
        !state.closed.has(operation.id),
    )
    if (sent.stopped === 'done') await sustainLoad(session, operations, stats)
    const open = sent.stopped === 'done' ? await askAgain(session, operations, stats) : new Map()
    const drifted = await probeAgain(session, operations)
    const confirmations = await confirmFailures(session, operations, stats, drifted)
    closingNotes(session).forEach(emit)
    const after = { stats, blocked, drifted, confirmations, additions: additionsOf(options) }
    return {
      scope,
      results: {
        ...sent,
        untested: new Map([...sent.untested, ...open]),
        ...after,
        requests: transport.sent(),
        certificates: transport.certificates(),
        ms: elapsedMs(clock),
      },
    }
  } finally {
    await transport.close()
  }
}
