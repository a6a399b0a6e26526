import type { TestCase } from '../../../conformance/cases/case.ts'
import { createIdentities } from '../../../conformance/cases/identities.ts'
import { createOperationModel } from '../../../conformance/cases/operation-model.ts'
import { createRandomValues } from '../../../conformance/cases/random-values.ts'
import type { StrategyContext } from '../../../conformance/cases/strategies/index.ts'
import { createPlan, type PlanOptions } from '../../../conformance/plan/plan.ts'
import { type Contract, obligationsOf, type UntestedReason } from '../../../spec/index.ts'

/** Of all plans. */
const seed = 7

export type Planned = {
  readonly cases: readonly TestCase[]
  readonly untested: ReadonlyMap<string, UntestedReason>
  /** The operations whose models were asked for. */
  readonly compiled: ReadonlySet<string>
}

/** Draws the cases of a plan, `most` at most. */
export const planned = (
  of: Contract,
  cases: number,
  most = cases,
  others: Partial<Pick<PlanOptions, 'obligations' | 'acting' | 'unasked' | 'isLateDue'>> = {},
): Planned => {
  const contexts = new Map<string, StrategyContext>()
  const contextOf = (id: string): StrategyContext => {
    const operation = of.operations.find(candidate => candidate.id === id) as Contract['operations'][0]
    const model = createOperationModel(of, operation)
    const identities = model.identity === null ? null : createIdentities(model.identity, seed, 0, cases)
    const values = createRandomValues(model, seed)
    const context = contexts.get(id) ?? {
      model,
      identities,
      seed,
      values,
      isTokenKnown: true,
      isForwarded: false,
    }
    contexts.set(id, context)
    return context
  }
  const plan = createPlan({
    obligations: obligationsOf(of),
    acting: new Set(),
    ...others,
    contextOf,
    cases,
    tokenOf: () => 'secret',
    isTimeUp: () => false,
  })
  const drawn: TestCase[] = []
  for (const testCase of plan.cases) {
    drawn.push(testCase)
    if (drawn.length === most) break
  }
  return { cases: drawn, untested: plan.untested, compiled: new Set(contexts.keys()) }
}
