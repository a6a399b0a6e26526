import {
  type Contract,
  type Obligation,
  obligationsOf,
  type Pin,
  pinned,
  type Selection,
  type StartEvent,
  select,
  type Unauthenticated,
  wireObligationsOf,
} from '../spec/index.ts'
import { type Asker, createAsker } from './ask.ts'
import { type Cell, cellsOf } from './cell.ts'
import type { Gates } from './evidence.ts'
import { createIdentities, type Share } from './identities.ts'
import type { MakerContext } from './makers/index.ts'
import { createModel, type Model } from './model.ts'
import { type Plan, plan } from './plan.ts'
import { createRandomValues } from './random-values.ts'
import type { Rehearsal } from './rehearsal.ts'
import type { Transport } from './transport/index.ts'

/** One operation in a run: what it promises, and the means to ask it. */
export type Part = {
  readonly model: Model
  readonly context: MakerContext
  readonly asker: Asker
  readonly obligations: readonly Obligation[]
  /** Whether an obligation is asked for; the others are neither tested nor told. */
  readonly asks: Selection
}

/** Everything of a run that follows from contract, seed and range of identities. */
export type Script = {
  readonly obligations: readonly Obligation[]
  readonly asks: Selection
  readonly parts: readonly Part[]
  readonly partOf: (operation: string) => Part
  /** The cells of the plan that are sent, in the order of the contract. */
  readonly cells: readonly Cell[]
  /** Begins the plan anew; the same one each time. */
  readonly plan: () => Plan
}

export type ScriptOptions = {
  readonly contract: Contract
  readonly unauthenticated: Unauthenticated
  readonly seed: number
  readonly cases: number | null
  readonly only: readonly string[]
  readonly skip: readonly string[]
  readonly token: string
  readonly tokenKnown: boolean
  readonly patienceMs: number
  readonly transport: Transport
  /** Whether HTTP itself is tested, too. */
  readonly wire: boolean
  readonly pins: readonly Pin[]
  readonly rehearsal: Rehearsal | null
  /** The names of the cells to send; null: all. The plan is that of all in any case. */
  readonly cells: readonly string[] | null
}

type Choice = Pick<ScriptOptions, 'unauthenticated' | 'wire' | 'pins' | 'only' | 'skip'>

type Chosen = { readonly obligations: readonly Obligation[]; readonly asks: Selection }

/** What a contract promises, and what of it is asked for. */
export const choose = (contract: Contract, { unauthenticated, wire, pins, ...selection }: Choice): Chosen => {
  const obligations = pinned(
    [...obligationsOf(contract, unauthenticated), ...(wire ? wireObligationsOf(contract) : [])],
    pins,
  )
  return { obligations, asks: select(obligations, selection) }
}

/** The same of a run that was told; the very same each time, for the parts of one run. */
export const chosenOf = (
  contract: Contract,
  { policies, selection }: Pick<StartEvent, 'policies' | 'selection'>,
  { pins }: Pick<Gates, 'pins'>,
): Chosen => {
  const wire = policies.wire !== undefined
  const unauthenticated = (policies.unauthenticated ?? 'declared') as Unauthenticated
  const choice = { unauthenticated, wire, pins, ...selection }
  const key = JSON.stringify(choice)
  const known = chosen.get(contract)
  if (known?.key === key) return known
  const made = { key, ...choose(contract, choice) }
  chosen.set(contract, made)
  return made
}

const chosen = new WeakMap<Contract, Chosen & { readonly key: string }>()

/** Cases of a run that only the time ends. */
const mostCases = 10_000_000

/** Writes scripts; `range` tells which of the identity ranges of the seed to use. */
export const createScripts = (options: ScriptOptions): ((range: number) => Script) => {
  const { contract, seed, token, tokenKnown, patienceMs, transport, rehearsal } = options
  const cases = options.cases ?? mostCases
  const { obligations, asks } = choose(contract, options)
  const asked = obligations.filter(({ id }) => asks(id))
  const all = cellsOf(asked)
  const cells = options.cells === null ? all : all.filter(({ name }) => options.cells?.includes(name))
  const byOwner = Map.groupBy(obligations, ({ operation }) => operation)
  // Those who send other cells of an operation at the same time need identities of their own beyond the plan.
  const shareOf = (operation: string): Share => {
    const own = all.filter(cell => cell.operation === operation)
    const index = options.cells === null ? 0 : own.findIndex(({ name }) => options.cells?.includes(name))
    return { index: Math.max(0, index), of: Math.max(1, own.length) }
  }
  const createModels = () => contract.operations.map(operation => createModel(contract, operation))
  const models = rehearsal?.models(createModels) ?? createModels()
  return range => {
    const parts = models.map(model => {
      const identities =
        model.identity === null
          ? null
          : createIdentities(model.identity, seed, range, cases, shareOf(model.operation.id))
      const context: MakerContext = {
        model,
        identities,
        seed,
        values: createRandomValues(model, seed),
        tokenKnown,
      }
      const own = byOwner.get(model.operation.id) ?? []
      return {
        model,
        context,
        asker: createAsker({ context, obligations: own, transport, token, patienceMs }),
        obligations: own,
        asks,
      }
    })
    const byOperation = new Map(parts.map(part => [part.model.operation.id, part]))
    const partOf = (operation: string): Part => byOperation.get(operation) as Part
    const contextOf = (operation: string): MakerContext => partOf(operation).context
    return {
      obligations,
      asks,
      parts,
      partOf,
      cells,
      plan: () => {
        const make = (): Plan => plan({ obligations: asked, contextOf, cases, token })
        return rehearsal?.plan(range, make) ?? make()
      },
    }
  }
}
