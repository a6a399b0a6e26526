import type { Finding, Obligation, Outcome } from '../../spec/index.ts'
import { deriveSeed } from '../generator/seed.ts'
import { judgeCase } from '../judge/judge-case.ts'
import type { Incident } from '../judge/run-stats.ts'
import { isThrottled } from '../send/patient-send.ts'
import { addressProblem, isRedirectedAnyway, tokenProblem } from './access-problem.ts'
import { blockedFinding } from './blocked-operation.ts'
import { isAccepted, probe, type Sent, validObligation } from './probe.ts'
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
  /** Valid requests that were rejected before another one was accepted. */
  readonly incidents: readonly Incident[]
}

export const unreachable = (session: RunSession, detail: string): Preflight => ({
  session,
  unreachable: `${detail}. Is the server running, and is the URL right?`,
  noAccess: null,
  closed: new Map(),
  blocked: new Map(),
  incidents: [],
})

/**
 * Sends each operation a few plain valid requests before anything else. If none is accepted, one finding points at the likely cause,
 * instead of a hundred that follow from it.
 */
export const preflight = async (first: RunSession): Promise<Preflight> => {
  const blocked = new Map<string, Finding>()
  const nothingAccepted: Sent[] = []
  const closed = new Map<string, string>()
  const incidents: Incident[] = []
  let range = 0
  let tried = 0
  for (const operation of testedOperations(first)) {
    const valid = validObligation(operation)
    if (valid === undefined) continue
    tried += 1
    const sent = await sendPlain(operation, valid)
    // What no other request would change.
    const isHopeless = isThrottled(sent.outcome) || (await isRedirectedAnyway(operation, sent))
    if (isAccepted(operation, sent) && !isHopeless) continue
    const free = isHopeless ? null : await freeRange(first, operation, sent)
    if (free !== null) {
      range = Math.max(range, free)
      continue
    }
    const { accepted, rejected } = isHopeless
      ? { accepted: false, rejected: [sent] }
      : await probe(operation, valid)
    const last = rejected.at(-1) ?? sent
    if (accepted) incidents.push(...incidentsIn(first, operation, [sent, ...rejected]))
    else if (isSilence(last.outcome)) return unreachable(first, last.outcome.detail)
    else {
      const { id } = operation.model.operation
      const problem = await tokenProblem(first, operation, last)
      if (problem !== null) closed.set(id, problem)
      else {
        blocked.set(id, blockedFinding(operation.model, last, first.options))
        nothingAccepted.push(last)
      }
    }
  }
  const session = range === 0 ? first : openSession(first, range)
  const hasAccepted = blocked.size + closed.size < tried
  return {
    session,
    unreachable: null,
    noAccess: hasAccepted ? null : noAccessOf([...closed.values()], nothingAccepted),
    closed,
    blocked,
    incidents,
  }
}

/** If each operation that accepted nothing has a reason that is not the server's fault: the first one. */
const noAccessOf = (closed: readonly string[], blocked: readonly Sent[]): string | null => {
  const problems = [...closed, ...blocked.map(({ outcome }) => addressProblem(outcome))]
  return problems.includes(null) ? null : (problems[0] ?? null)
}

const sendPlain = async ({ sender }: OperationSession, valid: Obligation): Promise<Sent> => {
  const testCase = sender.validCase(valid, 'plain')
  return { testCase, outcome: await sender.send(testCase) }
}

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
  if (isAccepted(operation, { testCase, outcome: await sender.send(testCase) })) return null
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
    const { violation } = judgeCase(model, testCase, outcome, options.unauthenticated)
    return violation === null ? [] : [{ testCase, outcome, violation }]
  })
