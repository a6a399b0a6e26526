/**
 * Many servers lock a user out for a while after some wrong passwords in a row, and then reject the right one as well. So wrong passwords come a few
 * at a time, with a right one between them, which most servers take as the end of the row. If the user is locked out all the same, requests wait.
 */
import {
  type HttpRequest,
  type Outcome,
  statusOf,
  testedScheme,
  type UnauthenticatedPolicy,
} from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import type { CurrentToken } from '../options/token-source.ts'
import { notSent, type Sent } from './lost-connections.ts'
import { mayBeExpiry } from './renewed-send.ts'
import { delay, type WaitLimits } from './transport/time-limit.ts'

type LockedSendOptions = {
  readonly model: OperationModel
  readonly policy: UnauthenticatedPolicy
  readonly token: CurrentToken
  /** Whether the token is the right one. */
  readonly isKnown: boolean
  readonly send: (testCase: TestCase) => Promise<Sent>
  /** Sends a request as it is, and creates nothing for it: that would wait for the user as well. Null if it must not be sent now. */
  readonly ask: (request: HttpRequest) => Promise<Outcome | null>
  readonly limits: WaitLimits
}

/** Sends cases with the password of a user whom wrong passwords may lock out. */
export const createLockedSend = ({
  model,
  policy,
  token,
  isKnown,
  send,
  ask,
  limits,
}: LockedSendOptions): ((testCase: TestCase) => Promise<Sent>) => {
  const scheme = testedScheme(model) ?? model.operation.undeclared
  if (scheme?.kind !== 'basic' || token.isRenewable || !isKnown) return send
  const { id, method } = model.operation
  const user = userOf(token)
  return async testCase => {
    const { cause, spec } = testCase
    const isWrong = cause === 'credentials' && spec.credentials?.kind.needsToken === true
    if (isWrong && user.locks() >= mostLocks) return notSent(testCase, lockReason)
    const done = isWrong ? await user.beforeWrong(limits) : null
    for (let attempt = 1; ; attempt++) {
      await user.whileLocked()
      const sentAt = performance.now()
      const sent = await send(testCase).finally(done)
      if (sent.missing !== undefined || sent.outcome.kind === 'failure') return sent
      if (isWrong) user.noteWrong(id, isKeptOut(sent.outcome))
      else if (cause !== 'credentials' && sent.outcome.response.status < 400)
        user.noteRight(
          { operation: id, isSafe: method === 'GET', again: () => ask(sent.testCase.request) },
          sentAt,
        )
      const isDoubtful = mayBeExpiry(model, sent.testCase, sent.outcome, policy)
      const state = isDoubtful ? await user.lockNow(limits) : 'unknown'
      if (state === 'locked') return { ...sent, missing: lockedReason }
      if (state === 'unknown' || attempt === mostAttempts) return sent
    }
  }
}

/** Of one case: a user may be locked out again while it is sent. */
const mostAttempts = 6

const isKeptOut = (outcome: Outcome): boolean => [401, 403].includes(statusOf(outcome))

const users = new WeakMap<CurrentToken, User>()

const userOf = (token: CurrentToken): User => {
  const user = users.get(token) ?? createUser()
  users.set(token, user)
  return user
}

type Lock = 'open' | 'locked' | 'unknown'

/** A request that was accepted with the right password. */
type Right = {
  readonly operation: string
  readonly isSafe: boolean
  /** Sends it as it is once more; null if it must not be sent now. */
  readonly again: () => Promise<Outcome | null>
}

/** What the run knows of the user of a password. */
type User = {
  /** Waits until another wrong password may be sent. Gives what to call once that one is answered. */
  readonly beforeWrong: (limits: WaitLimits) => Promise<() => void>
  readonly noteWrong: (operation: string, isRejected: boolean) => void
  readonly noteRight: (right: Right, sentAt: number) => void
  /** How often the user was locked out. */
  readonly locks: () => number
  /** Waits as long as the user is locked out. */
  readonly whileLocked: () => Promise<void>
  /** The server rejected the right password: whether it does so now, once it was waited for; unknown if nothing tells. */
  readonly lockNow: (limits: WaitLimits) => Promise<Lock>
}

/** So many wrong passwords in a row lock hardly any user out. */
const mostInRow = 2

/** Milliseconds for which a lock counts as the consequence of a wrong password, and for which its end is waited for, of each run. */
const [effectMs, longestMs] = [600_000, 70_000]

/** Milliseconds between two questions whether a lock is over: the first, and the longest. */
const [firstMs, lastMs] = [250, 4000]

/** Of the time that is left, a lock may take this share: nothing else can be sent meanwhile. */
const mostOfTime = 0.8

/** After so many locks, no more wrong passwords are sent. */
const mostLocks = 2

const lockReason = 'the server locks its user out after wrong passwords, so that no more of them were sent'
const lockedReason = 'the server had locked its user out after wrong passwords'

const createUser = (): User => {
  let [wrongAt, waited, locks] = [Number.NEGATIVE_INFINITY, 0, 0]
  /** The wrong passwords since the last right one, each with when it was answered. */
  let row: { answeredAt: number; readonly answer: Promise<void> }[] = []
  const accepted = new Map<string, Right>()
  /** Operations that have rejected a wrong password: only what they answer says whether one is right. */
  const strict = new Set<string>()
  let checking: Promise<boolean> | null = null
  let asking: Promise<boolean> | null = null

  /** Those of strict operations come first, and of these the ones that change nothing. */
  const question = (): Right | undefined =>
    [...accepted.values()].toSorted((one, other) => rank(one) - rank(other))[0]
  const rank = ({ operation, isSafe }: Right): number => (strict.has(operation) ? 0 : 2) + (isSafe ? 0 : 1)
  const endRow = (sentAt: number): void => {
    row = row.filter(({ answeredAt }) => answeredAt > sentAt)
  }
  const isRight = async (): Promise<boolean> => {
    const sentAt = performance.now()
    const outcome = await question()?.again()
    endRow(sentAt)
    return outcome == null || !isKeptOut(outcome)
  }
  const check = async (limits: WaitLimits): Promise<boolean> => {
    // It may just have ended.
    if (await isRight()) return true
    const began = performance.now()
    const left = limits.deadline === null ? Number.POSITIVE_INFINITY : limits.deadline - began
    const end = Math.min(longestMs - waited, left * mostOfTime)
    for (let ms = firstMs; performance.now() - began + ms < end; ms = Math.min(lastMs, ms * 2)) {
      await delay(ms, limits)
      if (limits.signal.aborted) break
      if (!(await isRight())) continue
      waited += performance.now() - began
      locks += 1
      return true
    }
    // Then the lock is too long for a run.
    waited = longestMs
    return false
  }
  const lockNow = async (limits: WaitLimits): Promise<Lock> => {
    if (question() === undefined || performance.now() - wrongAt > effectMs) return 'unknown'
    checking ??= (waited < longestMs ? check(limits) : isRight()).finally(() => {
      checking = null
    })
    return (await checking) ? 'open' : 'locked'
  }
  return {
    beforeWrong: async limits => {
      while (row.length >= mostInRow && question() !== undefined) {
        await Promise.all(row.map(({ answer }) => answer))
        // A right one ends the row, also if no other request has it now.
        asking ??= isRight().finally(() => {
          asking = null
        })
        if (!(await asking)) await lockNow(limits)
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      const wrong = { answeredAt: Number.POSITIVE_INFINITY, answer: promise }
      row.push(wrong)
      return () => {
        wrong.answeredAt = performance.now()
        resolve()
      }
    },
    noteWrong: (operation, isRejected) => {
      wrongAt = performance.now()
      if (isRejected) strict.add(operation)
    },
    noteRight: (right, sentAt) => {
      accepted.set(right.operation, right)
      if (strict.has(right.operation)) endRow(sentAt)
    },
    locks: () => locks,
    whileLocked: async () => {
      await checking
    },
    lockNow,
  }
}
