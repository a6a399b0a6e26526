import type { Outcome } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { isCrash } from '../confirm/passes-alone.ts'
import { answerOf } from '../judge/server-words.ts'
import { is503 } from '../send/patient-send.ts'

/** A valid request that got a server error. */
export type Crash = { readonly testCase: TestCase; readonly outcome: Outcome }

/**
 * Server errors that valid requests got while operations were tried. The search for a request that is accepted leaves them behind, and sends
 * values that no case of the plan has.
 */
export type TrialCrashes = {
  readonly note: (testCase: TestCase, outcome: Outcome) => void
  /** By operation, each answer once. Nothing is noted any more. */
  readonly take: () => ReadonlyMap<string, readonly Crash[]>
}

/** Different answers that are kept of one operation. */
const mostKept = 3

export const createTrialCrashes = (): TrialCrashes => {
  const known = new Map<string, Map<string, Crash>>()
  let isOpen = true
  return {
    note: (testCase, outcome) => {
      if (!isOpen || testCase.expectation !== 'accept' || !isCrash(outcome) || is503(outcome)) return
      const { operation } = testCase.obligation
      const ofOperation = known.get(operation) ?? new Map<string, Crash>()
      known.set(operation, ofOperation)
      const answer = answerOf({ testCase, outcome })
      if (ofOperation.size < mostKept && !ofOperation.has(answer))
        ofOperation.set(answer, { testCase, outcome })
    },
    take: () => {
      isOpen = false
      return new Map([...known].map(([operation, crashes]) => [operation, [...crashes.values()]]))
    },
  }
}
