import type {
  HttpRequest,
  Json,
  Outcome,
  RecordedOutcome,
  RecordedRequest,
  RecordedStep,
  Secret,
} from '../../spec/index.ts'
import type { Chain, ChainStep, StepRole } from '../cases/case.ts'
import { recordStep } from '../judge/record-outcome.ts'

const bytesOf = ({
  data,
  encoding,
}: {
  readonly data: string
  readonly encoding: 'utf8' | 'base64'
}): Uint8Array => Buffer.from(data, encoding)

export const readRequest = ({ body, ...rest }: RecordedRequest): HttpRequest => ({
  ...rest,
  body: body === null ? null : bytesOf(body),
})

export const readOutcome = (outcome: RecordedOutcome): Outcome => {
  if (outcome.kind === 'failure') return outcome
  const { status, headers, body, ...rest } = outcome
  return { ...rest, response: { status, headers, body: bytesOf(body) } }
}

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
