import { deriveSeed } from '../../generator/index.ts'
import { type Obligation, resourcesOf, statusOf } from '../../spec/index.ts'
import type { Listener } from '../callbacks/listener.ts'
import { withCallbacks } from '../callbacks/what-comes.ts'
import { firstNumberOf } from '../cases/case.ts'
import { createIdentities, type Share } from '../cases/identities.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { createRandomValues } from '../cases/random-values.ts'
import { impossibility, type StrategyContext } from '../cases/strategies/index.ts'
import { withFlows } from '../flows/flow-binder.ts'
import { type Player, playerOf } from '../flows/player.ts'
import { hasAnswered, isOfName, isOfNothing, isTaken } from '../judge/expected-status.ts'
import { type ResponseObligations, responseObligationsOf } from '../judge/record-outcome.ts'
import { isSecretKnown, type RunOptions, tokenFor } from '../options/run-options.ts'
import type { Scope } from '../options/scope.ts'
import { type PlanSlice, slicesOf } from '../plan/plan-slice.ts'
import { isOfOperation } from '../pool/bound-spec.ts'
import type { Binder } from '../pool/instance.ts'
import type { Pool } from '../pool/pool.ts'
import { isAbsence, isNotFound } from '../pool/rejection-words.ts'
import { type CaseSender, createCaseSender } from '../send/case-sender.ts'
import { cutAtTheEnd } from '../send/cut-send.ts'
import { mayHaveArrived } from '../send/transport/failure.ts'
import type { Transport } from '../send/transport/index.ts'
import { watchedFor } from '../send/waiting.ts'
import type { Way } from '../set-up/base-url.ts'
import type { CreatedInstances } from '../state/created-instances.ts'
import { createStore, type Store } from '../state/store.ts'
import { hasNameOfPath, namesOfPaths } from './names-of-paths.ts'
import { createOther } from './other-user.ts'
import { partLimits, type RunClock, type RunGate } from './run-clock.ts'
import type { TrialAnswers } from './trial-answers.ts'

/** One run against one server: what every step of it needs. */
export type RunSession = {
  /** What the run has created so far. */
  readonly created: CreatedInstances
  /** What the server has shown. */
  readonly pool: Pool
  readonly answers: TrialAnswers
  readonly options: RunOptions
  readonly scope: Scope
  readonly clock: RunClock
  readonly transport: Transport
  readonly gate: RunGate
  /** Where callbacks come to; null: nobody listens. */
  readonly listener: Listener | null
  /** Which of the ranges of identities of the seed it uses. */
  readonly range: number
  /** The slices of the plan that it sends, in the order of the contract. */
  readonly slices: readonly PlanSlice[]
  /** All operations of the contract, by id. */
  readonly operations: ReadonlyMap<string, OperationSession>
  /** What exists on the server, and which requests may ask for it. */
  readonly store: Store
  /** The same server for another user, once something was sent as that; null before, and if there is none. */
  readonly other: () => RunSession | null
  /** Plays the workflows; null if there are none. */
  readonly player: Player | null
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
  /** Null if its requests name nothing that exists, and create nothing that others ask for. */
  readonly binder: Binder | null
}

type Parts = Omit<RunSession, 'range' | 'slices' | 'operations' | 'store' | 'other' | 'player'>

/** Opens a session that uses this range of identities. */
export const openSession = (parts: Parts, range: number): RunSession => {
  const all = slicesOf(parts.scope.selected)
  const names = parts.options.slices
  const ids = parts.options.contract.operations.map(({ id }) => id)
  const operations = new Map<string, OperationSession>()
  const other = createOther(parts, as => openSession(as, range))
  const store = createStore(
    parts.options,
    id => operations.get(id) as OperationSession,
    parts.created,
    namesOfPaths(parts.scope),
    other.user,
    parts.pool,
  )
  const player = playerOf(parts, store.makerOf, (id, ...sent) => operations.get(id)?.binder?.note(...sent))
  for (const id of ids)
    operations.set(id, openOperation(parts, all, id, range, { store, player, operations }))
  return {
    ...parts,
    range,
    slices: names === null ? all : all.filter(({ name }) => names.includes(name)),
    operations,
    store,
    other: other.opened,
    player,
  }
}

/** The same operation with another range of identities. */
export const operationInRange = (session: RunSession, operation: string, range: number): OperationSession =>
  openOperation(session, slicesOf(session.scope.selected), operation, range, session)

const openOperation = (
  { options, scope, clock, transport, gate, listener, created, pool, answers }: Parts,
  slices: readonly PlanSlice[],
  id: string,
  range: number,
  { store, player, operations }: Pick<RunSession, 'store' | 'player' | 'operations'>,
): OperationSession => {
  const { seed, timeoutMs, target, proxy, unauthenticated: policy } = options
  const model = scope.modelOf(id)
  const token = tokenFor(options, model.operation)
  const obligations = scope.obligationsOf(id)
  const identities =
    model.identity === null || hasNameOfPath(model)
      ? null
      : createIdentities(
          model.identity,
          seed,
          isSent(options, slices, id) ? range : range + rangesOfShards,
          budgetOf(options),
          shareOf(options, slices, id),
        )
  const context = {
    model,
    identities,
    seed,
    values: createRandomValues(model, seed),
    isTokenKnown: isSecretKnown(options, model.operation),
    isTokenRejected: token.isLeftOut,
    isForwarded: proxy !== null && target.protocol === 'http:',
  }
  // The client may name what a PUT creates, so that is known whatever comes back.
  const creates =
    model.operation.method === 'POST' && resourcesOf(options.contract).createdBy(model.operation) !== null
  const waitLimits = { signal: options.signal, deadline: clock.deadline() }
  const silenceLimits = () => partLimits(options, clock)
  const binder = withFlows(store.binderOf(model), model, player, token.value)
  const sender = cutAtTheEnd(
    createCaseSender({
      context,
      obligations,
      firstNumber: firstNumberOf(options.contract.operations.findIndex(each => each.id === id)),
      transport: watchedFor(transport, id, clock.preflight() !== null),
      gate: (request, spec) => gate.refusal(request) ?? pool.refusal(model, spec, token.value()),
      salt: deriveSeed(seed, options.at),
      token,
      policy,
      timeoutMs,
      waitLimits,
      silenceLimits,
      ...{ binder, around: (testCase, send) => store.around(model, testCase, send) },
      tagOf: values => store.tagOf(model, values),
      known: {
        values: () => pool.givenTo(id),
        isExempt: number => pool.isExempt(id, number),
        isRefused: ({ expectation, chain }, outcome) =>
          expectation === 'accept' &&
          outcome.kind === 'response' &&
          outcome.response.status < 500 &&
          !isTaken(model.operation, outcome.response.status, chain?.exists === true),
        isNotFound: ({ expectation, chain }, outcome) =>
          isNotFound(outcome, expectation === 'accept' ? (chain?.values ?? []) : []),
        isOfNothing: (testCase, outcome) =>
          testCase.expectation === 'reject' &&
          testCase.cause !== 'credentials' &&
          !isOfName(testCase.obligation) &&
          isOfNothing(model, testCase) &&
          isAbsence(statusOf(outcome)),
      },
      learn: (testCase, outcome) => {
        answers.note(testCase, outcome)
        const mayCreate = creates && testCase.expectation !== 'reject' && isOfOperation(model, testCase)
        if (mayCreate && mayHaveArrived(outcome)) created.addLost(id)
        const isRejected = Math.floor((statusOf(outcome) ?? 0) / 100) === 4
        if (!isRejected) pool.noteSent(testCase.spec)
        if (!hasAnswered(model.operation, outcome)) return
        if (testCase.expectation === 'accept')
          pool.learn(model.operation, testCase.spec, outcome.response.body)
        if (scope.destructive.has(id)) store.forget()
      },
    }),
    gate.onEnd,
  )
  return {
    model,
    obligations,
    binder,
    // Of a large contract, few operations are asked for it at once.
    get valid() {
      return impossibility(model) === null
        ? obligations.find(({ subject }) => subject.kind === 'valid')
        : undefined
    },
    responses: responseObligationsOf(obligations),
    context,
    sender: withCallbacks(sender, model, obligations, { options, clock, listener, scope, operations }),
  }
}

/** The budget of a run that only its time ends. */
const endlessBudget = 10_000_000

export const budgetOf = ({ cases }: RunOptions): number => cases ?? endlessBudget

/** Shards that only create resources by an operation, which others send, have ranges of identities apart from theirs. */
const rangesOfShards = 1000

const isSent = ({ slices }: RunOptions, all: readonly PlanSlice[], operation: string): boolean =>
  slices === null || all.some(slice => slice.operation === operation && slices.includes(slice.name))

/** Shards that send other slices of the same operation at the same time need other identities beyond the plan. */
const shareOf = (options: RunOptions, all: readonly PlanSlice[], operation: string): Share => {
  const isOwn = isSent(options, all, operation)
  const names = all.filter(slice => !isOwn || slice.operation === operation).map(({ name }) => name)
  const { slices } = options
  const index = slices === null ? 0 : names.findIndex(name => slices.includes(name))
  return { index: Math.max(0, index), of: Math.max(1, names.length) }
}

/** The operations that this session tests; those last that may remove what others need. */
export const testedOperations = ({
  options,
  scope,
  slices,
  operations,
}: RunSession): readonly OperationSession[] => {
  const selected = new Set(scope.selected.map(({ operation }) => operation))
  const tested = new Set(slices.map(({ operation }) => operation))
  return [...operations]
    .filter(([id]) => selected.has(id) && (options.slices === null || tested.has(id)))
    .sort(([left], [right]) => Number(scope.destructive.has(left)) - Number(scope.destructive.has(right)))
    .map(([, operation]) => operation)
}

/** The way to the server, for questions about the set-up. */
export const wayOf = ({ options, transport, gate }: RunSession): Way => ({
  options,
  send: transport.send,
  refusal: gate.refusal,
})
