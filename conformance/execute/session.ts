import type { Obligation } from '../../spec/index.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { impossibility, type StrategyContext } from '../cases/strategies/index.ts'
import { type ResponseObligations, responseObligationsOf } from '../judge/record-outcome.ts'
import type { RunOptions } from '../options/run-options.ts'
import { type Scope, selectedIn } from '../options/scope.ts'
import type { ArrivingPlan, Plan } from '../plan/plan.ts'
import { cachedPlan } from '../plan/plan-cache.ts'
import { type PlanSlice, slicesOf } from '../plan/plan-slice.ts'
import { type Contexts, createContexts, planHere, planningOptionsOf } from '../planning/contexts.ts'
import type { PlanningThread } from '../planning/planning-thread.ts'
import { type CaseSender, createCaseSender } from '../send/case-sender.ts'
import type { Transport } from '../send/transport/index.ts'
import type { CreatedThings } from '../state/created-things.ts'
import { createStore, type Store } from '../state/store.ts'
import { isTimeUp, type RunClock } from './run-clock.ts'

/** One run against one server: what every step of it needs. */
export type RunSession = {
  /** What the run has created so far. */
  readonly created: CreatedThings
  readonly options: RunOptions
  readonly scope: Scope
  readonly clock: RunClock
  readonly transport: Transport
  readonly contexts: Contexts
  /** Which of the ranges of identities of the seed it uses. */
  readonly range: number
  /** The slices of the plan that it sends, in the order of the contract. */
  readonly slices: readonly PlanSlice[]
  /** All operations of the contract, by id. */
  readonly operations: ReadonlyMap<string, OperationSession>
  /** What exists on the server, and which requests may ask for it. */
  readonly store: Store
}

/** One operation in a run. */
export type OperationSession = {
  readonly model: OperationModel
  /** All of the operation, selected or not. */
  readonly obligations: readonly Obligation[]
  /** That any valid request is accepted; undefined if no valid request can be generated. */
  readonly valid: Obligation | undefined
  /** Those by which its responses are judged. */
  readonly responses: ResponseObligations
  readonly context: StrategyContext
  readonly sender: CaseSender
}

type Parts = Pick<RunSession, 'options' | 'scope' | 'clock' | 'transport' | 'created'>

/** Opens a session that uses this range of identities. */
export const openSession = (parts: Parts, range: number): RunSession => {
  const all = slicesOf(selectedIn(parts.scope))
  const contexts = createContexts(planningOptionsOf(parts.options), parts.scope)
  const names = parts.options.slices
  const ids = parts.options.contract.operations.map(({ id }) => id)
  const operations = new Map<string, OperationSession>()
  const store = createStore(
    parts.options,
    id => operations.get(id) as OperationSession,
    parts.created,
    namesOfPaths(parts.scope),
  )
  for (const id of ids) operations.set(id, openOperation(parts, contexts, id, range, store))
  return {
    ...parts,
    contexts,
    range,
    slices: names === null ? all : all.filter(({ name }) => names.includes(name)),
    operations,
    store,
  }
}

/** The values, as JSON, that cases about the parameters of paths send. */
const namesOfPaths = ({ obligations }: Scope): ReadonlySet<string> =>
  new Set(
    obligations.flatMap(({ subject }) =>
      subject.kind === 'value' && subject.location.in === 'path' ? subject.texts : [],
    ),
  )

/** The same operation with another range of identities. */
export const operationInRange = (session: RunSession, operation: string, range: number): OperationSession =>
  openOperation(session, session.contexts, operation, range, session.store)

const openOperation = (
  { options, scope, clock, transport }: Parts,
  contexts: Contexts,
  id: string,
  range: number,
  store: Store,
): OperationSession => {
  const { token, timeoutMs, unauthenticated: policy } = options
  const obligations = scope.obligationsOf(id)
  const context = contexts(id, range)
  const { model } = context
  const waitLimits = { signal: options.signal, deadline: clock.deadline }
  const binder = store.binderOf(model)
  const sender = createCaseSender({
    context,
    obligations,
    transport,
    token,
    policy,
    timeoutMs,
    waitLimits,
    binder,
  })
  return {
    model,
    obligations,
    // Of a large contract, few operations are asked for it at once.
    get valid() {
      return impossibility(model) === null
        ? obligations.find(({ subject }) => subject.kind === 'valid')
        : undefined
    },
    responses: responseObligationsOf(obligations),
    context,
    sender,
  }
}

/**
 * The plan of the whole run, whichever slices of it this session sends; made by the other thread, if there is one, or in this one.
 */
export const planOf = async (
  { options, scope, clock, range, operations }: RunSession,
  thread: PlanningThread | null,
): Promise<ArrivingPlan> => {
  const obligations = selectedIn(scope)
  const contextOf = (id: string): StrategyContext => (operations.get(id) as OperationSession).context
  const here = (): Plan =>
    planHere(planningOptionsOf(options), obligations, contextOf, options.token.value, () => isTimeUp(clock))
  return thread === null ? cachedPlan(options.planCache, range, here) : thread.plan(range, obligations, here)
}

/** The operations that this session tests. */
export const testedOperations = ({
  options,
  slices,
  operations,
}: RunSession): readonly OperationSession[] => {
  const tested = new Set(slices.map(({ operation }) => operation))
  return [...operations].flatMap(([id, operation]) =>
    options.slices === null || tested.has(id) ? [operation] : [],
  )
}
