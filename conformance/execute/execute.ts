import { setImmediate as pause } from 'node:timers/promises'
import { deriveSeed } from '../../generator/index.ts'
import {
  deriveObligations,
  type Obligation,
  type RunEvent,
  type RunWatch,
  requestPatterns,
} from '../../spec/index.ts'
import type { Listener } from '../callbacks/listener.ts'
import { verifyDefaults } from '../defaults.ts'
import { blockedByPlan, stillBlocked } from '../judge/blocked.ts'
import { createRunStats } from '../judge/run-stats.ts'
import { type GivenOptions, type RunOptions, secretOf } from '../options/run-options.ts'
import { createScope, type Scope } from '../options/scope.ts'
import { budgetNotes, defaultCases, type Need, needOf, type Pace, restNotes } from '../plan/budget.ts'
import { createPool } from '../pool/pool.ts'
import { preflight, unreachable } from '../reach/preflight.ts'
import { additionsOf, withExtraHeaders } from '../send/redaction.ts'
import { createTransport, type Transport } from '../send/transport/index.ts'
import { recorded } from '../send/transport/recorded.ts'
import { planOf } from '../session/plan-of.ts'
import { createRunGate, elapsedMs, type RunClock, startClock } from '../session/run-clock.ts'
import { type OperationSession, openSession, testedOperations } from '../session/session.ts'
import { createTrialAnswers } from '../session/trial-answers.ts'
import { waitForServer } from '../set-up/wait-for-server.ts'
import { cleanUp } from '../state/clean-up.ts'
import { createdInstances } from '../state/created-instances.ts'
import { confirmFailures } from './confirm-failures.ts'
import type { RunResults } from './evidence.ts'
import { askAgain, probeAgain } from './follow-up.ts'
import { closingNotes, openingNotes, unaskedText } from './run-notes.ts'
import { sendCallbacks } from './send-callbacks.ts'
import { playFlows, sendFlows } from './send-flows.ts'
import { sendPlan } from './send-plan.ts'
import { startEvent } from './start-event.ts'
import { sendInWaves, sustainLoad } from './sustained-load.ts'

/** The obligations of the contract. Of a large one this takes seconds, in which signals are heard. */
const derive = async ({ contract, unauthenticated }: GivenOptions): Promise<readonly Obligation[]> => {
  const obligations: Obligation[] = []
  let paused = performance.now()
  for (const group of deriveObligations(contract, unauthenticated)) {
    for (const obligation of group) obligations.push(obligation)
    if (performance.now() - paused < mostMsWithoutPause) continue
    await pause()
    paused = performance.now()
  }
  return obligations
}

const mostMsWithoutPause = 100

/** The budget of a run, if nobody gives one: what its contract needs. */
const withBudget = ({ cases, sustained, ...given }: GivenOptions, need: Need): RunOptions => {
  const needed = defaultCases(need)
  const planned = cases === undefined ? needed : cases
  const { share, most } = verifyDefaults.sustained
  return { ...given, cases: planned, needed, sustained: sustained ?? Math.min(share * (planned ?? 0), most) }
}

const paceOf = (clock: RunClock, transport: Transport): Pace => ({
  requests: transport.sent(),
  ms: elapsedMs(clock),
})

const since = (before: Pace, now: Pace): Pace => ({
  requests: now.requests - before.requests,
  ms: now.ms - before.ms,
})

/** Opens the way to the server under test. Exchanges are recorded only if somebody wants them. */
const connect = (options: RunOptions, { gate }: Scope, { began }: RunClock): Transport => {
  const { onExchange, secrets, watch } = options
  const bare = createTransport({ ...options, token: secretOf(options), gate })
  const transport = watch === null ? bare : watched(bare, watch)
  if (onExchange === null) return transport
  const additions = additionsOf(options)
  return recorded(transport, {
    secrets,
    began,
    onExchange: exchange =>
      onExchange({ ...exchange, request: withExtraHeaders(exchange.request, additions) }),
  })
}

/** Listens for callbacks, at addresses that no other run has. Throws ListenerError. */
const listenFor = async ({ listen, seed, at, signal }: RunOptions): Promise<Listener | null> => {
  if (listen === null) return null
  const { openListener } = await import('../callbacks/listener.ts')
  return openListener(listen, deriveSeed(seed, at).toString(16), signal)
}

/** Milliseconds that the reports of one obligation take, if all of them are written. */
const msOfReports = 0.05
/** The same, in parts of the time that it took to derive them: a busy machine is slow at both. */
const reportsOfDerived = 1 / 3

/** What a run was about, and what came of it. */
export type Executed = { readonly scope: Scope; readonly results: RunResults }

/**
 * Sends all requests of a run: waits for the server, tries valid requests, sends the plan, keeps up the load, and confirms what
 * failed. Concludes nothing. Throws before anything is sent if the rules do not fit the contract (see `createScope`).
 */
export const execute = async (given: GivenOptions, emit: (event: RunEvent) => void): Promise<Executed> => {
  const clock = startClock(given)
  const derived = await derive(given)
  const derivedMs = elapsedMs(clock)
  const scope = createScope(given.contract, given, given.at, given.planCache?.models, derived, given.examples)
  const need = needOf(scope.selected)
  const options = withBudget(given, need)
  const transport = connect(options, scope, clock)
  const gate = createRunGate(scope.gate, clock, options.signal)
  const listener = await listenFor(options)
  try {
    const created = createdInstances()
    const included = requestPatterns(given.contract, given.include, '--include')
    const pool = createPool(given.contract.operations, created, operation =>
      included.some(pattern => pattern.matchesOperation(operation)),
    )
    clock.keepFor({
      // To remove a resource takes as long as for others of its kind, or about as long as any request did so far, and several are removed at a time.
      cleanUp: () =>
        created.removalMs((clock.sendingMs() * transport.limit()) / Math.max(1, transport.sent())) /
        transport.limit(),
      reports: Math.max(scope.obligations.length * msOfReports, derivedMs * reportsOfDerived),
    })
    clock.startSending()
    const answers = createTrialAnswers()
    const first = openSession({ options, scope, clock, transport, gate, listener, created, pool, answers }, 0)
    const problem = await waitForServer(transport, options)
    const before = paceOf(clock, transport)
    options.watch?.phase('trial')
    if (problem === null) await playFlows(first)
    const state = problem === null ? await preflight(first) : unreachable(first, problem)
    const { session } = state
    const plan = planOf(session, state.unasked)
    emit(startEvent(session, plan))
    openingNotes(session).forEach(emit)
    budgetNotes(options.cases, need, since(before, paceOf(clock, transport))).forEach(emit)
    const stats = createRunStats()
    options.watch?.phase('cases')
    // What somebody wrote down comes before what is made up.
    const flows = await sendFlows(session, state, stats)
    const callbacks = await sendCallbacks(session, state, stats)
    const start = paceOf(clock, transport)
    const sent = await sendPlan(session, plan, state, stats, emit)
    restNotes(sent.untested, need, {
      ...since(start, paceOf(clock, transport)),
      requests: sent.cases,
    }).forEach(emit)
    const byPlan = [...state.untried].flatMap(([id, rejected]) => {
      const operation = session.operations.get(id) as OperationSession
      const finding = blockedByPlan(operation, rejected, stats, options)
      return finding === null ? [] : [[id, finding] as const]
    })
    const blocked = stillBlocked(new Map([...state.blocked, ...byPlan]), scope.obligationsOf, stats)
    const isReached = sent.stopped !== 'unreachable' && sent.stopped !== 'access'
    const open = isReached ? testedOperations(session) : []
    // Where nothing exists that an operation asks for, only requests that it has to reject were sent.
    const accepting = open.filter(
      ({ model: { operation } }) =>
        !state.unnamed.has(operation.id) && !blocked.has(operation.id) && !state.closed.has(operation.id),
    )
    if (sent.stopped === 'done') {
      options.watch?.phase('load')
      await sustainLoad(session, accepting, stats)
      await sendInWaves(session, accepting, stats)
    }
    options.watch?.phase('repetition')
    gate.openForRepetition()
    const unanswered = sent.stopped === 'done' ? await askAgain(session, accepting, stats) : new Map()
    const drifted = await probeAgain(session, accepting, state.accepted, stats)
    const confirmations = await confirmFailures(session, open, {
      stats,
      drifted,
      blocked,
      unnamed: state.unnamed,
      accepted: state.accepted,
    })
    closingNotes(session).forEach(emit)
    options.watch?.phase('clean-up')
    gate.openForCleanUp()
    const other = session.other()
    if (isReached) (await cleanUp(session)).forEach(emit)
    if (isReached && other !== null) (await cleanUp(other)).forEach(emit)
    const { unnamed } = state
    const after = { stats, blocked, unnamed, drifted, confirmations, additions: additionsOf(options) }
    return {
      scope,
      results: {
        ...sent,
        reason: sent.stopped === 'time' ? unaskedText(session) : sent.reason,
        cases: sent.cases + flows.cases + callbacks.cases,
        untested: new Map([...sent.untested, ...flows.untested, ...callbacks.untested, ...unanswered]),
        ...after,
        requests: transport.sent(),
        certificates: transport.certificates(),
        ms: elapsedMs(clock),
      },
    }
  } finally {
    gate.close()
    await listener?.close()
    await transport.close()
  }
}

/** The same transport, which says what it is sending. */
const watched = (transport: Transport, { sending }: RunWatch): Transport => ({
  ...transport,
  send: async (request, onSend) => {
    const done = sending(request)
    try {
      return await transport.send(request, onSend)
    } finally {
      done()
    }
  },
})
