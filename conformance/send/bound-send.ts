import type { Outcome } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import type { Binder } from '../things/thing.ts'
import type { Attempt, Sent } from './lost-connections.ts'

/** Sends cases that name something that exists; each attempt may name another thing, as the one before may have removed it. */
export type BoundSend = {
  readonly send: (testCase: TestCase) => Promise<Attempt>
  readonly sendChain: (testCase: TestCase) => Promise<Sent>
  /** A request that goes before a case, with the names of what exists in its path as far as it is not about these. */
  readonly opening: (testCase: TestCase) => Promise<Opening>
}

/** `done` has to be called with what came of it. */
export type Opening = { readonly testCase: TestCase; readonly done: (outcome: Outcome) => void }

/** A request that nobody has to know of. */
export const openingOf = (testCase: TestCase): Opening => ({ testCase, done: () => {} })

/** Without a binder cases are sent as they are. */
export const createBoundSend = (
  binder: Binder | null,
  sendNow: (testCase: TestCase) => Promise<Attempt>,
): BoundSend => {
  if (binder === null)
    return {
      send: sendNow,
      sendChain: async testCase => notSent(testCase, 'nothing is known of what the server keeps'),
      opening: async testCase => openingOf(testCase),
    }
  return {
    send: async planned => {
      const binding = await binder.bind(planned)
      if (binding.kind === 'missing') return { ...notSent(planned, binding.reason), isClosable: false }
      const attempt = await sendNow(binding.testCase)
      binding.done(attempt.outcome)
      return attempt
    },
    sendChain: async planned => {
      const run = await binder.runChain(planned)
      return run.kind === 'missing' ? notSent(planned, run.reason) : { ...run, lost: null }
    },
    opening: async testCase => {
      const binding = await binder.bind(testCase)
      return binding.kind === 'bound'
        ? { testCase: binding.testCase, done: binding.done }
        : openingOf(testCase)
    },
  }
}

export const notSent = (testCase: TestCase, reason: string): Sent => {
  const outcome: Outcome = { kind: 'failure', failure: 'unreachable', status: null, detail: reason, ms: 0 }
  return { testCase, outcome, lost: null, missing: reason }
}
