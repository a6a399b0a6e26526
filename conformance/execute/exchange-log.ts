import {
  type ExchangeEvent,
  type Outcome,
  recordOutcome,
  recordRequest,
  type Secret,
} from '../../spec/index.ts'
import { caseId, type TestCase } from '../cases/case.ts'
import { recordSteps } from '../judge/record-chain.ts'

/** Bytes of a body that the log keeps; findings keep their requests whole. */
const bodyLimit = 4096
const stepLimit = 1024
/** Of this many cases all exchanges are logged; of the rest only the first few of each obligation, the first failures of each, and a sample. */
const wholeLog = 5_000
const firstFew = 5
const sampleInterval = 500

export type ExchangeLog = {
  readonly add: (testCase: TestCase, outcome: Outcome, failed: readonly string[]) => void
  /** The case was not sent, or nothing came of it. */
  readonly skip: (testCase: TestCase) => void
}

/** Logs the exchanges of a plan in its order, whatever order their responses come in. Memory stays flat, however long the run. */
export const createExchangeLog = (
  emit: (event: ExchangeEvent) => void,
  secrets: readonly Secret[],
): ExchangeLog => {
  const add = inOrder(emit)
  const isLogged = createChooser()
  return {
    add: (testCase, outcome, failed) =>
      add(
        testCase.number,
        isLogged(testCase, failed) ? exchangeEvent(testCase, outcome, failed, secrets) : null,
      ),
    skip: ({ number }) => add(number, null),
  }
}

const exchangeEvent = (
  testCase: TestCase,
  outcome: Outcome,
  failed: readonly string[],
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
  return ({ number, obligation: { id } }: TestCase, failed: readonly string[]): boolean => {
    const early = [id, ...failed.map(failedId => `failed ${failedId}`)].map(isEarly).includes(true)
    cases += 1
    return cases <= wholeLog || early || number % sampleInterval === 0
  }
}

/** Emits items in the order of their numbers, which have no gaps. */
const inOrder = <T>(emit: (item: T) => void): ((number: number, item: T | null) => void) => {
  const waiting = new Map<number, T | null>()
  let next = 0
  return (number, item) => {
    waiting.set(number, item)
    for (let ready = waiting.get(next); ready !== undefined; ready = waiting.get(next)) {
      waiting.delete(next)
      if (ready !== null) emit(ready)
      next += 1
    }
  }
}
