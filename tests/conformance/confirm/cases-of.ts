import type { TestCase } from '../../../conformance/cases/case.ts'
import { expectationOf } from '../../../conformance/cases/expectation.ts'
import { createOperationModel, type OperationModel } from '../../../conformance/cases/operation-model.ts'
import { createRandomValues } from '../../../conformance/cases/random-values.ts'
import { strategyOf } from '../../../conformance/cases/strategies/index.ts'
import { hasCases } from '../../../conformance/plan/row.ts'
import { type Contract, obligationsOf } from '../../../spec/index.ts'

export type Cases = { readonly model: OperationModel; readonly cases: readonly TestCase[] }

/** For each operation of a contract the first cases of each of its obligations, as a plan has them. */
export const casesOf = (contract: Contract, each = 2): readonly Cases[] => {
  const obligations = obligationsOf(contract, 'declared').filter(hasCases)
  return contract.operations.map(operation => {
    const model = createOperationModel(contract, operation)
    const context = {
      ...{ model, identities: null, seed: 1, values: createRandomValues(model, 1) },
      ...{ isTokenKnown: true, isForwarded: false },
    }
    const cases = obligations
      .filter(obligation => obligation.operation === operation.id)
      .flatMap((obligation, at) => {
        const strategy = strategyOf(context, obligation)
        if (strategy === null || 'unsupported' in strategy) return []
        return Array.from({ length: each }, (_, index): readonly TestCase[] => {
          const number = at * each + index
          const spec = strategy.make(index, number)
          const expected = spec === null ? null : expectationOf(model, obligation, spec, 'token')
          return spec === null || expected === null
            ? []
            : [{ number, obligation, spec, precondition: strategy.precondition, ...expected }]
        }).flat()
      })
    return { model, cases }
  })
}
