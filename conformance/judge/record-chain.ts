import { type RecordedStep, recordOutcome, recordRequest, type Secret } from '../../spec/index.ts'
import type { ChainStep, TestCase } from '../cases/case.ts'

/** The steps before the request of a case as the ledger has them; nothing if there are none. */
export const recordSteps = (
  testCase: TestCase,
  secrets: readonly Secret[],
  bodyLimit: number,
): { readonly steps?: readonly RecordedStep[] } => {
  const steps = stepsBefore(testCase)
  return steps.length === 0 ? {} : { steps: steps.map(step => recordStep(step, secrets, bodyLimit)) }
}

export const recordStep = (
  { role, operation, request, outcome, name }: ChainStep,
  secrets: readonly Secret[],
  bodyLimit: number,
): RecordedStep => ({
  role,
  operation,
  request: recordRequest(request, bodyLimit),
  outcome: recordOutcome(outcome, secrets, bodyLimit),
  ...(name === undefined ? {} : { name }),
})

/** The steps before the request of a case, which is the last of its chain if that is about what the server keeps. */
export const stepsBefore = ({ obligation, chain }: TestCase): readonly ChainStep[] => {
  const steps = chain?.steps ?? []
  return obligation.family === 'state' ? steps.slice(0, -1) : steps
}
