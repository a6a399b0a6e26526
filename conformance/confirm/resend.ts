import type { Obligation, Outcome } from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import { judgeCase, violationsIn } from '../judge/judge-case.ts'
import type { Incident } from '../judge/run-stats.ts'
import type { ResendOptions } from './resend-options.ts'

/** That nothing was sent: the time is up, or the variant tests something else. */
export type NotSent = 'not-sent'

/**
 * Sends a variant of a case. Gives the incident if it violates the same obligation; null if it does not. `isExact`: with its values as they
 * are, even if the server takes each only once.
 */
export const resend = async (
  obligation: string,
  testCase: TestCase,
  spec: RequestSpec,
  { model, sender, policy, budget }: ResendOptions,
  isExact = false,
): Promise<Incident | null | NotSent> => {
  const variant = budget.isOver() ? null : sender.variantOf(testCase, spec)
  if (variant === null) return 'not-sent'
  budget.left -= 1
  const sent = await sender.send(isExact ? sender.exactly(variant) : variant)
  if (sent.missing !== undefined) return 'not-sent'
  const violation = violationsIn(judgeCase(model, sent.testCase, sent.outcome, policy)).find(
    ({ id }) => id === obligation,
  )
  return violation === undefined ? null : { ...sent, violation }
}

/** Sends a valid request for what it is. Gives the incident if it violates an obligation as any valid request; null if it does not. */
export const failsAsAny = async (
  obligation: string,
  testCase: TestCase,
  any: Obligation,
  { model, sender, policy, budget }: ResendOptions,
): Promise<Incident | null> => {
  if (budget.isOver()) return null
  budget.left -= 1
  const { missing, ...sent } = await sender.send(testCase)
  if (missing !== undefined) return null
  const asAny = { ...sent.testCase, obligation: any }
  const violation = violationsIn(judgeCase(model, asAny, sent.outcome, policy)).find(
    ({ id }) => id === obligation,
  )
  return violation === undefined ? null : { ...sent, testCase: asAny, violation }
}

/** The same for whoever only asks whether it failed again. */
export const failsAgain = async (...args: Parameters<typeof resend>): Promise<Incident | null> => {
  const again = await resend(...args)
  return again === 'not-sent' ? null : again
}

/** Whether a request costs the whole timeout, or megabytes. */
export const isCostly = (outcome: Outcome): boolean =>
  outcome.kind === 'failure' && (outcome.failure === 'timeout' || outcome.failure === 'too-large')
