import type { Json, Operation } from '../../spec/index.ts'
import type { MockResponse } from '../engine/compiled-response.ts'
import type { Engine, StatefulResponder } from '../engine/engine.ts'
import { askedOf } from '../engine/request.ts'
import { instanceSeed, keyOf } from '../resources/collections.ts'
import { createResourceContext } from '../resources/fitting.ts'
import { pagedRules } from '../resources/position.ts'
import { listBody, partOf } from '../resources/select.ts'
import type { OperationRules, RuleSettings } from '../rules/list-rule.ts'
import { notThere, showInstance, showPart, successWith } from './answers.ts'
import { changeInstance, createInstance, removeInstance, replaceInstance } from './change.ts'
import { unmetCondition } from './conditions.ts'
import { onceForKey } from './keys.ts'
import { type Kind, kindsOf, type Plan, planOf } from './kinds.ts'
import { shownAs } from './shapes.ts'
import type { Store, Stored } from './store.ts'
import {
  findInstance,
  type Initial,
  identityIn,
  type KeptRequest,
  openCollection,
  type StateContext,
} from './stored-collections.ts'

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

const readInstance = async (request: KeptRequest, kind: Kind): Promise<MockResponse | null> => {
  const { stateContext, client, judged, values } = request
  const stored = await findInstance(stateContext, client, kind, values)
  if (stored === undefined) return notThere(request, kind, values.at(-1) ?? '')
  return showInstance(
    request,
    kind,
    successWith(stateContext.resourceContext.engine, judged.operation),
    stored.instance,
    values,
  )
}

const listInstances = async (request: KeptRequest, kind: Kind): Promise<MockResponse | null> => {
  const { stateContext, client, judged, values } = request
  const { list } = kind
  if (list === null) return null
  const { resourceContext } = stateContext
  const { instances } = await openCollection(stateContext, client, kind, values)
  const kept = [...instances.values()].filter(({ instance }) => instance !== null)
  // If the end of a list cannot be reached, a client should at least see what it has just created.
  const stored = isCut(list) ? kept.toReversed() : kept
  const keys = stored.map(({ name }) => keyOf(name))
  const whole = {
    size: stored.length,
    documented: 0,
    itemAt: (index: number) => itemOf(request, list, stored[index] as Stored),
    indexOf: (name: Json) => keys.indexOf(keyOf(name)),
  }
  const part = await partOf(list, askedOf(judged), whole)
  return showPart(request, part, await listBody(resourceContext, part, undefined, false))
}

/** Whether requests can say how long a list is, but not where it begins. */
const isCut = (list: OperationRules): boolean => {
  const paged = pagedRules(list)
  return paged.length > 0 && paged.every(({ kind }) => kind === 'size')
}

/** A resource as the list shows it. */
const itemOf = async (
  { stateContext: { resourceContext } }: KeptRequest,
  list: OperationRules,
  { name, instance }: Stored,
): Promise<Json> => {
  const made = (): Promise<Json> =>
    resourceContext.instances.make(list, {
      seed: instanceSeed(list, '', name),
      turn: 0,
      fixed: identityIn(list, name),
      isDynamic: false,
    })
  return (await shownAs(resourceContext, list, instance, made)) ?? made()
}
