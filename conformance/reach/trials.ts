import type { Obligation } from '../../spec/index.ts'
import { operationsAtATime } from '../options/run-options.ts'
import { cutReason, untilTimeIsUp } from '../send/cut-send.ts'
import { inFlight } from '../send/in-flight.ts'
import { isHanging } from '../send/transport/failure.ts'
import { createSlots } from '../send/transport/window.ts'
import { isPast } from '../session/run-clock.ts'
import type { OperationSession, RunSession } from '../session/session.ts'
import {
  endTrial,
  type OpenTrial,
  type Trial,
  tryFurther,
  tryKnown,
  tryPlain,
  validObligation,
} from './probe.ts'
import { learnRepeats } from './search.ts'
import { mostLate, type Stragglers } from './stragglers.ts'
import type { TrialTime } from './trial-time.ts'

/** What came of trying an operation. */
export type OperationTrial = Of<Trial>

type Of<Result> = readonly [operation: OperationSession, trial: Result]
/** Those of a run that nobody waits for. */
export type Late = Stragglers<Of<Trial | OpenTrial> | null>
/** `isAlone`: no other operation is tried meanwhile. */
type TryWith<Result> = (of: OperationSession, valid: Obligation, isAlone: boolean) => Promise<Result | null>

/**
 * Tries operations that do not ask for what the others of them create: each by a plain request; then, when all have been asked, what is
 * rejected by what the server has shown meanwhile; then by all other means. What there is no time for has no trial, or an open one. `isRight`: of the very
 * first operation of a run, which is asked alone, whether the others are to be asked at all. `before`: what came of other waves; if all of
 * it and this shows that credentials are missing, nothing is searched for.
 */
export const tryWave = async (
  session: RunSession,
  operations: readonly { readonly id: string }[],
  isRight: ((trial: Of<Trial | OpenTrial>) => Promise<boolean>) | null,
  before: ReadonlyMap<string, OperationTrial>,
  late: Late,
  time: TrialTime,
): Promise<readonly Of<Trial | OpenTrial>[]> => {
  const { pool } = session
  const trials = new Map<string, Of<Trial | OpenTrial>>()
  const openOf = (id: string): OpenTrial | null => {
    const trial = trials.get(id)?.[1]
    return trial?.result === 'open' ? trial : null
  }
  const tryEach = async (
    of: readonly { readonly id: string }[],
    tryWith: TryWith<Trial | OpenTrial>,
    until: TrialTime['plain'],
  ): Promise<void> => {
    const hasAnswered =
      isRight === null || [...trials.values()].some(([, { result }]) => result !== 'silence')
    for (const trial of await tryAll(session, of, tryWith, late, until, hasAnswered))
      trials.set(trial[0].model.operation.id, trial)
    pool.settle()
  }
  const searchEach = async (
    by: (operation: OperationSession, valid: Obligation, open: OpenTrial) => Promise<Trial | null>,
  ): Promise<void> => {
    for (const [id, trial] of await late.takeBack(
      operations.map(each => each.id),
      isServed,
    ))
      if (trial !== null) trials.set(id, trial)
    return tryEach(
      operations.filter(({ id }) => openOf(id) !== null),
      (operation, valid) => by(operation, valid, openOf(operation.model.operation.id) as OpenTrial),
      time.search,
    )
  }
  const tryPlainly =
    (isFirst: boolean): TryWith<Trial | OpenTrial> =>
    (operation, valid, isAlone) =>
      tryPlain(session, operation, valid, { isFirst, isAlone })
  if (isRight !== null) {
    await tryEach(operations.slice(0, 1), tryPlainly(true), time.plain)
    const [first] = trials.values()
    if (first !== undefined && !(await isRight(first))) return [first]
  }
  await tryEach(operations.slice(isRight === null ? 0 : 1), tryPlainly(false), time.plain)
  if (isKeptOut([...before.values(), ...trials.values()]))
    await searchEach((...[operation, , open]) => endTrial(session, operation, open))
  for (let round = 0, known = -1; round < mostRounds && pool.size() > known; round++) {
    known = pool.size()
    await searchEach((...of) => tryKnown(session, ...of, { isFirst: round === 0 }))
  }
  await searchEach((...of) => tryFurther(session, ...of))
  const all = [...trials.values()]
  const open = all.filter(each => !isDone(each))
  const [first, ...others] = all.filter(isDone)
  if (first === undefined) return open
  // The first operation of a run was asked when nobody knew yet whether the server responds at all.
  const isAnswered = isRight !== null && others.some(([, { result }]) => result !== 'silence')
  return [isAnswered ? asRejection(first) : first, ...others, ...open]
}

/** Whether nothing was accepted, and something was not for want of credentials. */
export const isKeptOut = (trials: readonly Of<Trial | OpenTrial>[]): boolean =>
  trials.some(
    ([, trial]) => trial.result === 'closed' && (trial.wants === 'declared' || trial.wants === 'undeclared'),
  ) && !trials.some(([, { result }]) => result === 'accepted')

/** Whether a trial did not end with a request that hung. */
export const isServed = (trial: Of<Trial | OpenTrial> | null): boolean => trial?.[1].result !== 'silence'

/** An operation that hangs, as one that rejects. */
const asRejection = <Result extends Trial | OpenTrial>([operation, trial]: Of<Result>): Of<
  Result | Trial
> => [
  operation,
  trial.result === 'silence' && isHanging(trial.last.outcome)
    ? { result: 'rejected', last: trial.last, sent: 1 }
    : trial,
]

export const isDone = (of: Of<Trial | OpenTrial>): of is OperationTrial => of[1].result !== 'open'

/** Rounds in which operations are asked again with what others have shown meanwhile. */
export const mostRounds = 3

/** So many operations are tried at a time, however few requests may be in flight. */
const leastAtATime = 4

/** After so many operations in a row that get no response, nobody responds any more; or as many as are asked at a time. */
const leastSilent = 3

/** An operation that hung so often while others were answered is not asked again before the cases: each takes its time. */
const mostHangs = 2

/**
 * With a thousand operations this takes its time: it ends when the time is up, or nobody responds. One operation that hangs says nothing of the
 * others: it is one that rejects. `hasAnswered`: whether anything else was answered before.
 */
export const tryAll = async <Result extends Trial | OpenTrial>(
  session: RunSession,
  operations: readonly { readonly id: string }[],
  tryWith: TryWith<Result>,
  late: Late,
  until: TrialTime['plain'],
  hasAnswered = true,
): Promise<readonly Of<Result | Trial>[]> => {
  const {
    options,
    transport: {
      blockage: { hangs },
    },
  } = session
  const trials = new Map<string, Of<Result>>()
  const wasBeside = late.isPending()
  const mostSilent = Math.max(leastSilent, operationsAtATime(options))
  let silentInRow = 0
  const isTimeUp = (): boolean => isPast(until())
  const isStopped = (): boolean => options.signal.aborted || isTimeUp()
  const trialOf = async (id: string, isAlone: boolean): Promise<Of<Result> | null> => {
    const operation = session.operations.get(id) as OperationSession
    const valid = validObligation(operation)
    const { sender, wasCut } = untilTimeIsUp(operation.sender, () => isTimeUp() || hangs(id) >= mostHangs)
    const trial = valid === undefined ? null : await tryWith({ ...operation, sender }, valid, isAlone)
    const isAccepted = trial?.result === 'accepted' && trial.sent.missing !== cutReason
    // What was not asked to its end shows nothing of the server.
    if (trial === null || (wasCut() && !isAccepted)) return null
    if (isAccepted) await learnRepeats({ ...operation, sender }, trial.sent)
    return [operation, trial]
  }
  const tryOne = async (id: string, isAlone: boolean): Promise<void> => {
    const found = (await late.unlessStuck(id, trialOf(id, isAlone), isTimeUp)) as
      | Of<Result>
      | null
      | undefined
    if (found == null) return
    trials.set(id, found)
    const [, trial] = found
    if (trial.result !== 'silence') silentInRow = 0
    else if (!isHanging(trial.last.outcome)) silentInRow = mostSilent
    else if (hangs(id) === 0) silentInRow += 1
  }
  const isSilent = (id: string): boolean => trials.get(id)?.[1].result === 'silence'
  const isAnswered = (id: string): boolean => trials.has(id) && !isSilent(id)
  const ids = operations.map(({ id }) => id).filter(id => !late.has(id))
  // Operations that all wait for a busy server each need resources of their own, and those that come later take what these have left.
  const slots = createSlots(() => Math.max(leastAtATime, session.transport.limit()))
  await inFlight(
    ids,
    operationsAtATime(options),
    () => isStopped() || silentInRow >= mostSilent,
    async id => {
      await slots.enter()
      try {
        if (!isStopped()) await tryOne(id, ids.length === 1 && !late.isPending())
      } finally {
        slots.leave()
      }
    },
  )
  // They are asked alone when what hangs already has come to an end. If time is short and the others respond, a few that hang have to wait.
  const silent = ids.filter(isSilent)
  const isHurried = until() !== null && silent.length <= mostLate && ids.some(isAnswered)
  if (late.isPending() || wasBeside || isHurried)
    for (const id of silent) {
      late.add(id, trials.get(id) as Of<Result>)
      trials.delete(id)
    }
  const wasCut = silentInRow >= mostSilent
  const alone = new Set(silent.filter(id => hangs(id) > 0))
  // What was answered before all hung says nothing of now.
  const isResponding = (): boolean =>
    wasCut ? [...alone].some(isAnswered) : hasAnswered || ids.some(isAnswered)
  if (ids.some(isSilent) && ids.length > 1) {
    // Some servers respond in time only if they are asked for one resource at a time.
    let inRow = 0
    for (const id of ids.filter(
      each => !alone.has(each) && (isSilent(each) || (wasCut && !trials.has(each))),
    )) {
      if (isStopped() || inRow === (isResponding() ? leastSilent : 1)) break
      await tryOne(id, true)
      alone.add(id)
      inRow = isSilent(id) ? inRow + 1 : 0
    }
  }
  const isNobodyThere = ids.some(isSilent) && !isResponding()
  return ids.flatMap(id => {
    const trial = trials.get(id)
    if (trial === undefined) return []
    if (isNobodyThere) return [trial]
    // What hangs beside others may not do so alone: it has no trial.
    return isSilent(id) && !alone.has(id) && ids.length > 1 ? [] : [asRejection(trial)]
  })
}
