import type { Obligation } from '../../spec/index.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import type { Plan } from './plan.ts'

/**
 * What runs with the same contract, seed, budget and token have in common: the first of them works it out for all. It is for those
 * who verify many servers by one plan. A run with a time limit plans for itself.
 */
export type PlanCache = {
  readonly models: Map<string, OperationModel>
  /** Whole plans, by the range of identities that they use. */
  readonly plans: Map<number, Plan>
}

export const createPlanCache = (): PlanCache => ({ models: new Map(), plans: new Map() })

/**
 * The plan of this range, from the cache or made now, with the obligations of the run that asks: each run derives its own, and tells them apart
 * by identity. Without a cache the cases are made only as they are asked for.
 */
export const cachedPlan = (
  cache: PlanCache | null,
  range: number,
  obligations: readonly Obligation[],
  make: () => Plan,
): Plan => {
  if (cache === null) return make()
  const known = cache.plans.get(range)
  if (known !== undefined) return withObligations(known, obligations)
  const plan = make()
  const whole = { ...plan, cases: [...plan.cases] }
  cache.plans.set(range, whole)
  return whole
}

const withObligations = (plan: Plan, obligations: readonly Obligation[]): Plan => {
  const own = new Map(obligations.map(obligation => [obligation.id, obligation]))
  return {
    ...plan,
    cases: Array.from(plan.cases, testCase => ({
      ...testCase,
      obligation: own.get(testCase.obligation.id) ?? testCase.obligation,
    })),
  }
}
