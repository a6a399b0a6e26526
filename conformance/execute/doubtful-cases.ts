import { isRejection, sendsSecret } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { tokenFor } from '../options/run-options.ts'
import type { CurrentToken } from '../options/token-source.ts'
import { isAccepted } from '../reach/accepted.ts'
import { validObligation } from '../reach/probe.ts'
import type { Sent } from '../send/lost-connections.ts'
import { mayRejectToken } from '../send/renewed-send.ts'
import type { OperationSession, RunSession } from '../session/session.ts'

/** A case as it was answered, and with which token. */
export type AnsweredCase = Sent & {
  readonly operation: OperationSession
  readonly token: string
  /** On the clock of `performance.now`. */
  readonly began: number
  readonly ended: number
}

/**
 * Holds rejections that an expired token would explain as well as what the case tests, until a later request shows that the token
 * was still right. Without that, a server could reject everything from the moment at which the token expires, and pass.
 */
export type DoubtfulCases = {
  /** Takes a case. Gives those that can be judged now, and those to send again because their token had expired. */
  readonly add: (answered: AnsweredCase) => Settled
  /** Whether so many wait that a valid request should show whether the token is right. */
  readonly areMany: () => boolean
  /** Sends that request, and decides about all that wait. */
  readonly settle: () => Promise<Settled>
  /** The cases that still wait. They are not judged. */
  readonly rest: () => readonly TestCase[]
}

export type Settled = {
  readonly judge: readonly AnsweredCase[]
  readonly resend: readonly AnsweredCase[]
}

const most = 100

export const createDoubtfulCases = ({ options }: RunSession): DoubtfulCases => {
  const { unauthenticated } = options
  const secretOf = ({ operation: { model } }: AnsweredCase): CurrentToken =>
    tokenFor(options, model.operation)
  let waiting: AnsweredCase[] = []
  let isSettling = false

  const isDoubtful = (answered: AnsweredCase): boolean => {
    const {
      operation: { model },
      testCase,
      outcome,
    } = answered
    const { request, expectation, spec } = testCase
    if (!secretOf(answered).isRenewable || !sendsSecret(model) || request.raw !== undefined) return false
    // What a valid request is answered is no longer in doubt when it comes here.
    if (outcome.kind === 'failure' || expectation === 'accept') return false
    const kind = spec.credentials?.kind
    if (kind !== undefined && !kind.needsToken && !kind.accepted) return false
    const { status } = outcome.response
    return (
      mayRejectToken(model.operation, status) ||
      isRejection(model.operation, 'credentials', status, unauthenticated)
    )
  }

  /** Takes those for which this holds out of those that wait. */
  const take = (isTaken: (answered: AnsweredCase) => boolean): readonly AnsweredCase[] => {
    const taken = waiting.filter(isTaken)
    if (taken.length > 0) waiting = waiting.filter(answered => !taken.includes(answered))
    return taken
  }
  const hasExpired = (answered: AnsweredCase): boolean => secretOf(answered).wasRejected(answered.token)

  return {
    add: answered => {
      const isHeld = isDoubtful(answered)
      if (isHeld) waiting.push(answered)
      if (waiting.length === 0) return { judge: [answered], resend: [] }
      const isProof = answered.testCase.expectation === 'accept' && isAccepted(answered.operation, answered)
      const resend = take(hasExpired)
      const judge = take(
        held =>
          // A token that was replaced in time was right until then.
          held.token !== secretOf(held).value() ||
          (isProof && held.token === answered.token && held.ended <= answered.began),
      )
      return { judge: isHeld ? judge : [answered, ...judge], resend }
    },
    areMany: () => waiting.length >= most && !isSettling,
    settle: async () => {
      const last = waiting.at(-1)
      if (last === undefined) return { judge: [], resend: [] }
      isSettling = true
      const before = new Set(waiting)
      const valid = validObligation(last.operation)
      const { sender } = last.operation
      // It renews the token if that has expired.
      if (valid !== undefined) await sender.send(sender.validCase(valid, 'plain'))
      isSettling = false
      return { resend: take(hasExpired), judge: take(answered => before.has(answered)) }
    },
    rest: () => waiting.map(({ testCase }) => testCase),
  }
}
