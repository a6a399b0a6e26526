import type { Json } from '../../spec/index.ts'
import { askedOf } from '../engine/fit.ts'
import type { MockResponse } from '../engine/mock-response.ts'
import { instanceSeed, keyOf } from '../resources/collections.ts'
import { listBody, partOf } from '../resources/list-bodies.ts'
import { pagedRules } from '../resources/position.ts'
import type { OperationRules } from '../rules/rule.ts'
import { notThere, showInstance, showPart, successWith } from './answers.ts'
import type { Kind } from './kinds.ts'
import { shownAs } from './shapes.ts'
import type { KeptRequest } from './state-context.ts'
import type { Stored } from './store.ts'
import { findInstance, identityIn, openCollection } from './stored-collections.ts'

export const readInstance = async (request: KeptRequest, kind: Kind): Promise<MockResponse | null> => {
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

export const listInstances = async (request: KeptRequest, kind: Kind): Promise<MockResponse | null> => {
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
