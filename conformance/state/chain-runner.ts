import type { Outcome } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { doubtOf } from '../judge/state-doubts.ts'
import type { ChainRun } from '../pool/instance.ts'
import { type ChainOptions, createChainSteps } from './chain-steps.ts'
import { chains } from './chains.ts'
import { ChainInterrupted, OtherRejected } from './creator.ts'

/** Runs the chain of one case. `note` has to see every request that may create or remove something. */
export type ChainRunner = (
  model: OperationModel,
  testCase: TestCase,
  note: (testCase: TestCase, outcome: Outcome) => void,
) => Promise<ChainRun>

export const createChainRunner =
  (options: ChainOptions): ChainRunner =>
  async (model, sentBefore, note) => {
    // If the case comes again, it has the chain of the time before, whose resources are not those of this one.
    const { chain: _, ...testCase } = sentBefore
    const { subject } = testCase.obligation
    if (subject.kind !== 'state') throw new Error(`${testCase.obligation.id} has no chain`)
    const resource = options.graph.resources.find(({ path }) => path === subject.path)
    if (resource?.read == null) return { kind: 'missing', reason: `nothing reads ${subject.path}` }
    const chain = createChainSteps(options, model, testCase, resource, resource.read, note)
    try {
      await chains[subject.name](chain)
    } catch (error) {
      if (!(error instanceof ChainInterrupted)) throw error
      const isUnproven = error instanceof OtherRejected ? ({ isUnproven: true } as const) : {}
      return { kind: 'missing', reason: error.message, ...isUnproven }
    }
    const { steps } = chain
    const last = steps.at(-1)
    if (last === undefined) return { kind: 'missing', reason: 'nothing was sent' }
    const seen = { contract: model.contract, resource, read: resource.read, steps }
    const doubt = doubtOf(seen, subject.name)
    if (doubt !== null) return { kind: 'missing', reason: doubt }
    return {
      kind: 'done',
      testCase: { ...testCase, request: last.request, chain: { steps, values: [], exists: false } },
      outcome: last.outcome,
    }
  }
