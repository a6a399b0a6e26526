import { isNumber, isWaitName, numberText, type Outcome } from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { shortWait } from '../cases/strategies/index.ts'
import type { CurrentToken } from '../options/current-token.ts'
import type { Binder } from '../pool/instance.ts'
import { knownPlaceOf, withKnown } from '../pool/known-values.ts'
import type { ValuesByPlace } from '../pool/pool.ts'
import type { Attempt, Sent } from './lost-connections.ts'
import { isHanging } from './transport/failure.ts'

/** Sends cases that name something that exists; each attempt may name another resource, as the one before may have removed it. */
export type BoundSend = {
  readonly send: (testCase: TestCase) => Promise<Attempt>
  readonly sendChain: (testCase: TestCase) => Promise<Sent>
  /** A request that goes before a case, with the names of what exists in its path as far as it is not about these. */
  readonly opening: (testCase: TestCase) => Promise<Opening | { readonly missing: string }>
}

/** `done` has to be called with what came of it. */
export type Opening = { readonly testCase: TestCase; readonly done: (outcome: Outcome) => void }

/** A request that nobody has to know of. */
export const openingOf = (testCase: TestCase): Opening => ({ testCase, done: () => {} })

/** What a run has learned that requests of an operation need. */
export type Known = {
  /** The case with what is known, wherever it is about something else. */
  readonly given: (testCase: TestCase) => TestCase
  /** Whether a value is known for a parameter of the path. */
  readonly isGiven: (parameter: string) => boolean
  /** An attempt that shows nothing, as it names what does not exist, is one that was not made. */
  readonly judged: (attempt: Attempt) => Attempt
}

export type KnownOptions = {
  /** Values that the server has given. */
  readonly values: () => ValuesByPlace
  /** Whether the case of this number is sent as it is. */
  readonly isExempt: (number: number) => boolean
  /** Whether a valid request was rejected, as one is that names what does not exist. */
  readonly isRefused: (testCase: TestCase, outcome: Outcome) => boolean
}

export const createKnown = (
  { values, isExempt, isRefused }: KnownOptions,
  model: OperationModel,
  token: CurrentToken,
): Known => ({
  given: testCase =>
    isExempt(testCase.number) ? testCase : withKnown(model, testCase, values(), token.value()),
  isGiven: parameter => values().has(`path ${parameter}`),
  judged: attempt => {
    const { testCase, outcome } = attempt
    if (isHanging(outcome) && asksToWait(testCase.spec))
      return { ...notSent(testCase, waitReason), isClosable: false }
    const place = isRefused(testCase, outcome) ? knownPlaceOf(testCase, values()) : null
    return place === null ? attempt : { ...notSent(testCase, nameReason(place)), isClosable: false }
  },
})

const waitReason =
  'the request asks the server to wait, and it waited longer than the time limit for a response: see --timeout'

/** Whether a request says how long the server is to take for it, and that is longer than what is sent if it does not matter. */
const asksToWait = ({ parameters }: RequestSpec): boolean =>
  Object.entries(parameters).some(
    ([name, value]) => isWaitName(name) && Number(isNumber(value) ? numberText(value) : value) > shortWait,
  )

const nameReason = (place: string): string =>
  `the server rejected this value of \`${place.replace(/^\//, '')}\` and accepts another one, so the rejected one may name what does not exist`

/** Without a binder cases are sent as they are. */
export const createBoundSend = (
  binder: Binder | null,
  sendNow: (testCase: TestCase) => Promise<Attempt>,
  known: Known,
): BoundSend => {
  if (binder === null)
    return {
      send: async planned => known.judged(await sendNow(known.given(planned))),
      sendChain: async testCase => notSent(testCase, 'it is not known what the server stores'),
      opening: async testCase => openingOf(known.given(testCase)),
    }
  return {
    send: async planned => {
      const binding = await binder.bind(known.given(planned), known.isGiven)
      if (binding.kind === 'missing') return { ...notSent(planned, binding.reason), isClosable: false }
      const attempt = await sendNow(binding.testCase)
      if (attempt.before !== undefined) binding.doneBefore(attempt.before, attempt.testCase)
      binding.done(attempt.outcome, attempt.testCase)
      return known.judged(attempt)
    },
    sendChain: async planned => {
      const run = await binder.runChain(planned)
      return run.kind === 'missing' ? notSent(planned, run.reason) : { ...run, lost: null }
    },
    opening: async testCase => {
      const binding = await binder.bind(known.given(testCase), known.isGiven)
      return binding.kind === 'bound'
        ? { testCase: binding.testCase, done: binding.done }
        : { missing: binding.reason }
    },
  }
}

export const notSent = (testCase: TestCase, reason: string): Sent => {
  const outcome: Outcome = { kind: 'failure', failure: 'unreachable', status: null, detail: reason, ms: 0 }
  return { testCase, outcome, lost: null, missing: reason }
}
