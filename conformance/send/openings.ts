import type { Obligation } from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import { renderRequest } from '../cases/render.ts'
import { type Strategy, type StrategyContext, strategyOf } from '../cases/strategies/index.ts'

/** Requests that go before a case on its connection, by the obligation that the case tests. */
export type Openings = {
  readonly accepted: (tested: Obligation) => TestCase
  /** One that the server has to reject, if there is any. */
  readonly rejected: (tested: Obligation) => TestCase
}

export type OpeningsOptions = {
  readonly context: StrategyContext
  /** Those of the operation. */
  readonly obligations: readonly Obligation[]
  /** That any valid request is accepted; undefined if no valid request can be generated. */
  readonly valid: Obligation | undefined
  readonly plainSpec: () => RequestSpec
  readonly rejectedCase: (obligation: Obligation, strategy: Strategy, index: number) => TestCase | null
}

export const createOpenings = ({
  context,
  obligations,
  valid,
  plainSpec,
  rejectedCase,
}: OpeningsOptions): Openings => {
  const { model } = context
  const opening = (
    tested: Obligation,
    expectation: TestCase['expectation'],
    spec: RequestSpec,
  ): TestCase => ({
    number: 0,
    obligation: valid ?? tested,
    expectation,
    cause: null,
    spec,
    request: renderRequest(model.operation, spec),
    precondition: 'none',
  })
  const accepted = (tested: Obligation): TestCase => opening(tested, 'accept', plainSpec())
  const malformed = (): RequestSpec => ({
    ...plainSpec(),
    encoding: { kind: 'malformed', name: 'truncated', pick: 2 },
  })
  return {
    accepted,
    rejected: tested => {
      if (model.body?.in === 'body') return opening(tested, 'reject', malformed())
      // Without a JSON body: the first fault that can be made.
      for (const obligation of obligations.filter(({ family }) => family === 'reject' || family === 'auth')) {
        const strategy = strategyOf(context, obligation)
        const rejected =
          strategy === null || 'unsupported' in strategy ? null : rejectedCase(obligation, strategy, 0)
        if (rejected !== null) return rejected
      }
      return accepted(tested)
    },
  }
}
