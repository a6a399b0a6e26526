import type { Json, Operation } from '../../spec/index.ts'
import type { Engine, Keeper } from '../engine/engine.ts'
import type { MockResponse } from '../engine/mock-response.ts'
import { createWorkshop } from '../resources/fitting.ts'
import type { RuleSettings } from '../rules/rule.ts'
import { notThere } from './answers.ts'
import { changeThing, createThing, removeThing, replaceThing } from './change.ts'
import type { Initial, Keeping, KeptRequest } from './keeping.ts'
import { kindsOf, type Plan, planOf } from './kinds.ts'
import { listThings, readThing } from './read.ts'
import { findThing } from './shelves.ts'
import type { Store } from './store.ts'

export type KeeperOptions = {
  readonly store: Store
  readonly settings: RuleSettings
  readonly prefix: string
  readonly initial: Initial
}

/** Responds by the things of one document, which it keeps in the store. */
export const createKeeper = (options: KeeperOptions): Keeper => {
  let keeping: Keeping | null = null
  const plans = new Map<Operation, Plan | null>()
  return {
    respond: (engine, judged, client) => {
      keeping ??= createKeeping(engine, options)
      const { operation } = judged
      let plan = plans.get(operation)
      if (plan === undefined) {
        plan = planOf(engine, keeping.kinds, operation)
        plans.set(operation, plan)
      }
      if (plan === null) return null
      const values = plan.names.map(({ parameter }): Json => judged.parameters[parameter] ?? '')
      return respondTo({ keeping, judged, client, plan, values })
    },
  }
}

export const createKeeping = (
  engine: Engine,
  { store, settings, prefix, initial }: KeeperOptions,
): Keeping => {
  const workshop = createWorkshop(engine, settings, prefix)
  return { workshop, kinds: kindsOf(workshop), store, initial }
}

const respondTo = async (request: KeptRequest): Promise<MockResponse | null> => {
  const { plan } = request
  const { kind, role } = plan
  const missing = await missingAround(request)
  if (missing !== undefined) {
    const failure = await notThere(request, missing.kind, missing.name)
    if (failure !== null) return failure
  }
  if (kind === null) return null
  switch (role) {
    case 'list':
      return listThings(request, kind)
    case 'read':
      return readThing(request, kind)
    case 'create':
      return createThing(request, kind)
    case 'replace':
      return replaceThing(request, kind)
    case 'change':
      return changeThing(request, kind)
    case 'remove':
      return removeThing(request, kind)
    case 'below':
      return null
  }
}

/** The outermost thing in a path that does not exist; undefined: all do. What a request is for itself is not looked for. */
const missingAround = async ({ keeping, client, plan, values }: KeptRequest) => {
  const isItem = plan.kind !== null && plan.role !== 'list' && plan.role !== 'create'
  for (const [index, { resource }] of plan.names.entries()) {
    if (isItem && index === plan.names.length - 1) break
    const kind = keeping.kinds.get(resource)
    if (kind === undefined) continue
    const found = await findThing(keeping, client, kind, values.slice(0, index + 1))
    if (found === undefined) return { kind, name: values[index] ?? '' }
  }
  return undefined
}
