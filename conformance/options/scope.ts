import {
  actingOperations,
  type Baseline,
  type Contract,
  callbackObligationsOf,
  createBaseline,
  createWaivers,
  flowObligationsOf,
  isCounted,
  type Obligation,
  type Operation,
  obligationsOf,
  ownershipObligationsOf,
  pinned,
  protocolObligationsOf,
  removesMany,
  responseTimeObligationsOf,
  type Selection,
  select,
  stateObligationsOf,
  type Waivers,
} from '../../spec/index.ts'
import { createOperationModel, type OperationModel } from '../cases/operation-model.ts'
import { createGate, dangerIn, type Gate, type Withheld, withheldOperations } from './gate.ts'
import type { Examples, Rules } from './run-options.ts'

/** The obligations of a contract under the rules of a run: what is tested, and what counts. */
export type Scope = {
  readonly contract: Contract
  readonly rules: Rules
  /** All of them, in the order of the contract; and those of one operation. */
  readonly obligations: readonly Obligation[]
  readonly obligationsOf: (operation: string) => readonly Obligation[]
  /** Whether an obligation, by its id, is tested and reported; and all that are. */
  readonly isSelected: Selection
  readonly selected: readonly Obligation[]
  /** Operations that are left out whatever is selected, and why. */
  readonly withheld: Withheld
  /** Operations that may remove what others need: they are sent last. */
  readonly destructive: ReadonlySet<string>
  /** Operations on what acts by itself: they are not tried before the plan, and come late in it. */
  readonly acting: ReadonlySet<string>
  /** What every request has to ask before it is sent. */
  readonly gate: Gate
  readonly waivers: Waivers
  readonly baseline: Baseline
  /** The model of an operation, by its id; compiled when it is first needed. */
  readonly modelOf: (operation: string) => OperationModel
}

/**
 * Applies the rules of a run to a contract. `today`: ISO 8601, the day that waivers are held against. `models`: where compiled
 * operations are kept. `derived`: the obligations of the contract, if they are known already. Throws SelectionError, PinError, WaiverError and BaselineError.
 */
export const createScope = (
  contract: Contract,
  rules: Rules,
  today: string,
  models: Map<string, OperationModel> = new Map(),
  derived: readonly Obligation[] | null = null,
  examples: Examples = {},
): Scope => {
  const { unauthenticated, malformedHttp, stateless, ownership, callbacks, flows, only, skip, pins } = rules
  const declared = derived ?? obligationsOf(contract, unauthenticated)
  const obligations = pinned(
    [
      ...declared,
      ...(stateless ? [] : stateObligationsOf(contract)),
      ...(ownership && !stateless ? ownershipObligationsOf(contract) : []),
      ...flowObligationsOf(contract, flows),
      ...(callbacks ? callbackObligationsOf(contract) : []),
      ...(malformedHttp ? protocolObligationsOf(contract) : []),
      ...responseTimeObligationsOf(contract, rules.maxResponseTime),
    ],
    pins,
  )
  const isAsked = select(obligations, { only, skip })
  const asked = new Set(obligations.flatMap(({ id, operation }) => (isAsked(id) ? [operation] : [])))
  const neverSent = withheldOperations(contract, rules)
  const withheld = new Map([...neverSent].filter(([id]) => asked.has(id)))
  const closed = new Set(obligations.flatMap(({ id, operation }) => (withheld.has(operation) ? [id] : [])))
  const isSelected: Selection = id => isAsked(id) && !closed.has(id)
  const byOperation = Map.groupBy(obligations, ({ operation }) => operation)
  return {
    contract,
    rules,
    obligations,
    obligationsOf: operation => byOperation.get(operation) ?? [],
    isSelected,
    selected: obligations.filter(({ id }) => isSelected(id)),
    withheld,
    destructive: new Set(
      contract.operations
        .filter(operation => dangerIn(contract, operation, rules) !== null && removesMany(operation))
        .map(({ id }) => id),
    ),
    acting: actingOperations(contract),
    gate: createGate(contract, rules, neverSent, obligations, {
      isSelected,
      isKept: select(obligations, { only: [], skip }),
    }),
    waivers: createWaivers(obligations, rules.waivers, today),
    baseline: createBaseline(obligations, rules.baseline, rules.shrinkBaseline),
    modelOf: operation => {
      const model =
        models.get(operation) ??
        createOperationModel(
          contract,
          operationOf(contract, operation),
          Object.hasOwn(examples, operation) ? examples[operation] : undefined,
        )
      models.set(operation, model)
      return model
    },
  }
}

const operationOf = ({ operations }: Contract, id: string): Operation => {
  const operation = operations.find(candidate => candidate.id === id)
  if (operation === undefined) throw new Error(`the contract has no operation ${id}`)
  return operation
}

/** The ids of the obligations whose failure counts against the server. */
export const countedIn = ({ obligations, rules, waivers, baseline }: Scope): ReadonlySet<string> =>
  new Set(
    obligations
      .filter(
        ({ id, level }) =>
          isCounted(level, rules.strict) && waivers.of(id) === null && baseline.of(id) === null,
      )
      .map(({ id }) => id),
  )
