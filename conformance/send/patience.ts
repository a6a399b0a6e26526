import { type Outcome, obligationId, pathOf, type UntestedReason } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'

/**
 * Hangs (or responses without end) that a run tolerates on one obligation, below one name, on one requirement of all operations if none of them has
 * met it, on one operation, and in all: each takes its time. After those of a run an operation that hung once gets no more.
 */
const tolerated = { obligation: 1, name: 6, requirement: 3, operation: 12, run: 48 } as const

/** So many milliseconds for which nothing else was answered count as a hang more. */
const hangMs = 5000

/** Why the cases for which it is exhausted are not sent. */
export const hanging: UntestedReason = {
  cause: 'time',
  reason: 'the server hung on similar requests, so the rest of them was left out',
}

/** Whether cases are worth their time on a server that hangs. */
export type Patience = {
  /** Whether the server hung so often on cases like this one that the rest of them is not sent. */
  readonly isExhausted: (testCase: TestCase) => boolean
  /** Gives whether the server hung on so many of the same requirement before that one more shows nothing new. */
  readonly note: (testCase: TestCase, outcome: Outcome) => boolean
}

export const createPatience = (): Patience => {
  const hangs = new Map<string, number>()
  /** Requirements on which some operation responded. */
  const answered = new Set<string>()
  const requirementOf = ({ obligation: { subject } }: TestCase): string => `*/${pathOf(subject).join('/')}`
  const limitsOf = (testCase: TestCase) => {
    const { id, operation, subject } = testCase.obligation
    return [
      [id, tolerated.obligation] as const,
      [obligationId(operation, pathOf(subject).slice(0, -1)), tolerated.name] as const,
      [requirementOf(testCase), tolerated.requirement] as const,
      [operation, tolerated.operation] as const,
    ]
  }
  const count = (key: string): number => hangs.get(key) ?? 0
  return {
    isExhausted: testCase =>
      hangs.size > 0 &&
      ((count('') >= tolerated.run && count(testCase.obligation.operation) > 0) ||
        limitsOf(testCase).some(([key, limit]) => !answered.has(key) && count(key) >= limit)),
    note: (testCase, outcome) => {
      const requirement = requirementOf(testCase)
      if (outcome.kind === 'response') answered.add(requirement)
      else if (outcome.failure === 'timeout' || outcome.failure === 'too-large') {
        const cost = 1 + (outcome.blockedMs ?? 0) / hangMs
        for (const key of ['', ...limitsOf(testCase).map(([each]) => each)])
          hangs.set(key, count(key) + (key === requirement ? 1 : cost))
        return !answered.has(requirement) && count(requirement) > tolerated.requirement
      }
      return false
    },
  }
}
