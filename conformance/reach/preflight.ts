import { type Finding, type Outcome, testedScheme } from '../../spec/index.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { blockedFinding } from '../judge/blocked.ts'
import { suspectsText } from '../judge/observation-text.ts'
import type { Incident } from '../judge/run-stats.ts'
import { isAbsence } from '../pool/rejection-words.ts'
import { closesAll, closesEveryConnection, type Sent } from '../send/lost-connections.ts'
import { isThrottled } from '../send/patient-send.ts'
import { isHanging } from '../send/transport/failure.ts'
import { waitingOf } from '../send/waiting.ts'
import { type OperationSession, openSession, type RunSession, testedOperations } from '../session/session.ts'
import type { Tried } from '../set-up/other-version.ts'
import { addressProblem } from './access-problem.ts'
import { type FirstTrial, setUpProblem, triedBy, versionProblem } from './check-set-up.ts'
import { namesIn, wavesOf } from './order-of-need.ts'
import type { OpenTrial, Trial } from './probe.ts'
import { endLate, searchAgain } from './search-again.ts'
import { createStragglers } from './stragglers.ts'
import { trialIncidents } from './trial-incidents.ts'
import { createTrialTime } from './trial-time.ts'
import { isDone, isKeptOut, type Late, type OperationTrial, tryWave } from './trials.ts'

/** Why an operation cannot be tested. `usual`: what it answers to valid requests; null if it throttles all of them. */
export type ClosedOperation = { readonly reason: string; readonly usual: Outcome | null }

/** What a run knows of the server before it sends the plan. */
export type Preflight = {
  /** With the first range of identities that the server has not seen. */
  readonly session: RunSession
  /** Why the server cannot be reached; null if it can. */
  readonly unreachable: string | null
  /** Why the whole run shows nothing about the server: its token, or its URL. Null if a request was accepted, or nothing explains that. */
  readonly noAccess: string | null
  /** Operations that cannot be tested with this token. */
  readonly closed: ReadonlyMap<string, ClosedOperation>
  /** Operations that accept no valid request, and the finding that says so. */
  readonly blocked: ReadonlyMap<string, Finding>
  /** Operations for which there was no time, each with the plain request that it rejected; null if it got none, or one with a made-up name. */
  readonly untried: ReadonlyMap<string, Sent | null>
  /** Operations that were to be tried and got no request at all. */
  readonly unasked: ReadonlySet<string>
  /** Operations that hung while others were answered. */
  readonly hung: ReadonlySet<string>
  /** Operations that ask for something that exists, and why nothing that does is known. */
  readonly unnamed: ReadonlyMap<string, string>
  /** By operation: the valid request that was accepted, or that named what does not exist. */
  readonly accepted: ReadonlyMap<string, Sent>
  /** Valid requests that were rejected before another one was accepted, and those that got a server error. */
  readonly incidents: readonly Incident[]
}

const closedBy = ({ reason, last: { outcome } }: { reason: string; last: Sent }): ClosedOperation => ({
  reason,
  usual: isThrottled(outcome) ? null : outcome,
})

const nothingKnown = (session: RunSession): Preflight => ({
  session,
  unreachable: null,
  noAccess: null,
  closed: new Map(),
  blocked: new Map(),
  untried: new Map(),
  unasked: new Set(),
  hung: new Set(),
  unnamed: new Map(),
  accepted: new Map(),
  incidents: [],
})

/** A server that is not the one that the document describes, as far as this shows. */
const notToBeTested = (session: RunSession, noAccess: string): Preflight => ({
  ...nothingKnown(session),
  noAccess,
})

export const unreachable = (session: RunSession, detail: string): Preflight => {
  return {
    ...nothingKnown(session),
    unreachable: session.transport.blockage.hasAnswered()
      ? `the server stopped responding: ${detail}${suspectsText(session.answers.unanswered())}`
      : `${detail}. Is the server running, and is the URL right?`,
  }
}

/**
 * Sends each operation a few plain valid requests before anything else. If none is accepted, one finding points at the likely cause,
 * instead of a hundred that follow from it.
 */
export const preflight = async (first: RunSession): Promise<Preflight> => {
  const closed = new Map<string, ClosedOperation>()
  const blocked = new Map<string, Finding>()
  const unnamed = new Map<string, string>()
  const accepted = new Map<string, Sent>()
  const reasons: (string | null)[] = []
  /** Why operations are closed to whoever asks: no credentials were given, of a scheme or at all, or others than the right ones. */
  const keptOut = { declared: [] as string[], undeclared: [] as string[], others: [] as string[] }
  const tried: Tried[] = []
  const guesses: (readonly [OperationSession, Extract<Trial, { result: 'closed' }>])[] = []
  /** Whether a response shows that the server knows an operation: a 404 for a value in the path does not. */
  let isFound = false
  let isFirst = true
  const trials = new Map<string, OperationTrial>()
  // Without a limit there is time to ask each alone before anything is said of it.
  const isLimited = first.clock.preflight() !== null
  const { isStuck, isAsked } = waitingOf(first.transport)
  const late: Late = createStragglers(isLimited ? isStuck : () => false)
  let range = 0
  let session = first
  let hasSearched = false
  const open = new Map<string, OpenTrial>()
  const time = createTrialTime(first.clock)
  const waves = wavesOf(first)
  let later = waves.flat().length
  for (const operations of waves) {
    // What others need may be gone after these.
    if (!isFirst && !hasSearched && operations.some(({ id }) => first.scope.destructive.has(id))) {
      time.share(trials.size + open.size, later)
      await searchAgain(session, trials, late, open, time.search)
      hasSearched = true
    }
    later -= operations.length
    time.share(operations.length, later)
    // Those that ask for resources need the range of identities that is free.
    if (range > session.range && operations.some(({ id }) => namesIn(first, id) > 0))
      session = openSession(first, range)
    let problem: string | null = null
    const isRight = async (trial: FirstTrial): Promise<boolean> => {
      problem = await setUpProblem(first, trial)
      return problem === null && (trial[1].result !== 'silence' || isHanging(trial[1].last.outcome))
    }
    const ofWave = await tryWave(session, operations, isFirst ? isRight : null, trials, late, time)
    const silent = ofWave.find(([, trial]) => trial.result === 'silence')?.[1]
    if (problem !== null) return notToBeTested(first, problem)
    if (silent?.result === 'silence') return unreachable(first, silent.detail)
    if (await closesEveryConnection(first.answers.unanswered(), first.transport.blockage))
      return unreachable(first, closesAll)
    isFirst = false
    for (const ofOperation of ofWave) {
      const [operation, trial] = ofOperation
      const { id } = operation.model.operation
      if (isDone(ofOperation)) trials.set(id, ofOperation)
      else if (trial.result === 'open') open.set(id, trial)
      if (trial.result === 'accepted') range = Math.max(range, trial.range)
    }
  }
  time.share(1, 0)
  if (!hasSearched) await searchAgain(session, trials, late, open, time.search)
  const hung = await endLate(trials, late)
  session.pool.close()
  const incidents = trialIncidents(first, trials)
  for (const [operation, trial] of trials.values()) {
    const { model } = operation
    switch (trial.result) {
      case 'accepted':
        accepted.set(model.operation.id, trial.sent)
        tried.push(triedBy(operation, trial.sent))
        if (isNotFound(trial.sent.outcome)) reasons.push(addressProblem(trial.sent.outcome))
        else isFound = true
        break
      case 'closed':
        if (trial.isGuess) guesses.push([operation, trial])
        else {
          if (trial.wants !== undefined) keptOut[trial.wants].push(trial.reason)
          closed.set(model.operation.id, closedBy(trial))
          reasons.push(trial.reason)
        }
        break
      case 'unnamed':
        unnamed.set(model.operation.id, trial.reason)
        if (trial.last !== undefined) {
          tried.push(triedBy(operation, trial.last))
          reasons.push(addressProblem(trial.last.outcome))
        }
        break
      case 'rejected':
        tried.push(triedBy(operation, trial.last))
        blocked.set(model.operation.id, blockedFinding(model, trial.last, trial.sent, first.options))
        reasons.push(addressProblem(trial.last.outcome))
    }
  }
  for (const [{ model }, { reason, last, sent }] of guesses) {
    // What another operation accepts is right.
    const isRight = [...accepted.keys()].some(id => isSameScheme(first.operations.get(id), model))
    if (isRight) blocked.set(model.operation.id, blockedFinding(model, last, sent, first.options))
    else closed.set(model.operation.id, closedBy({ reason, last }))
    reasons.push(isRight ? null : reason)
  }
  const noAccess =
    (await versionProblem(first, tried)) ??
    mostly(keptOut.undeclared, accepted.size + closed.size + blocked.size, 1 / 2) ??
    // The few others may need no credentials.
    mostly(keptOut.others, accepted.size + closed.size + blocked.size, 0.9) ??
    (isKeptOut([...trials.values()])
      ? someOf([...keptOut.declared, ...keptOut.undeclared], closed.size + blocked.size)
      : null) ??
    (isFound || reasons.includes(null) ? null : (reasons[0] ?? null))
  return {
    session: range === session.range ? session : openSession(first, range),
    unreachable: null,
    noAccess,
    // What explains that nothing is accepted is no fault of the server, also in a run that has no time left to say so.
    closed:
      noAccess === null
        ? closed
        : new Map([
            ...closed,
            ...[...blocked.keys()].map(id => [id, { reason: noAccess, usual: null }] as const),
          ]),
    blocked: noAccess === null ? blocked : new Map(),
    untried: new Map(
      testedOperations(first)
        .map(({ model }) => model.operation.id)
        .filter(id => !trials.has(id))
        .map(id => [id, rejectedIn(open.get(id))]),
    ),
    unasked: new Set(
      waves
        .flat()
        .map(({ id }) => id)
        .filter(id => isLimited && !trials.has(id) && !open.has(id) && !isAsked(id)),
    ),
    hung,
    unnamed,
    accepted,
    incidents: noAccess === null ? incidents : [],
  }
}

/** The plain request of a trial that did not come to its end, unless nothing exists that it could name. */
const rejectedIn = (trial: OpenTrial | undefined): Sent | null =>
  trial === undefined || trial.unnamed !== null ? null : trial.last

/** The reason that holds for more than this share of the operations: the others say little then. Null: it holds for fewer. */
const mostly = (reasons: readonly string[], operations: number, share: number): string | null =>
  reasons.length <= operations * share ? null : someOf(reasons, operations)

const someOf = ([first, ...others]: readonly string[], operations: number): string | null => {
  const count = others.length + 1
  return first === undefined || count === operations
    ? (first ?? null)
    : `in ${count} of ${operations} operations ${first}`
}

const isSameScheme = (accepted: OperationSession | undefined, model: OperationModel): boolean =>
  accepted !== undefined && testedScheme(accepted.model)?.name === testedScheme(model)?.name

const isNotFound = (outcome: Outcome): boolean =>
  outcome.kind === 'response' && isAbsence(outcome.response.status)
