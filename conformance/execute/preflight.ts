import { deriveSeed } from '../../generator/index.ts'
import { creatorOf, type Finding, type Obligation, type Outcome, resourcesOf } from '../../spec/index.ts'
import { judgeCase } from '../judge/judge-case.ts'
import type { Incident } from '../judge/run-stats.ts'
import { requestsInFlight } from '../options/run-options.ts'
import { inFlight } from '../send/in-flight.ts'
import type { Sent } from '../send/lost-connections.ts'
import { isThrottled } from '../send/patient-send.ts'
import { addressProblem, isMadeUp, isRedirectedAnyway, madeUpReason, tokenProblem } from './access-problem.ts'
import { blockedFinding } from './blocked-operation.ts'
import { isAccepted, probe, validObligation } from './probe.ts'
import { isTimeUp } from './run-clock.ts'
import {
  type OperationSession,
  openSession,
  operationInRange,
  type RunSession,
  testedOperations,
} from './session.ts'

/** What a run knows of the server before it sends the plan. */
export type Preflight = {
  /** With the first range of identities that the server has not seen. */
  readonly session: RunSession
  /** Why the server cannot be reached; null if it can. */
  readonly unreachable: string | null
  /** Why the whole run shows nothing about the server: its token, or its URL. Null if a request was accepted, or nothing explains that. */
  readonly noAccess: string | null
  /** Operations that cannot be tested with this token, and why. */
  readonly closed: ReadonlyMap<string, string>
  /** Operations that accept no valid request, and the finding that says so. */
  readonly blocked: ReadonlyMap<string, Finding>
  /** Operations that ask for something that exists, and why nothing that does is known. */
  readonly unnamed: ReadonlyMap<string, string>
  /** Valid requests that were rejected before another one was accepted. */
  readonly incidents: readonly Incident[]
}

export const unreachable = (session: RunSession, detail: string): Preflight => ({
  session,
  unreachable: `${detail}. Is the server running, and is the URL right?`,
  noAccess: null,
  closed: new Map(),
  blocked: new Map(),
  unnamed: new Map(),
  incidents: [],
})

/**
 * Sends each operation a few plain valid requests before anything else. If none is accepted, one finding points at the likely cause,
 * instead of a hundred that follow from it.
 */
export const preflight = async (first: RunSession): Promise<Preflight> => {
  const closed = new Map<string, string>()
  const blocked = new Map<string, Finding>()
  const unnamed = new Map<string, string>()
  const incidents: Incident[] = []
  const reasons: (string | null)[] = []
  let hasAccepted = false
  let range = 0
  let session = first
  for (const operations of wavesOf(first)) {
    // Those that ask for things need the range of identities that is free.
    if (range > session.range && operations.some(({ id }) => namesIn(first, id) > 0))
      session = openSession(first, range)
    const trials = await tryAll(session, operations)
    const silent = trials.find(([, trial]) => trial.result === 'silence')?.[1]
    if (silent?.result === 'silence') return unreachable(first, silent.detail)
    for (const [operation, trial] of trials) {
      const { model } = operation
      switch (trial.result) {
        case 'accepted':
          hasAccepted = true
          range = Math.max(range, trial.range)
          incidents.push(...incidentsIn(first, operation, trial.before))
          break
        case 'closed':
          closed.set(model.operation.id, trial.reason)
          reasons.push(trial.reason)
          break
        case 'unnamed':
          unnamed.set(model.operation.id, trial.reason)
          break
        case 'rejected':
          blocked.set(model.operation.id, blockedFinding(model, trial.last, first.options))
          reasons.push(addressProblem(trial.last.outcome))
      }
    }
  }
  const noAccess = hasAccepted || reasons.includes(null) ? null : (reasons[0] ?? null)
  return {
    session: range === session.range ? session : openSession(first, range),
    unreachable: null,
    noAccess,
    // What explains that nothing is accepted is no fault of the server, also in a run that has no time left to say so.
    closed:
      noAccess === null
        ? closed
        : new Map([...closed, ...[...blocked.keys()].map(id => [id, noAccess] as const)]),
    blocked: noAccess === null ? blocked : new Map(),
    unnamed,
    incidents,
  }
}

/** How many names of what exists are in the path of an operation. */
const namesIn = ({ options, operations }: RunSession, id: string): number => {
  const model = operations.get(id)?.model
  return model === undefined ? 0 : resourcesOf(options.contract).namesIn(model.operation).length
}

/**
 * The operations that are tried at the same time. The very first one is tried alone: if nobody responds, it is the only one that waits
 * for that. Those that create things come before those that ask for them.
 */
const wavesOf = (session: RunSession): readonly (readonly { readonly id: string }[])[] => {
  const [first, ...others] = inOrderOfNeed(session)
  return first === undefined
    ? []
    : [[first], ...Map.groupBy(others, ({ id }) => namesIn(session, id)).values()]
}

/** With a thousand operations this takes its time: it ends when the run has to, or nobody responds. */
const tryAll = async (
  session: RunSession,
  operations: readonly { readonly id: string }[],
): Promise<readonly (readonly [OperationSession, Trial])[]> => {
  const { options, clock } = session
  const trials = new Map<string, readonly [OperationSession, Trial]>()
  let isSilent = false
  const isOver = (): boolean => isSilent || options.signal.aborted || isTimeUp(clock)
  const tryOne = async (id: string): Promise<void> => {
    const operation = session.operations.get(id) as OperationSession
    const valid = validObligation(operation)
    if (valid === undefined) return
    const trial = await tryOperation(session, operation, valid)
    trials.set(id, [operation, trial])
    isSilent ||= trial.result === 'silence'
  }
  const ids = operations.map(({ id }) => id)
  await inFlight(ids, requestsInFlight(options), isOver, tryOne)
  if (ids.length > 1 && isSilent) {
    // Some servers respond in time only if they are asked for one thing at a time.
    isSilent = false
    const isAnswered = (id: string): boolean => (trials.get(id)?.[1].result ?? 'silence') !== 'silence'
    await inFlight(
      ids.filter(id => !isAnswered(id)),
      1,
      isOver,
      tryOne,
    )
  }
  return ids.flatMap(id => {
    const trial = trials.get(id)
    return trial === undefined ? [] : [trial]
  })
}

/** The operations to try: those that are tested, and those that create what they ask for; the ones that name least first. */
const inOrderOfNeed = (session: RunSession): readonly { readonly id: string }[] => {
  const tested = testedOperations(session).map(({ model }) => model.operation)
  const { namesIn: names } = resourcesOf(session.options.contract)
  const creators = tested
    .flatMap(names)
    .flatMap(({ resource }) => creatorOf(resource) ?? [])
    .filter(operation => !tested.includes(operation))
  return [...tested, ...new Set(creators)].toSorted((left, right) => names(left).length - names(right).length)
}

/**
 * What plain valid requests show of an operation. `accepted`: it accepts identities of this range, `before` what it should have
 * accepted as well. `closed`: the token may be why it accepts nothing; `unnamed`: that nothing exists that it asks for.
 */
type Trial =
  | { readonly result: 'accepted'; readonly range: number; readonly before: readonly Sent[] }
  | { readonly result: 'silence'; readonly detail: string }
  | { readonly result: 'closed'; readonly reason: string }
  | { readonly result: 'unnamed'; readonly reason: string }
  | { readonly result: 'rejected'; readonly last: Sent }

const tryOperation = async (
  session: RunSession,
  operation: OperationSession,
  valid: Obligation,
): Promise<Trial> => {
  const first = await sendPlain(operation, valid)
  if (first.missing !== undefined) return { result: 'unnamed', reason: first.missing }
  if (isMadeUp(first)) return { result: 'unnamed', reason: madeUpReason(session, operation) }
  // If the server treats all requests alike, others show no more.
  if (isThrottled(first.outcome) || (await isRedirectedAnyway(operation, first)))
    return failedTrial(session, operation, first)
  if (isAccepted(operation, first)) return { result: 'accepted', range: 0, before: [] }
  const free = await freeRange(session, operation, first)
  if (free !== null) return { result: 'accepted', range: free, before: [] }
  const { accepted, rejected } = await probe(operation, valid)
  return accepted
    ? { result: 'accepted', range: 0, before: [first, ...rejected] }
    : failedTrial(session, operation, rejected.at(-1) ?? first)
}

const failedTrial = async (session: RunSession, operation: OperationSession, last: Sent): Promise<Trial> => {
  if (isSilence(last.outcome)) return { result: 'silence', detail: last.outcome.detail }
  // A 429 shows nothing, also where the time of the run ends the waiting that it asks for.
  const reason = isThrottled(last.outcome)
    ? addressProblem(last.outcome)
    : await tokenProblem(session, operation, last)
  return reason === null ? { result: 'rejected', last } : { result: 'closed', reason }
}

const sendPlain = ({ sender }: OperationSession, valid: Obligation): Promise<Sent> =>
  sender.send(sender.validCase(valid, 'plain'))

const isSilence = (outcome: Outcome): outcome is Extract<Outcome, { kind: 'failure' }> =>
  outcome.kind === 'failure' && ['refused', 'unreachable', 'timeout'].includes(outcome.failure)

/** After so many runs with one seed on one store, the time of the run chooses the range. */
const rangesInOrder = 12

/**
 * The first range of identities that the server accepts, if it rejects a plain request for its identity alone: again when the
 * request comes again, but not with another identity. Null if that is not the reason.
 */
const freeRange = async (
  session: RunSession,
  operation: OperationSession,
  { testCase, outcome }: Sent,
): Promise<number | null> => {
  const { model, sender } = operation
  if (model.identity === null || outcome.kind !== 'response' || outcome.response.status >= 500) return null
  if (isAccepted(operation, await sender.send(testCase))) return null
  const inOrder = Array.from({ length: rangesInOrder }, (_, index) => index + 1)
  for (const range of [...inOrder, deriveSeed(session.options.seed, session.options.at)]) {
    const other = operationInRange(session, model.operation.id, range)
    if (isAccepted(other, await sendPlain(other, testCase.obligation))) return range
  }
  return null
}

const incidentsIn = (
  { options }: RunSession,
  { model }: OperationSession,
  sent: readonly Sent[],
): readonly Incident[] =>
  sent.flatMap(({ testCase, outcome }) => {
    const { violation } = judgeCase(model, testCase, outcome, options)
    return violation === null ? [] : [{ testCase, outcome, violation }]
  })
