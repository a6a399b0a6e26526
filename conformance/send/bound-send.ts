import { isNumber, isWaitName, numberText, type Outcome, statusOf } from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { shortWait } from '../cases/strategies/index.ts'
import type { CurrentToken } from '../options/token-source.ts'
import type { Binder, Binding } from '../pool/instance.ts'
import { knownPlaceOf, withKnown } from '../pool/known-values.ts'
import type { ValuesByPlace } from '../pool/pool.ts'
import { isAbsenceInWords, isUnderWay, isUseInWords } from '../pool/rejection-words.ts'
import { type Attempt, notSent, type Sent } from './lost-connections.ts'
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
  /** Whether a response says that nothing is found. */
  readonly isNotFound: (testCase: TestCase, outcome: Outcome) => boolean
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
  readonly isNotFound: (testCase: TestCase, outcome: Outcome) => boolean
  /** Whether an invalid request was answered that nothing is found, and nothing is known to be there: the server may look for that first. */
  readonly isOfNothing: (testCase: TestCase, outcome: Outcome) => boolean
}

export const createKnown = (
  { values, isExempt, isRefused, isNotFound, isOfNothing }: KnownOptions,
  model: OperationModel,
  token: CurrentToken,
): Known => ({
  given: testCase =>
    isExempt(testCase.number) ? testCase : withKnown(model, testCase, values(), token.value()),
  isNotFound,
  isGiven: parameter => values().has(`path ${parameter}`),
  judged: attempt => {
    const { testCase, outcome } = attempt
    if (isOfNothing(testCase, outcome)) return { ...notSent(testCase, nothingReason), isClosable: false }
    if (isHanging(outcome) && asksToWait(testCase.spec))
      return { ...notSent(testCase, waitReason), isClosable: false }
    const reason = testCase.expectation === 'accept' ? reasonOfOthers(model, outcome) : null
    if (reason !== null) return { ...notSent(testCase, reason), isClosable: false }
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

const usedReason = 'the server says that something else still uses this, or still goes on'
const goneReason =
  'the server says that what this request removes is not there: another one may have removed it'

/** Why a valid request was rejected for the sake of something else that another case may have made, started or removed; null: it was not. */
const reasonOfOthers = ({ operation: { method, path } }: OperationModel, outcome: Outcome): string | null => {
  if (isUnderWay(outcome)) return usedReason
  if (method !== 'DELETE') return null
  if (isUseInWords(outcome)) return usedReason
  // The run knows that `/apps/1` is there, but not `/apps/1/image`.
  const isPart = path.includes('}') && !/\}\/?$/.test(path)
  return isPart && statusOf(outcome) < 500 && isAbsenceInWords(outcome) ? goneReason : null
}

const nothingReason =
  'nothing is known to have the name in the path, so a response that nothing is found says nothing about the request'

const nameReason = (place: string): string =>
  `the server rejected this value of \`${place.replace(/^\//, '')}\` and accepts another one, so the rejected one may name what does not exist`

export const createBoundSend = (
  binder: Binder,
  sendNow: (testCase: TestCase) => Promise<Attempt>,
  known: Known,
): BoundSend => {
  const sendBound = async (binding: Extract<Binding, { kind: 'bound' }>): Promise<Attempt> => {
    const attempt = await sendNow(binding.testCase)
    if (attempt.before !== undefined) binding.doneBefore(attempt.before, attempt.testCase)
    binding.done(attempt.outcome, attempt.testCase)
    return attempt
  }
  return {
    send: async planned => {
      const given = known.given(planned)
      const binding = await binder.bind(given, known.isGiven)
      if (binding.kind === 'missing') return { ...notSent(planned, binding.reason), isClosable: false }
      const attempt = await sendBound(binding)
      if (!binding.mayBeGone() || !known.isNotFound(attempt.testCase, attempt.outcome))
        return known.judged(attempt)
      // What is found the second time was there the first time.
      const again = await sendBound(binding)
      if (!known.isNotFound(again.testCase, again.outcome)) return known.judged(attempt)
      // Another case may have renamed it, or removed what it belongs to: what nobody has changed shows whether it is found.
      const { chain = { steps: [], values: [], exists: true } } = binding.testCase
      const unchanged = await binder.bind({ ...given, chain }, known.isGiven)
      if (unchanged.kind === 'missing') return known.judged(attempt)
      const last = await sendBound(unchanged)
      return unchanged.mayBeGone() && known.isNotFound(last.testCase, last.outcome)
        ? {
            ...notSent(
              planned,
              'the server may have removed what it asks for together with something that the run has removed',
            ),
            isClosable: false,
          }
        : known.judged(last)
    },
    sendChain: async planned => {
      const run = await binder.runChain(planned)
      if (run.kind === 'done') return { ...run, lost: null }
      return { ...notSent(planned, run.reason), ...(run.isUnproven === true ? { isUnproven: true } : {}) }
    },
    opening: async testCase => {
      const binding = await binder.bind(known.given(testCase), known.isGiven)
      return binding.kind === 'bound'
        ? { testCase: binding.testCase, done: binding.done }
        : { missing: binding.reason }
    },
  }
}
