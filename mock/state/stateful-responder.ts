import type { Json, Operation } from '../../spec/index.ts'
import type { Engine, StatefulResponder } from '../engine/engine.ts'
import type { MockResponse } from '../engine/mock-response.ts'
import { createResourceContext } from '../resources/fitting.ts'
import type { RuleSettings } from '../rules/rule.ts'
import { notThere } from './answers.ts'
import { changeInstance, createInstance, removeInstance, replaceInstance } from './change.ts'
import { unmetCondition } from './conditions.ts'
import { onceForKey } from './keys.ts'
import { kindsOf, type Plan, planOf } from './kinds.ts'
import { listInstances, readInstance } from './read.ts'
import type { Initial, KeptRequest, StateContext } from './state-context.ts'
import type { Store } from './store.ts'
import { findInstance } from './stored-collections.ts'

export type StatefulResponderOptions = {
  readonly store: Store
  readonly settings: RuleSettings
  readonly prefix: string
  readonly initial: Initial
  readonly isPerToken: boolean
}

/** Responds by the resources of one document, which it keeps in the store. */
export const createStatefulResponder = (options: StatefulResponderOptions): StatefulResponder => {
  let stateContext: StateContext | null = null
  const plans = new Map<Operation, Plan | null>()
  return {
    isPerToken: options.isPerToken,
    respond: (engine, judged, client) => {
      stateContext ??= createStateContext(engine, options)
      const { operation } = judged
      let plan = plans.get(operation)
      if (plan === undefined) {
        plan = planOf(engine, stateContext.kinds, operation)
        plans.set(operation, plan)
      }
      if (plan === null) return null
      const values = plan.names.map(({ parameter }): Json => judged.parameters[parameter] ?? '')
      const request = { stateContext, judged, client, plan, values }
      return onceForKey(
        engine,
        judged,
        () => options.store.keys(client),
        () => respondTo(request),
      )
    },
  }
}

export const createStateContext = (
  engine: Engine,
  { store, settings, prefix, initial }: Omit<StatefulResponderOptions, 'isPerToken'>,
): StateContext => {
  const resourceContext = createResourceContext(engine, settings, prefix)
  return { resourceContext, kinds: kindsOf(resourceContext), store, initial }
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
  const unmet = await unmetCondition(request, kind)
  if (unmet !== null) return unmet
  switch (role) {
    case 'list':
      return listInstances(request, kind)
    case 'read':
      return readInstance(request, kind)
    case 'create':
      return createInstance(request, kind)
    case 'replace':
      return replaceInstance(request, kind)
    case 'change':
      return changeInstance(request, kind)
    case 'remove':
      return removeInstance(request, kind)
    case 'below':
      return null
  }
}

/** The outermost resource in a path that does not exist; undefined: all do. What a request is for itself is not looked for. */
const missingAround = async ({ stateContext, client, plan, values }: KeptRequest) => {
  const isItem = plan.kind !== null && plan.role !== 'list' && plan.role !== 'create'
  for (const [index, { resource }] of plan.names.entries()) {
    if (isItem && index === plan.names.length - 1) break
    const kind = stateContext.kinds.get(resource)
    if (kind === undefined) continue
    const found = await findInstance(stateContext, client, kind, values.slice(0, index + 1))
    if (found === undefined) return { kind, name: values[index] ?? '' }
  }
  return undefined
}
