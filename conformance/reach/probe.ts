import { createsByName, type Obligation, type Outcome, resourcesOf } from '../../spec/index.ts'
import { tokenFor } from '../options/run-options.ts'
import type { Sent } from '../send/lost-connections.ts'
import { is503, isThrottled } from '../send/patient-send.ts'
import { isHanging } from '../send/transport/failure.ts'
import { type OperationSession, type RunSession, wayOf } from '../session/session.ts'
import { isSentToLogIn, keepsOut } from '../set-up/undeclared-credentials.ts'
import { schemeProblem } from '../set-up/url-scheme.ts'
import { isAccepted, isRejected, wasSentAndAccepted } from './accepted.ts'
import {
  addressProblem,
  isMadeUp,
  isOpen,
  isRedirectedAnyway,
  madeUpReason,
  type TokenProblem,
  tokenProblem,
} from './access-problem.ts'
import { followAdvice } from './follow-advice.ts'
import { freeRange } from './free-range.ts'
import { searchNumberName } from './number-names.ts'
import { searchOtherName, searchOtherValues, searchValid } from './search.ts'
import { searchFurther } from './search-further.ts'
import { rightReason } from './unknown-value.ts'

/** The first valid request that was accepted, and those that were rejected before it. */
export type ProbeResult = { readonly accepted: Sent | null; readonly rejected: readonly Sent[] }

// A server may fail on the first request, on one with all or nothing of what is optional, or on what all plain ones have in common,
// such as lists of one item.
const kinds = ['full', 'plain', 'full', 'plain', 'random', 'random', 'random'] as const

/** Each timeout costs its time, and two of them show that nobody responds. */
const timeoutsTolerated = 1

/** Sends valid requests until one is accepted. */
export const probe = async (operation: OperationSession, valid: Obligation): Promise<ProbeResult> => {
  const { sender } = operation
  const rejected: Sent[] = []
  let timeouts = 0
  for (const kind of kinds) {
    const sent = await sender.send(sender.validCase(valid, kind))
    const { outcome } = sent
    if (isAccepted(operation, sent)) return { accepted: sent, rejected }
    rejected.push(sent)
    if (isHanging(outcome)) timeouts += 1
    if (timeouts > timeoutsTolerated || is503(outcome)) break
  }
  return { accepted: null, rejected }
}

/** The obligation that any valid request is accepted; undefined if no valid request can be generated. */
export const validObligation = ({ valid }: OperationSession): Obligation | undefined => valid

/**
 * What plain valid requests show of an operation. `accepted`: it accepts `sent`, and identities of this range; `before` what it should
 * have accepted as well. `closed`: the token may be why it accepts nothing (`isGuess`: only if it is wrong); `unnamed`: that nothing
 * exists that it asks for; `elsewhere`: that the URL is not that of the server.
 */
export type Trial =
  | {
      readonly result: 'accepted'
      readonly sent: Sent
      readonly range: number
      readonly before: readonly Sent[]
    }
  | { readonly result: 'silence'; readonly detail: string; readonly last: Sent }
  | { readonly result: 'elsewhere'; readonly reason: string }
  | ({ readonly result: 'closed'; readonly last: Sent; readonly sent: number } & TokenProblem)
  | { readonly result: 'unnamed'; readonly reason: string; readonly last?: Sent }
  | { readonly result: 'rejected'; readonly last: Sent; readonly sent: number }

/** Nothing as yet: a request that is accepted has to be searched for. `unnamed`: why, if nothing exists that the operation asks for. */
export type OpenTrial = { readonly result: 'open'; readonly last: Sent; readonly unnamed: string | null }

/** Sends a plain request. `isFirst`: the first one of a run; `isAlone`: no other operation is tried meanwhile. */
export const tryPlain = async (
  session: RunSession,
  operation: OperationSession,
  valid: Obligation,
  { isFirst, isAlone }: { readonly isFirst: boolean; readonly isAlone: boolean },
): Promise<Trial | OpenTrial> => {
  const { sender } = operation
  const wasLeftOut = tokenFor(session.options, operation.model.operation).isLeftOut()
  const plain = await sendPlain(operation, valid)
  const first = (await searchNumberName(session, operation, valid, plain)) ?? plain
  const scheme =
    isFirst && first.missing === undefined ? await schemeProblem(wayOf(session), first.outcome) : null
  if (scheme !== null) return { result: 'elsewhere', reason: scheme }
  const unnamed = first.missing ?? (isMadeUp(first) ? madeUpReason(session, operation) : null)
  if (unnamed !== null) return { result: 'open', last: first, unnamed }
  // If the server treats all requests alike, others show no more.
  if (
    isThrottled(first.outcome) ||
    (isFirst && is503(first.outcome)) ||
    isSentToLogIn(session.options, operation.model.operation, first.outcome) ||
    (await isRedirectedAnyway(operation, first))
  )
    return failedTrial(session, operation, first, 1)
  if (isAccepted(operation, first)) return { result: 'accepted', sent: first, range: 0, before: [] }
  if (!wasLeftOut && (await isOpen(session, operation, first)))
    return tryPlain(session, operation, valid, { isFirst, isAlone })
  // Wrong credentials stay wrong, and an operation may hang without its optional properties: one more request shows either.
  if (keepsOut(first.outcome) || isSilence(first.outcome)) {
    // What hangs beside others is asked alone first.
    if (isHanging(first.outcome) && !isAlone) return failedTrial(session, operation, first, 1)
    const second = await sender.send(sender.validCase(valid, 'full'))
    return isAccepted(operation, second)
      ? { result: 'accepted', sent: second, range: 0, before: [first] }
      : failedTrial(session, operation, second, 2)
  }
  return { result: 'open', last: first, unnamed: null }
}

/** What one plain request shows, if nothing else is to be tried. */
export const endTrial = async (
  session: RunSession,
  operation: OperationSession,
  { last, unnamed }: OpenTrial,
): Promise<Trial> =>
  unnamed === null ? failedTrial(session, operation, last, 1) : { result: 'unnamed', reason: unnamed }

/** Sends what may be accepted by what the server has shown so far. Null: nothing was. */
export const tryKnown = async (
  session: RunSession,
  operation: OperationSession,
  valid: Obligation,
  open: OpenTrial,
  { isFirst }: { readonly isFirst: boolean },
): Promise<Trial | null> => {
  const free = open.unnamed === null && isFirst ? await freeRange(session, operation, open.last) : null
  // What is accepted the second time should have been the first time.
  if (free === 'again') return tryFurther(session, operation, valid, open)
  if (free !== null) return { result: 'accepted', ...free, before: [] }
  const found = await searchValid(session, operation, valid)
  return found === null ? null : { result: 'accepted', sent: found, range: 0, before: [] }
}

/** Looks for a request that is accepted by all other means. */
export const tryFurther = async (
  session: RunSession,
  operation: OperationSession,
  valid: Obligation,
  open: OpenTrial,
): Promise<Trial> => {
  const renamed = isAnswered(open.last) ? await searchOtherName(operation, valid, open.last) : null
  if (renamed !== null && wasSentAndAccepted(operation, renamed))
    return { result: 'accepted', sent: renamed, range: 0, before: [] }
  const { last: first, unnamed } = renamed === null ? open : { last: renamed, unnamed: null }
  // The name that came nearest stays, whatever else is wrong.
  return tryOtherwise(session, operation, valid, first, unnamed)
}

/** Whether something that the server has was asked for, and it said no. */
const isAnswered = ({ outcome, missing }: Sent): boolean =>
  missing === undefined &&
  outcome.kind === 'response' &&
  [400, 404, 410, 422].includes(outcome.response.status)

/** Requests with what the first rejection asks for, before anything else is tried. */
const mostAdvisedFirst = 6

const tryOtherwise = async (
  session: RunSession,
  operation: OperationSession,
  valid: Obligation,
  first: Sent,
  unnamed: string | null,
): Promise<Trial> => {
  if (unnamed !== null) {
    const found = isNewlyNamed(operation) ? await searchFurther(session, operation, valid, [first]) : null
    return found === null
      ? { result: 'unnamed', reason: unnamed }
      : { result: 'accepted', sent: found.sent, range: 0, before: [] }
  }
  // Others may be served meanwhile, but it is the same for all requests of this one.
  if (is503(first.outcome)) return failedTrial(session, operation, first, 1)
  const advised = isRejected(first)
    ? await followAdvice(session, operation, valid, [first], 'plain', mostAdvisedFirst)
    : null
  if (advised !== null) return acceptedAfter(session, operation, first, advised)
  const { accepted, rejected } = await probe(operation, valid)
  if (accepted !== null) return { result: 'accepted', sent: accepted, range: 0, before: [first, ...rejected] }
  const other =
    (await searchFurther(session, operation, valid, [first, ...rejected])) ??
    (isRejected(first) ? await searchOtherValues(session, operation, valid) : null)
  if (other === null) return failedTrial(session, operation, rejected.at(-1) ?? first, rejected.length + 1)
  return other.accuses
    ? acceptedAfter(session, operation, first, other.sent)
    : { result: 'accepted', sent: other.sent, range: 0, before: [] }
}

/** A request is accepted, and the first one should have been: that comes again as it was. */
const acceptedAfter = ({ pool }: RunSession, { model }: OperationSession, first: Sent, sent: Sent): Trial => {
  pool.exempt(model.operation.id, first.testCase.number)
  return { result: 'accepted', sent, range: 0, before: [first] }
}

/** Whether it creates what its path names, so that a 404 means something else. */
const isNewlyNamed = ({ model: { contract, operation } }: OperationSession): boolean => {
  const last = resourcesOf(contract).namesIn(operation).at(-1)
  return last !== undefined && createsByName(last.resource, operation)
}

const failedTrial = async (
  session: RunSession,
  operation: OperationSession,
  last: Sent,
  sent: number,
): Promise<Trial> => {
  if (isSilence(last.outcome)) return { result: 'silence', detail: last.outcome.detail, last }
  // A 429 shows nothing, also where the time of the run ends the waiting that it asks for.
  const throttled = isThrottled(last.outcome) ? addressProblem(last.outcome) : null
  const problem =
    throttled === null ? await tokenProblem(session, operation, last) : { reason: throttled, isGuess: false }
  if (problem !== null) return { result: 'closed', ...problem, last, sent }
  const { model } = operation
  const { secrets } = session.options
  const reason = rightReason(model, last, secrets)
  if (reason !== null) return { result: 'unnamed', reason, last }
  const nearest = session.answers.nearestTo(last)
  return { result: 'rejected', last: nearest === null ? last : { ...nearest, lost: null }, sent }
}

/** Sends the plain valid request. */
export const sendPlain = ({ sender }: OperationSession, valid: Obligation): Promise<Sent> =>
  sender.send(sender.validCase(valid, 'plain'))

const isSilence = (outcome: Outcome): outcome is Extract<Outcome, { kind: 'failure' }> =>
  outcome.kind === 'failure' && ['refused', 'unreachable', 'timeout'].includes(outcome.failure)
