import {
  type Contract,
  type Obligation,
  obligationsOf,
  type Pin,
  pinned,
  type Selection,
  select,
  type Unauthenticated,
  wireObligationsOf,
} from '../spec/index.ts'
import { type Asker, createAsker } from './ask.ts'
import { createIdentities } from './identities.ts'
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
}

/** Cases of a run that only the time ends. */
const mostCases = 10_000_000

/** Writes scripts; `range` tells which of the identity ranges of the seed to use. */
export const createScripts = (options: ScriptOptions): ((range: number) => Script) => {
  const { contract, seed, token, tokenKnown, patienceMs, transport, wire, rehearsal } = options
  const cases = options.cases ?? mostCases
  const obligations = pinned(
    [...obligationsOf(contract, options.unauthenticated), ...(wire ? wireObligationsOf(contract) : [])],
    options.pins,
  )
  const asks = select(obligations, options)
  const createModels = () => contract.operations.map(operation => createModel(contract, operation))
  const models = rehearsal?.models(createModels) ?? createModels()
  return range => {
    const parts = models.map(model => {
      const identities = model.identity === null ? null : createIdentities(model.identity, seed, range, cases)
      const context: MakerContext = {
        model,
        identities,
        seed,
        values: createRandomValues(model, seed),
        tokenKnown,
      }
      const own = obligations.filter(({ operation }) => operation === model.operation.id)
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
    const asked = obligations.filter(({ id }) => asks(id))
    const contextOf = (operation: string): MakerContext => partOf(operation).context
    return {
      obligations,
      asks,
      parts,
      partOf,
      plan: () => {
        const make = (): Plan => plan({ obligations: asked, contextOf, cases, token })
        return rehearsal?.plan(range, make) ?? make()
      },
    }
  }
}
