import type { Json, RecordedStep, Secret } from '../../spec/index.ts'
import type { Chain, ChainStep, StepRole } from '../cases/case.ts'
import { recordStep } from '../judge/record-outcome.ts'
import { readOutcome, readRequest } from './read-exchange.ts'

/** A chain as JSON. */
export type WrittenChain = Omit<Chain, 'steps'> & {
  readonly steps: readonly (RecordedStep & { readonly sent?: Json })[]
}

export const writeChain = ({ steps, ...rest }: Chain, secrets: readonly Secret[]): WrittenChain => ({
  ...rest,
  steps: steps.map(step => ({
    ...recordStep(step, secrets, Number.POSITIVE_INFINITY),
    ...(step.sent === undefined ? {} : { sent: step.sent }),
  })),
})

export const readChain = ({ steps, ...rest }: WrittenChain): Chain => ({
  ...rest,
  steps: steps.map(
    ({ request, outcome, role, ...step }): ChainStep => ({
      ...step,
      role: role as StepRole,
      request: readRequest(request),
      outcome: readOutcome(outcome),
    }),
  ),
})
