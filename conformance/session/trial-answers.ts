import type { Outcome } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { isCrash } from '../confirm/group.ts'
import { type Unanswered, unansweredAfter } from '../judge/observation-text.ts'
import { answerOf, serverWords } from '../judge/server-words.ts'
import { isAbsenceInWords } from '../pool/rejection-words.ts'
import { is503 } from '../send/patient-send.ts'

/** A valid request that was not accepted, and what it got. */
export type TrialAnswer = { readonly testCase: TestCase; readonly outcome: Outcome }

/**
 * What valid requests got while operations were tried. The search for a request that is accepted leaves it behind, and sends values that no case
 * of the plan has.
 */
export type TrialAnswers = {
  readonly note: (testCase: TestCase, outcome: Outcome) => void
  /** The requests since the last response that got none, or all if there was no response. */
  readonly unanswered: () => readonly Unanswered[]
  /** Server errors by operation, each answer once. Nothing is noted any more. */
  readonly takeCrashes: () => ReadonlyMap<string, readonly TrialAnswer[]>
  /**
   * Another rejection of the operation that says more: it is not about the form of a value, or a name that was made up. Null: there is none, or
   * this one says as much.
   */
  readonly nearestTo: (rejection: TrialAnswer) => TrialAnswer | null
}

/** Different answers that are kept of one operation. */
const mostKept = 3

export const createTrialAnswers = (): TrialAnswers => {
  const known = new Map<string, Map<string, TrialAnswer>>()
  const nearest = new Map<string, TrialAnswer>()
  let isOpen = true
  let unanswered: readonly Unanswered[] = []
  return {
    note: (testCase, outcome) => {
      if (isOpen) unanswered = unansweredAfter(unanswered, testCase, outcome)
      if (!isOpen || testCase.expectation !== 'accept') return
      if (saysWhy({ testCase, outcome })) nearest.set(testCase.obligation.operation, { testCase, outcome })
      if (!isCrash(outcome) || is503(outcome)) return
      const { operation } = testCase.obligation
      const ofOperation = known.get(operation) ?? new Map<string, TrialAnswer>()
      known.set(operation, ofOperation)
      const answer = answerOf({ testCase, outcome })
      if (ofOperation.size < mostKept && !ofOperation.has(answer))
        ofOperation.set(answer, { testCase, outcome })
    },
    unanswered: () => unanswered,
    takeCrashes: () => {
      isOpen = false
      return new Map([...known].map(([operation, crashes]) => [operation, [...crashes.values()]]))
    },
    nearestTo: rejection => {
      const { testCase, outcome } = rejection
      const isRejection = outcome.kind === 'response' && Math.floor(outcome.response.status / 100) === 4
      return isRejection && !saysWhy(rejection) ? (nearest.get(testCase.obligation.operation) ?? null) : null
    },
  }
}

/** Whether a rejection is for another reason than the form of what was sent, who sends it, or that nothing has a made-up name. */
const saysWhy = ({ testCase, outcome }: TrialAnswer): boolean => {
  if (outcome.kind !== 'response') return false
  const { status } = outcome.response
  if (status < 400 || status >= 500 || [401, 403, 405, 429].includes(status)) return false
  const words = serverWords({ testCase, outcome })
  return words !== '' && !isAbsenceInWords(outcome) && !ofForm.test(words)
}

const ofForm =
  /\b(?:pattern|regex|format|match(?:es)?|invalid|valid|validation|must|should|required|require|missing|expected|type|parse|parsing|deserialize|unsupported|supported|found)\b/i
