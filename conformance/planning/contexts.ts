import { type Obligation, resourcesOf } from '../../spec/index.ts'
import { createIdentities, type Share } from '../cases/identities.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { createRandomValues } from '../cases/random-values.ts'
import type { StrategyContext } from '../cases/strategies/index.ts'
import type { RunOptions } from '../options/run-options.ts'
import { type Scope, selectedIn } from '../options/scope.ts'
import { createPlan, type Plan } from '../plan/plan.ts'
import { type PlanSlice, slicesOf } from '../plan/plan-slice.ts'

/** What a plan follows from, besides the contract and the rules of a run: plain JSON. */
export type PlanningOptions = Pick<RunOptions, 'seed' | 'isTokenKnown' | 'slices' | 'cases'> & {
  /** Whether a proxy forwards requests, which it does with some of them in its own way. */
  readonly isForwarded: boolean
}

export const planningOptionsOf = ({
  seed,
  isTokenKnown,
  slices,
  cases,
  proxy,
  target,
}: RunOptions): PlanningOptions => ({
  seed,
  isTokenKnown,
  slices,
  cases,
  isForwarded: proxy !== null && target.protocol === 'http:',
})

/** What the cases of an operation are made from. `range`: of the identities that they use. */
export type Contexts = (operation: string, range: number) => StrategyContext

export const createContexts = (options: PlanningOptions, scope: Scope): Contexts => {
  const slices = slicesOf(selectedIn(scope))
  const { seed, isTokenKnown, isForwarded } = options
  return (operation, range) => {
    const model = scope.modelOf(operation)
    const identities =
      model.identity === null || hasNameOfPath(model)
        ? null
        : createIdentities(
            model.identity,
            seed,
            isSent(options, slices, operation) ? range : range + rangesOfShards,
            budgetOf(options),
            shareOf(options, slices, operation),
          )
    const values = createRandomValues(model, seed)
    return { model, identities, seed, values, isTokenKnown, isForwarded }
  }
}

/** Plans the cases of a run in this thread. */
export const planHere = (
  options: PlanningOptions,
  obligations: readonly Obligation[],
  contextOf: (operation: string) => StrategyContext,
  token: () => string,
  isTimeUp: () => boolean,
): Plan => createPlan({ obligations, contextOf, cases: budgetOf(options), token, isTimeUp })

/** Whether the identity in the body is that of the thing in the path: then each request has the name of an existing one. */
const hasNameOfPath = ({ contract, operation, identity }: OperationModel): boolean => {
  const [last] = resourcesOf(contract).namesIn(operation).slice(-1)
  return (
    last !== undefined &&
    identity !== null &&
    operation.path.endsWith('}') &&
    last.resource.names.slice(0, 2).includes(identity.name)
  )
}

/** The budget of a run that only its time ends. */
const endlessBudget = 10_000_000

const budgetOf = ({ cases }: PlanningOptions): number => cases ?? endlessBudget

/** Shards that only create things by an operation, which others send, have ranges of identities apart from theirs. */
const rangesOfShards = 1000

const isSent = ({ slices }: PlanningOptions, all: readonly PlanSlice[], operation: string): boolean =>
  slices === null || all.some(slice => slice.operation === operation && slices.includes(slice.name))

/** Shards that send other slices of the same operation at the same time need other identities beyond the plan. */
const shareOf = (options: PlanningOptions, all: readonly PlanSlice[], operation: string): Share => {
  const isOwn = isSent(options, all, operation)
  const names = all.filter(slice => !isOwn || slice.operation === operation).map(({ name }) => name)
  const { slices } = options
  const index = slices === null ? 0 : names.findIndex(name => slices.includes(name))
  return { index: Math.max(0, index), of: Math.max(1, names.length) }
}
