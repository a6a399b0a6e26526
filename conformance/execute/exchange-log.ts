import {
  type ExchangeEvent,
  type ObligationId,
  type Outcome,
  recordOutcome,
  recordRequest,
  type Secret,
} from '../../spec/index.ts'
import { beyondPlan, caseId, type TestCase } from '../cases/case.ts'
import { recordSteps } from '../judge/record-outcome.ts'

/** Bytes of a body that the log keeps; findings keep their requests whole. */
const bodyLimit = 4096
const stepLimit = 1024
/** Of this many cases all exchanges are logged; of the rest only the first few of each obligation, the first failures of each, and a sample. */
const wholeLog = 5_000
const firstFew = 5
const sampleInterval = 500

export type ExchangeLog = {
  readonly add: (testCase: TestCase, outcome: Outcome, failed: readonly ObligationId[]) => void
  /** The case was not sent, or nothing came of it. */
  readonly skip: (testCase: TestCase) => void
  /** The case comes after those that follow it in the plan: they do not wait for it. */
  readonly postpone: (testCase: TestCase) => void
}

/** Logs the exchanges of a plan in its order, whatever order their responses come in. Memory stays flat, however long the run. */
export const createExchangeLog = (
  emit: (event: ExchangeEvent) => void,
  secrets: readonly Secret[],
): ExchangeLog => {
  const isLogged = createChooser()
  /** Of the cases that came to an end, by their numbers, those that were sent, with the event of each that is logged. */
  const waiting = new Map<number, { readonly isSent: boolean; readonly event: ExchangeEvent | null }>()
  let next = 0
  let sent = 0
  const end = (number: number, isSent: boolean, event: ExchangeEvent | null): void => {
    if (number >= beyondPlan) return
    waiting.set(number, { isSent, event })
    for (let ready = waiting.get(next); ready !== undefined; ready = waiting.get(next)) {
      waiting.delete(next)
      next += 1
      if (ready.isSent) sent += 1
      if (ready.event !== null) emit(sent === next ? ready.event : { ...ready.event, sent })
    }
  }
  const postponed = new Set<number>()
  return {
    add: (testCase, outcome, failed) => {
      const { number } = testCase
      const event = isLogged(testCase, failed) ? exchangeEvent(testCase, outcome, failed, secrets) : null
      if (!postponed.delete(number)) return end(number, true, event)
      sent += 1
      if (event !== null) emit({ ...event, sent })
    },
    skip: ({ number }) => {
      if (!postponed.delete(number)) end(number, false, null)
    },
    postpone: ({ number }) => {
      if (number >= beyondPlan) return
      postponed.add(number)
      end(number, false, null)
    },
  }
}

const exchangeEvent = (
  testCase: TestCase,
  outcome: Outcome,
  failed: readonly ObligationId[],
  secrets: readonly Secret[],
): ExchangeEvent => ({
  type: 'exchange',
  id: caseId(testCase.number),
  obligation: testCase.obligation.id,
  expectation: testCase.expectation,
  request: recordRequest(testCase.request, bodyLimit),
  outcome: recordOutcome(outcome, secrets, bodyLimit),
  ...recordSteps(testCase, secrets, stepLimit),
  failed,
})

const createChooser = () => {
  let cases = 0
  const counts = new Map<string, number>()
  const isEarly = (key: string): boolean => {
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count <= firstFew
  }
  return ({ number, obligation: { id } }: TestCase, failed: readonly ObligationId[]): boolean => {
    const early = [id, ...failed.map(failedId => `failed ${failedId}`)].map(isEarly).includes(true)
    cases += 1
    return cases <= wholeLog || early || number % sampleInterval === 0
  }
}
