import type { Case } from './case.ts'
import type { Model } from './model.ts'
import type { Plan } from './plan.ts'

/**
 * What runs by one contract, seed, budget and token have in common, worked out by the first of them alone: for those
 * who judge many servers by the same questions. Runs with a limit of time plan for themselves.
 */
export type Rehearsal = {
  readonly models: (make: () => readonly Model[]) => readonly Model[]
  readonly plan: (range: number, make: () => Plan) => Plan
}

export const createRehearsal = (): Rehearsal => {
  let models: readonly Model[] | null = null
  const plans = new Map<number, Played>()
  return {
    models: make => {
      models ??= make()
      return models
    },
    plan: (range, make) => {
      const known = plans.get(range) ?? playThrough(make())
      plans.set(range, known)
      return again(known)
    },
  }
}

type Played = Pick<Plan, 'most' | 'untested'> & { readonly cases: readonly Case[] }

const playThrough = (plan: Plan): Played => {
  const cases: Case[] = []
  for (let asked = plan.next(); asked !== null; asked = plan.next()) cases.push(asked)
  return { most: plan.most, untested: plan.untested, cases }
}

const again = ({ cases, ...rest }: Played): Plan => {
  let next = 0
  return { ...rest, next: () => cases[next++] ?? null, hurry: () => {} }
}
