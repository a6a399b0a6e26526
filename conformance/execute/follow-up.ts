/** What is sent after the plan, before what failed: a valid request, and open questions again. */
import { type Obligation, type Outcome, statusOf, type UntestedReason } from '../../spec/index.ts'
import type { StepRole, TestCase, ValidKind } from '../cases/case.ts'
import { lacksPart } from '../confirm/differences.ts'
import { isCrash } from '../confirm/group.ts'
import { isOfName } from '../judge/expected-status.ts'
import { judgeCase } from '../judge/judge-case.ts'
import { type Incident, incidentsOf, observationsOf, type RunStats } from '../judge/run-stats.ts'
import { answerOf } from '../judge/server-words.ts'
import { operationsAtATime } from '../options/run-options.ts'
import { sliceNameOf } from '../plan/plan-slice.ts'
import { isAbsence, isAbsenceInWords, isConflict } from '../pool/rejection-words.ts'
import { isAccepted } from '../reach/accepted.ts'
import { probe, validObligation } from '../reach/probe.ts'
import { inFlight } from '../send/in-flight.ts'
import type { Sent } from '../send/lost-connections.ts'
import { is503, isThrottled } from '../send/patient-send.ts'
import { timeFor } from '../session/run-clock.ts'
import type { OperationSession, RunSession } from '../session/session.ts'
import { recordCase } from './record-case.ts'

/**
 * Operations that are asked at the same time: one, so that each request is alone when it fails again; as many as in the plan if the time
 * of the run would not do for all.
 */
export const atATime = ({ options, clock }: RunSession): number =>
  clock.end() === null ? 1 : operationsAtATime(options)

/**
 * Does something with each operation, so many at a time; then, one after the other, with those that may remove what the others need, or hold
 * them up.
 */
export const withEach = async (
  { scope, transport }: RunSession,
  operations: readonly OperationSession[],
  most: number,
  isOver: () => boolean,
  work: (operation: OperationSession) => Promise<void>,
): Promise<void> => {
  const { isBy } = transport.blockage
  const isLast = ({ model: { operation } }: OperationSession): boolean =>
    scope.destructive.has(operation.id) || scope.acting.has(operation.id) || isBy(operation.id)
  const others = operations.filter(operation => !isLast(operation))
  await inFlight(others, most, isOver, work)
  await inFlight(operations.filter(isLast), 1, isOver, work)
}

/** Of the time that is left after the plan, this share goes to asking whether valid requests are still accepted. */
const shareOfProbes = 0.3

/**
 * By operation: a valid request that the server rejects now; an operation that accepts one is not in it. `accepted`: the request that it
 * accepted before the plan. It is sent last, for servers that never accepted any other.
 */
export const probeAgain = async (
  session: RunSession,
  operations: readonly OperationSession[],
  accepted: ReadonlyMap<string, Sent>,
  stats: RunStats,
): Promise<ReadonlyMap<string, Incident>> => {
  const { options, clock, gate } = session
  const drifted = new Map<string, Incident>()
  const unavailable = new Map<string, Incident>()
  const isOver = timeFor(clock.end(), shareOfProbes)
  const isCut = (): boolean => gate.isClosed() || isOver()
  // What is created now could change how the failures that are still to be confirmed are answered.
  const asked = operations.filter(({ model }) => !session.scope.acting.has(model.operation.id))
  await withEach(session, asked, atATime(session), isCut, async operation => {
    const { model } = operation
    const valid = validObligation(operation)
    if (valid === undefined) return
    const { accepted: taken, rejected } = await probe(operation, valid)
    const last = rejected.at(-1)
    const before = accepted.get(model.operation.id)
    // An operation that never accepted a request cannot stop accepting them.
    if (last === undefined || before === undefined) return
    if (isAnswered(last.outcome) && !isServed(before.outcome)) return
    const again = taken === null ? await sendAgain(operation, before.testCase, last) : null
    const shown = again ?? last
    const isServing = taken !== null || (again !== null && !hasTurned(operation, again))
    // That another request than the accepted one is rejected, as it always may have been, shows nothing.
    const isOther = again === null || lacksPart(again.testCase.spec, before.testCase.spec)
    const isOfOther =
      (isOther && shown.outcome.kind === 'response') ||
      originOfName(shown.testCase) !== originOfName(before.testCase)
    if (isServing || isOfOther || isAsForNothing(operation, shown, stats)) {
      for (const sent of rejected) if (isCrash(sent.outcome)) recordCase(session, operation, sent, stats)
      return
    }
    const { violation } = judgeCase(model, shown.testCase, shown.outcome, options)
    if (violation === null || isThrottled(shown.outcome)) return
    // A server that is too busy shows nothing of what it accepts.
    const seen = is503(shown.outcome) ? unavailable : drifted
    seen.set(model.operation.id, { ...shown, violation })
  })
  return (await isOutOfService(session, unavailable, isCut)) ? new Map([...drifted, ...unavailable]) : drifted
}

/** So many operations that accepted requests before have to say that the server is out of service. */
const leastUnavailable = 3

/** Whether operations answer 503 in the same words, also if they are asked one after the other: the server is not busy, but in another mode. */
const isOutOfService = async (
  { operations }: RunSession,
  unavailable: ReadonlyMap<string, Incident>,
  isCut: () => boolean,
): Promise<boolean> => {
  const some = [...unavailable].slice(0, leastUnavailable)
  const answers = new Set([...unavailable.values()].map(answerOf))
  if (some.length < leastUnavailable || answers.size > 1 || [...answers][0] === '503') return false
  for (const [id, { testCase }] of some) {
    const operation = operations.get(id)
    const again = operation?.sender.validVariant(testCase, testCase.spec)
    if (operation === undefined || again == null || isCut()) return false
    const sent = await operation.sender.send(again)
    if (sent.missing !== undefined || !is503(sent.outcome)) return false
  }
  return true
}

/** Sends a request that was accepted before. Null: it cannot come again, or the server no longer responds. */
const sendAgain = async (
  operation: OperationSession,
  before: TestCase,
  { outcome }: Sent,
): Promise<Sent | null> => {
  if (outcome.kind === 'failure') return null
  const again = operation.sender.validVariant(before, before.spec)
  return again === null ? null : operation.sender.send(again)
}

/** Whether a request that was accepted before is not any more. A conflict, or what is gone, may be its own effect. */
const hasTurned = (operation: OperationSession, again: Sent): boolean =>
  !isAccepted(operation, again) &&
  !(isConflict(again.outcome) || isAbsence(statusOf(again.outcome)) || isAbsenceInWords(again.outcome))

/**
 * Whether the server rejects a request in the words with which it rejects made-up names, such as a 403 for everything that is not there: what the request
 * names may have been removed.
 */
const isAsForNothing = (
  { obligations }: OperationSession,
  { testCase, outcome }: Sent,
  stats: RunStats,
): boolean =>
  outcome.kind === 'response' &&
  outcome.response.status < 500 &&
  obligations
    .filter(isOfName)
    .flatMap(({ id }) => incidentsOf(stats, id))
    .some(each => answerOf(each) === answerOf({ testCase, outcome }))

/**
 * Where the name in a request comes from: it is made up, or was listed, or is that of what the run has created. What comes of one says nothing of the
 * others: a name may have been guessed wrongly.
 */
const originOfName = ({ chain }: TestCase): 'nothing named' | 'made up' | StepRole | undefined =>
  chain === undefined ? 'nothing named' : chain.exists ? chain.steps.at(-1)?.role : 'made up'

/** A 404 for a name that nothing has, and a rejection after it, are two answers to two questions: the server may never have accepted anything. */
const isServed = (outcome: Outcome): boolean => outcome.kind === 'failure' || outcome.response.status < 400

const isAnswered = (outcome: Outcome): boolean => outcome.kind === 'response' && outcome.response.status < 500

const unclear: UntestedReason = {
  cause: 'unsupported',
  reason: 'the server rejects the same request without this as well, so the rejection is no answer',
}

/**
 * Asks open questions again in requests with all that is optional, if the server rejects the plain ones for what they lack. Gives the
 * questions that stay open, and why.
 */
export const askAgain = async (
  session: RunSession,
  operations: readonly OperationSession[],
  stats: RunStats,
): Promise<ReadonlyMap<string, UntestedReason>> => {
  const open = new Map<string, UntestedReason>()
  const names = new Set(session.slices.map(({ name }) => name))
  const isRejected = (obligation: Obligation): boolean => {
    const observations = observationsOf(stats, obligation.id)
    return (
      obligation.level === 'OBSERVE' &&
      obligation.subject.kind === 'unspecified' &&
      names.has(sliceNameOf(obligation)) &&
      observations.length > 0 &&
      observations.every(text => text.startsWith('rejected'))
    )
  }
  for (const operation of operations) {
    const questions = operation.obligations.filter(isRejected)
    if (questions.length === 0 || (await accepts(operation, 'plain'))) continue
    const isFullAccepted = await accepts(operation, 'full')
    for (const question of questions) {
      const testCase = isFullAccepted ? operation.sender.fullQuestion(question) : null
      stats.observations.delete(question.id)
      if (testCase === null) open.set(question.id, unclear)
      else recordCase(session, operation, await operation.sender.send(testCase), stats)
    }
  }
  return open
}

const accepts = async (operation: OperationSession, kind: ValidKind): Promise<boolean> => {
  const valid = validObligation(operation)
  if (valid === undefined) return true
  return isAccepted(operation, await operation.sender.send(operation.sender.validCase(valid, kind)))
}
