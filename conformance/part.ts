import { type Contract, type Obligation, obligationsOf } from '../spec/index.ts'
import { type Asker, createAsker } from './ask.ts'
import { createIdentities } from './identities.ts'
import type { MakerContext } from './makers/index.ts'
import { createModel, type Model } from './model.ts'
import { type Plan, plan } from './plan.ts'
import type { Transport } from './send.ts'

/** One operation in a run: what it promises, and the means to ask it. */
export type Part = {
  readonly model: Model
  readonly context: MakerContext
  readonly asker: Asker
  readonly obligations: readonly Obligation[]
}

/** Everything of a run that follows from contract, seed and range of identities. */
export type Script = {
  readonly obligations: readonly Obligation[]
  readonly parts: readonly Part[]
  readonly partOf: (operation: string) => Part
  readonly plan: Plan
}

export type ScriptOptions = {
  readonly contract: Contract
  readonly seed: number
  readonly cases: number
  readonly token: string
  readonly tokenKnown: boolean
  readonly patienceMs: number
  readonly transport: Transport
}

/** Writes scripts; `range` tells which of the identity ranges of the seed to use. */
export const createScripts = (options: ScriptOptions): ((range: number) => Script) => {
  const { contract, seed, cases, token, tokenKnown, patienceMs, transport } = options
  const obligations = obligationsOf(contract)
  const models = contract.operations.map(operation => createModel(contract, operation))
  return range => {
    const parts = models.map(model => {
      const identities = model.identity === null ? null : createIdentities(model.identity, seed, range, cases)
      const context: MakerContext = { model, identities, seed, tokenKnown }
      const own = obligations.filter(({ operation }) => operation === model.operation.id)
      return {
        model,
        context,
        asker: createAsker({ context, transport, token, patienceMs }),
        obligations: own,
      }
    })
    const byOperation = new Map(parts.map(part => [part.model.operation.id, part]))
    const partOf = (operation: string): Part => byOperation.get(operation) as Part
    const planned = plan({ obligations, contextOf: operation => partOf(operation).context, cases, token })
    return { obligations, parts, partOf, plan: planned }
  }
}
