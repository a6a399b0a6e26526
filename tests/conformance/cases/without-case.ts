import { expectationOf } from '../../../conformance/cases/expectation.ts'
import { createOperationModel } from '../../../conformance/cases/operation-model.ts'
import { createRandomValues } from '../../../conformance/cases/random-values.ts'
import { strategyOf } from '../../../conformance/cases/strategies/index.ts'
import { hasCases } from '../../../conformance/plan/row.ts'
import {
  type Contract,
  type Obligation,
  type Operation,
  obligationsOf,
  type Subject,
} from '../../../spec/index.ts'

/** Requirements of the only operation of a contract that no request tests. */
export const withoutCase = (
  contract: Contract,
  isMeant: (subject: Subject) => boolean = () => true,
): readonly string[] => {
  const operation = createOperationModel(contract, contract.operations[0] as Operation)
  const context = {
    ...{ model: operation, identities: null, seed: 1, values: createRandomValues(operation, 1) },
    ...{ isTokenKnown: true, isForwarded: false },
  }
  const hasCase = (obligation: Obligation): boolean => {
    const strategy = strategyOf(context, obligation)
    if (strategy === null || 'unsupported' in strategy) return strategy === null
    return Array.from({ length: 12 }, (_, at) => strategy.make(at, at)).some(
      made => made !== null && expectationOf(operation, obligation, made, 'token') !== null,
    )
  }
  return obligationsOf(contract, 'declared')
    .filter(each => each.level === 'MUST' && hasCases(each) && isMeant(each.subject) && !hasCase(each))
    .map(({ id }) => id)
}
