import type { ExchangeEvent, UntestedReason } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { needsAccepted, needsName } from '../judge/blocked.ts'
import { addIncident, type RunStats, statsOf } from '../judge/run-stats.ts'
import { requestsInFlight, tokenFor } from '../options/run-options.ts'
import { countedIn } from '../options/scope.ts'
import { hasToldMost } from '../plan/breadth.ts'
import type { Plan } from '../plan/plan.ts'
import { createDigests, type SliceDigest, sliceNameOf } from '../plan/plan-slice.ts'
import type { Preflight } from '../reach/preflight.ts'
import { cutReason } from '../send/cut-send.ts'
import { createLanes, slow } from '../send/lanes.ts'
import { createPatience, hanging } from '../send/patience.ts'
import { isThrottled, throttledBy } from '../send/patient-send.ts'
import { unresolved } from '../send/transport/failure.ts'
import { createSlots } from '../send/transport/window.ts'
import { isLateIn } from '../session/plan-of.ts'
import { type Ending, isTimeUp, watchEnding } from '../session/run-clock.ts'
import type { OperationSession, RunSession } from '../session/session.ts'
import { createEarlyRemoval } from '../state/early-removal.ts'
import { keepForLater } from './cases-for-later.ts'
import { type AnsweredCase, createDoubtfulCases, type Settled } from './doubtful-cases.ts'
import { createExchangeLog } from './exchange-log.ts'
import { watchForGone } from './gone-server.ts'
import { createGroupTests } from './group-tests.ts'
import { createRecess } from './recess.ts'
import { createClosedCases, recordCase } from './record-case.ts'

/** How the cases of a plan went. */
export type SentPlan = Ending & {
  /** Cases that were judged. */
  readonly cases: number
  /** Whether the budget or the time ended the plan before it had the cases that the contract needs. */
  readonly isShort: boolean
  /** Of the slices that were to be sent, in the order of the contract. */
  readonly slices: readonly SliceDigest[]
  /** Why obligations of these slices have no case. */
  readonly untested: ReadonlyMap<string, UntestedReason>
}

/** After so many rejections in a row for their number (429) the server takes no requests from this run. */
const closedAfter = 20

/** So many cases are under way, however few requests may be in flight: one that waits to be sent again holds up no other. */
const leastCases = 4

/** Sends the cases of the plan, many at a time, and adds to the stats what each shows. */
export const sendPlan = async (
  session: RunSession,
  plan: Plan,
  preflight: Preflight,
  stats: RunStats,
  emit: (event: ExchangeEvent) => void,
): Promise<SentPlan> => {
  const { options, scope } = session
  const names = new Set(session.slices.map(({ name }) => name))
  const isSent = ({ obligation }: TestCase): boolean => names.has(sliceNameOf(obligation))
  const counted = countedIn(scope)
  const digests = createDigests(session.slices)
  const log = createExchangeLog(emit, options.secrets)
  const patience = createPatience()
  const doubts = createDoubtfulCases(session)
  const closed = createClosedCases(session, preflight, stats)
  const watch = watchEnding(options, session.clock)
  const untested = new Map<string, UntestedReason>()
  /** Cases about what the server keeps, sent last, one after the other; then, by obligation, those that may remove what others need. */
  const chains: TestCase[] = []
  const destructive = new Map<string, TestCase[]>()
  const early = createEarlyRemoval(session)
  const inFlight = Math.max(1, requestsInFlight(options))
  const goneWatch = watchForGone(inFlight, session.transport.blockage)
  let [cases, drawn] = [0, 0]
  let throttled = 0
  /** Cases drawn since the last request. */
  let inVain = 0
  // Whoever ends a run while it still tries to get access is the one who ended it.
  watch.isOver()
  if (preflight.unreachable !== null) watch.end('unreachable', preflight.unreachable)
  if (preflight.noAccess !== null) watch.end('access', preflight.noAccess)
  // A first request that fails, and none after it, shows a fault as well. Of several shards the one with its slice reports it.
  for (const incident of preflight.incidents)
    if (isSent(incident.testCase) && scope.isSelected(incident.violation.id)) {
      statsOf(stats, incident.violation.id).cases += 1
      addIncident(stats, incident)
    }

  const groups = createGroupTests(session, preflight, stats)
  /** The cases to send, drawn from the plan one at a time until something ends the run. */
  function* casesToSend(): Generator<TestCase | null> {
    if (watch.isOver()) return
    for (const testCase of plan.cases) {
      // They take turns with the plan, as not everything can be tested at once.
      for (let turn = 0; turn < groupTurns; turn++) {
        const grouped = groups.next(drawn)
        if (grouped !== null) yield grouped
      }
      const { id, operation } = testCase.obligation
      drawn += 1
      inVain += 1
      // Only time ends the plan then, and nothing of it can be sent any more.
      if (options.cases === null && inVain > scope.obligations.length * mostInVain) return
      digests.add(testCase)
      const isHanging = patience.isExhausted(testCase)
      if (isHanging && !stats.obligations.has(id)) untested.set(id, hanging)
      const acceptsNothing = preflight.closed.has(operation) || preflight.blocked.has(operation)
      const isPointless =
        closed.isIdle(operation) ||
        (acceptsNothing && needsAccepted(testCase)) ||
        (preflight.unnamed.has(operation) && needsName(testCase.obligation) && needsAccepted(testCase))
      const isSkipped = isHanging || isPointless || groups.hasShown(id) || !isSent(testCase)
      if (isSkipped) log.skip(testCase)
      const isChain = !isSkipped && testCase.obligation.subject.kind === 'state'
      const isDestructive = !isSkipped && !isChain && scope.destructive.has(operation)
      if (isChain) chains.push(testCase)
      const isLater = isChain || (isDestructive && keepForLater(destructive, testCase))
      if (isLater) log.postpone(testCase)
      else if (isDestructive) log.skip(testCase)
      yield isSkipped || isChain || isDestructive ? null : testCase
      if (watch.isOver()) return
    }
  }

  /** The case shows nothing; if no other one of its requirement does, this is why. */
  const leaveOut = (testCase: TestCase, reason: UntestedReason): void => {
    const { id } = testCase.obligation
    if (!stats.obligations.has(id)) untested.set(id, reason)
    log.skip(testCase)
  }

  const send = async (planned: TestCase): Promise<void> => {
    const operation = session.operations.get(planned.obligation.operation) as OperationSession
    const secret = tokenFor(options, operation.model.operation)
    await secret.renewIfDue()
    if (!operation.sender.isStillMeant(planned)) {
      log.skip(planned)
      return
    }
    const token = secret.value()
    const began = performance.now()
    const sent = await operation.sender.send(planned)
    const { testCase, outcome } = sent
    if (sent.missing === undefined) lanes.heard(testCase, outcome)
    const problem = secret.problem()
    if (problem !== null) {
      watch.end('access', problem)
      log.skip(testCase)
      return
    }
    if (patience.note(testCase, outcome)) return leaveOut(testCase, hanging)
    if (sent.missing !== undefined) {
      const isForFixture = testCase.obligation.subject.kind !== 'state' && needsName(testCase.obligation)
      const usual = sent.isUnproven === true ? 'access' : isForFixture ? 'fixture' : 'unprovoked'
      const isOfTime = [cutReason, ...Object.values(unresolved)].includes(sent.missing)
      const cause = isOfTime ? 'time' : usual
      return leaveOut(testCase, { cause, reason: sent.missing })
    }
    const gone = await goneWatch.hear(sent)
    if (gone !== null) watch.end('unreachable', gone)
    if (goneWatch.isUnheard(outcome)) {
      log.skip(testCase)
      return
    }
    if (isThrottled(outcome)) {
      throttled += 1
      const why = throttledBy(outcome)
      if (throttled >= closedAfter) watch.end('access', why.reason)
      return leaveOut(testCase, why)
    }
    throttled = 0
    await proceed(doubts.add({ ...sent, operation, token, began, ended: performance.now() }))
    if (doubts.areMany()) await proceed(await doubts.settle())
  }

  const judge = (answered: AnsweredCase): void => {
    const { operation, testCase, outcome } = answered
    cases += 1
    if (groups.take(testCase, outcome)) return
    const failed = closed.record(operation, answered) ?? recordCase(session, operation, answered, stats)
    if (options.bail && failed.some(id => counted.has(id))) watch.end('bail', null)
    log.add(testCase, outcome, failed)
  }

  const proceed = async (settled: Settled): Promise<void> => {
    settled.judge.forEach(judge)
    for (const { testCase } of settled.resend) await send(testCase)
  }

  const lanes = createLanes(casesToSend(), session.transport.limit, {
    isOver: () => watch.isOver() || isTimeUp(session.clock),
    onPutOff: (testCase, isKept) => (isKept ? log.postpone(testCase) : leaveOut(testCase, slow)),
    hung: new Map([...preflight.hung].map(id => [id, options.timeoutMs])),
    isLate: isLateIn(session.clock),
  })
  const isTold = (): boolean => hasToldMost(drawn, session.operations.size)
  const recess = createRecess(session.clock, chains, isTold, watch.isOver, send)
  // A case that only waits for its turn would keep alive what was created for it.
  const slots = createSlots(() => Math.max(leastCases, session.transport.limit()))
  const worker = async (): Promise<void> => {
    await slots.enter()
    for (let next = lanes.next(); next !== undefined; next = lanes.next()) {
      await recess.enter()
      const [began, before] = [performance.now(), session.transport.sent()]
      const end = early.begin()
      if (next !== null) await send(next)
      await end()
      recess.leave()
      // Nothing that happens outside, such as a response or a signal, is heard without a pause.
      if (session.transport.sent() === before) await lanes.pause()
      else inVain = 0
      if (next !== null) lanes.done(next, performance.now() - began)
      slots.leave()
      await slots.enter()
    }
    slots.leave()
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  await recess.end()
  for (const testCase of lanes.rest()) leaveOut(testCase, slow)
  // What others create or remove meanwhile would show in lists now and then.
  for (const testCase of [...chains, ...[...destructive.values()].flat()]) {
    if (watch.isOver()) log.skip(testCase)
    else await send(testCase)
  }
  // What is sent again may be in doubt again, but a token that expires at once each time will not do.
  for (let round = 0; round < 3 && !options.signal.aborted && options.token.problem() === null; round++)
    await proceed(await doubts.settle())
  doubts.rest().forEach(log.skip)
  for (const obligation of scope.obligations) {
    const reason = names.has(sliceNameOf(obligation)) ? plan.untested.get(obligation.id) : undefined
    if (reason !== undefined) untested.set(obligation.id, reason)
    const unnamed = preflight.unnamed.get(obligation.operation)
    if (unnamed !== undefined && reason === undefined && !stats.obligations.has(obligation.id))
      untested.set(obligation.id, { cause: 'fixture', reason: unnamed })
    const problem = preflight.closed.get(obligation.operation)
    if (problem !== undefined) untested.set(obligation.id, { cause: 'access', reason: problem.reason })
  }
  const { stopped, reason } = watch.ending()
  // A plan that ends before its budget has all cases that there are.
  const isCut = stopped === 'time' || drawn >= (options.cases ?? Number.POSITIVE_INFINITY)
  const why = stopped === 'unreachable' && reason !== null ? `${reason}${goneWatch.suspects()}` : reason
  const isShort = isCut && drawn < options.needed
  return { stopped, reason: why, cases, isShort, slices: digests.all(), untested }
}

/** Requests with many values that come before each case of the plan, as long as they show enough. */
const groupTurns = 2

/** Cases for each obligation that are drawn without a request before a plan ends that has any number of them. */
const mostInVain = 20
