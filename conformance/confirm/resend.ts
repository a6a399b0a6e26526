import { type Obligation, type Outcome, sendsSecret } from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import { judgeCase, violationsIn } from '../judge/judge-case.ts'
import type { Incident } from '../judge/run-stats.ts'
import { mayRejectToken } from '../send/renewed-send.ts'
import type { ResendOptions } from './resend-options.ts'

/** That nothing was sent again: the time is up, the variant tests something else, it never reached the server, or the answer is to another question. */
export type NotSent = 'not-sent'

/** `isExact`: with its values as they are, even if the server takes each only once; `answered` hears what came of it. */
export type How = { readonly isExact?: true; readonly answered?: (outcome: Outcome) => void }

/** Sends a variant of a case. Gives the incident if it violates the same obligation; null if it does not. */
export const resend = async (
  obligation: string,
  testCase: TestCase,
  spec: RequestSpec,
  options: ResendOptions,
  { isExact, answered }: How = {},
): Promise<Incident | null | NotSent> => {
  const { model, sender, policy, budget } = options
  const variant = budget.isOver() ? null : sender.variantOf(testCase, spec)
  if (variant === null) return 'not-sent'
  budget.left -= 1
  const sent = await sender.send(isExact ? sender.exactly(variant) : variant)
  if (sent.missing !== undefined || isUnheard(sent.outcome)) return 'not-sent'
  answered?.(sent.outcome)
  const violation = violationsIn(judgeCase(model, sent.testCase, sent.outcome, policy)).find(
    ({ id }) => id === obligation,
  )
  if (violation !== undefined) return { ...sent, violation }
  return isKeptOut(options, sent) || isOfAnother(testCase, sent.testCase) ? 'not-sent' : null
}

/** Whether a request never reached the server, which may have ended meanwhile: nobody has judged it. */
const isUnheard = (outcome: Outcome): boolean =>
  outcome.kind === 'failure' && ['refused', 'unreachable'].includes(outcome.failure)

/** Whether a request with the right token is rejected for its token by now, whatever it is about. */
const isKeptOut = (
  { model }: ResendOptions,
  { testCase: { cause }, outcome }: Pick<Incident, 'testCase' | 'outcome'>,
): boolean =>
  cause !== 'credentials' &&
  sendsSecret(model) &&
  outcome.kind === 'response' &&
  mayRejectToken(model.operation, outcome.response.status)

/** Whether a request that named what nothing has names something that exists this time. */
const isOfAnother = ({ chain }: TestCase, again: TestCase): boolean =>
  chain?.exists === false && again.chain?.exists === true

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
