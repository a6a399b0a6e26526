/** Operations that accepted no valid request: the finding that says so, and what else they show. */
import {
  curlScript,
  describeResponse,
  type Finding,
  idOf,
  isUndeclaredStatus,
  type Obligation,
  type Outcome,
  outcomeText,
  recordOutcome,
  recordRequest,
  type Secret,
  successText,
  violationOf,
} from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import type { RunOptions } from '../options/run-options.ts'
import type { Sent } from '../send/lost-connections.ts'
import { isOfName, isOfNothing } from './expected-status.ts'
import { findingCause } from './mechanism.ts'
import { signature } from './observation-text.ts'
import { recordSteps, stepsBefore } from './record-outcome.ts'
import { addObservation, hasPassed, type Incident, incidentsOf, type RunStats } from './run-stats.ts'
import { answerOf, withWords } from './server-words.ts'

/** Bytes of a body that the finding keeps. */
const bodyLimit = 65_536

/** The one finding of an operation that accepts no valid request. `sent`: how many it got. */
export const blockedFinding = (
  model: OperationModel,
  { testCase, outcome }: Sent,
  sent: number,
  { target, secrets }: RunOptions,
): Finding => {
  const { obligation, request } = testCase
  const expected = successText(model.operation)
  const isMadeUp = isOfNothing(model, testCase)
  const actual = outcome.kind === 'response' ? describeResponse(outcome.response) : outcome.detail
  const incident = { testCase, outcome, violation: violationOf(obligation, { expected, actual }) }
  return {
    type: 'finding',
    id: 'first',
    title: titleOf(isMadeUp, outcome, secrets),
    obligation: obligation.id,
    level: obligation.level,
    also: [],
    expected,
    actual,
    repeat: 'unrepeated',
    cases: sent,
    expectation: 'accept',
    request: recordRequest(request, bodyLimit),
    outcome: recordOutcome(outcome, secrets, bodyLimit),
    ...recordSteps(testCase, secrets, bodyLimit),
    curl: curlScript(stepsBefore(testCase), request, target.href),
    hint: hintFor(isMadeUp, outcome),
    cause: findingCause(obligation, incident, 'unrepeated', secrets),
  }
}

/** A server that fails is worse than one that rejects. */
const titleOf = (isMadeUp: boolean, outcome: Outcome, secrets: readonly Secret[]): string =>
  withWords(
    outcome.kind === 'failure' || outcome.response.status >= 500
      ? outcomeText(outcome, isMadeUp ? 'each request for a made-up name' : 'each valid request', 'accept')
      : `accepted no valid request (${outcome.response.status})`,
    outcome,
    secrets,
  )

const hintFor = (isMadeUp: boolean, outcome: Outcome): string => {
  // If it answered no other requests either, the run would say that instead.
  if (outcome.kind === 'failure' && outcome.failure === 'timeout')
    return 'The server hangs on these requests and answers others. If the operation waits for something by design, raise --timeout; otherwise look in the log of the server.'
  if (outcome.kind === 'failure')
    return 'The server does not respond to any valid request. Check the URL, and whether the server is healthy.'
  const { status } = outcome.response
  if (status === 405) return 'The server does not know the method of the operation. Check the base URL.'
  if (status === 404)
    return 'The server does not find the operation, or something that the request names. Check its words, and the base URL.'
  if (status >= 500 && isMadeUp)
    return 'The server fails for a name that nothing has. It should answer that nothing is found. Look in its log.'
  if (status >= 500) return 'The server fails on every valid request. Look in its log.'
  return 'The server rejects every valid request. Check whether the server requires more than the contract says.'
}

/** `valid`: the obligation that any valid request is accepted; undefined if none can be generated. */
type JudgedOperation = {
  readonly model: OperationModel
  readonly valid: Obligation | undefined
  readonly obligations: readonly Obligation[]
}

/**
 * The finding of an operation for which there was no time before the plan, if its cases show that it accepts no valid request; null if they do
 * not. `rejected`: the valid request that it got and rejected; alone it shows nothing, as nobody looked for a better one.
 */
export const blockedByPlan = (
  { model, valid, obligations }: JudgedOperation,
  rejected: Sent | null,
  stats: RunStats,
  options: RunOptions,
): Finding | null => {
  const seen = valid === undefined ? undefined : stats.obligations.get(valid.id)
  const [first] = seen?.incidents ?? []
  if (first !== undefined && seen !== undefined)
    return blockedFinding(model, { ...first, lost: null }, seen.cases, options)
  const isSeenAgain =
    rejected !== null &&
    obligations.some(({ id }) =>
      incidentsOf(stats, id).some(({ outcome }) => signature(outcome) === signature(rejected.outcome)),
    )
  return isSeenAgain ? blockedFinding(model, rejected, 1, options) : null
}

/** The operations that accepted no valid request of the plan either. */
export const stillBlocked = (
  blocked: ReadonlyMap<string, Finding>,
  obligationsOf: (operation: string) => readonly Obligation[],
  stats: RunStats,
): ReadonlyMap<string, Finding> =>
  new Map(
    [...blocked].filter(
      ([operation]) =>
        // A 404 is as right as a success for a name that a case has made up.
        !obligationsOf(operation).some(
          obligation =>
            obligation.family === 'accept' && !isOfName(obligation) && hasPassed(stats, obligation.id),
        ),
    ),
  )

type Shown = {
  readonly stats: RunStats
  readonly blocked: ReadonlyMap<string, Finding>
  /** Operations that ask for something that exists, and why nothing that does is known. */
  readonly unnamed: ReadonlyMap<string, string>
}

/** Whether an obligation is about requests for something that exists: one about a value in the path is not. */
export const needsName = ({ subject, family }: Obligation): boolean =>
  family !== 'unspecified' &&
  family !== 'stability' &&
  !('location' in subject && subject.location.in === 'path')

/**
 * The stats with those incidents that show something by themselves: all, unless the operation accepts no valid request or asks for what nobody
 * could make. Then these are crashes, hangs, wrong bodies, and what was accepted although it is invalid. That a request was rejected, or
 * answered as valid requests are, says the finding of the operation.
 */
export const tellingStats = (
  operation: string,
  obligations: readonly Obligation[],
  { stats, blocked, unnamed }: Shown,
): RunStats => {
  const outcome = blocked.get(operation)?.outcome
  if (outcome === undefined && !unnamed.has(operation)) return stats
  const usual = outcome?.kind === 'response' ? String(outcome.status) : outcome?.failure
  const kept = new Map(stats.obligations)
  for (const { id, family } of obligations) {
    const known = kept.get(id)
    // What a workflow asks for exists, and is accepted there if anywhere.
    if (known !== undefined && family !== 'flow')
      kept.set(id, { ...known, incidents: known.incidents.filter(each => isTelling(each, usual)) })
  }
  return { ...stats, obligations: kept }
}

/** Whether an incident shows something by itself at an operation that usually answers valid requests like this. */
const isTelling = ({ testCase, outcome, violation }: Incident, usual: string | undefined): boolean => {
  const answer = signature(outcome)
  if (answer === usual && (violation.title === undefined || isUndeclaredStatus(violation))) return false
  if (outcome.kind === 'failure' || outcome.response.status >= 500) return answer !== usual
  if (violation.subject.kind === 'response') return true
  return testCase.expectation === 'reject' && outcome.response.status < 300
}

/** The same at an operation whose credentials are missing: that it says so in one way or another shows nothing. */
export const isTellingWithoutAccess = (incident: Incident, usual: Outcome): boolean =>
  !(incident.outcome.kind === 'response' && [401, 403].includes(incident.outcome.response.status)) &&
  isTelling(incident, signature(usual))

/** Whether a case shows something only if the operation accepts valid requests. */
export const needsAccepted = ({ obligation: { family }, precondition }: TestCase): boolean =>
  precondition !== 'none' || !['accept', 'reject', 'auth'].includes(family)

/** Valid requests whose answers have to be known, and the share of these that may have been seen only once. */
const [fewest, rarest] = [8, 0.05]

/** Keeps how a request was rejected, as long as the operation has accepted none. */
export const recordAnswer = (
  stats: RunStats,
  { testCase, outcome }: Pick<Sent, 'testCase' | 'outcome'>,
): void => {
  const { obligation, expectation, request } = testCase
  if (outcome.kind === 'failure' || outcome.response.status < 400) return
  if (!isOfRequest(obligation) || expectation === 'either' || request.raw !== undefined) return
  if (hasPassed(stats, idOf(obligation.operation, { kind: 'valid' }))) return
  addObservation(stats, obligation.id, answerOf({ testCase, outcome }))
}

const isOfRequest = ({ family, level, pin }: Obligation): boolean =>
  (family === 'accept' || family === 'reject' || family === 'auth') &&
  level !== 'OBSERVE' &&
  pin === undefined

/**
 * Tells whether requests were rejected for their fault, though the operation accepts no valid request either: each was answered in other words
 * than any valid one, and valid ones so often in the same few that this is no chance.
 */
export const distinct = (
  obligations: readonly Obligation[],
  stats: RunStats,
): ((obligation: Obligation) => boolean) => {
  const valid = new Map<string, number>()
  for (const { id, family, subject } of obligations)
    if (family === 'accept' || (subject.kind === 'credentials' && subject.isAccepted))
      for (const [answer, count] of stats.observations.get(id) ?? [])
        valid.set(answer, (valid.get(answer) ?? 0) + count)
  const counts = [...valid.values()]
  const total = counts.reduce((sum, count) => sum + count, 0)
  // The share of what was seen once is that of what would be seen next for the first time (Good and Turing).
  const isSettled = total >= fewest && counts.filter(count => count === 1).length <= rarest * total
  return ({ id, family, subject }) => {
    const answers = [...(stats.observations.get(id)?.keys() ?? [])]
    const isRejected = family === 'reject' || (subject.kind === 'credentials' && !subject.isAccepted)
    const { cases = 0, failed = 0 } = stats.obligations.get(id) ?? {}
    return (
      isSettled &&
      isRejected &&
      failed === 0 &&
      cases > 0 &&
      answers.length > 0 &&
      answers.every(each => !valid.has(each))
    )
  }
}
