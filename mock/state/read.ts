import type { Json } from '../../spec/index.ts'
import { askedOf } from '../engine/fit.ts'
import type { MockResponse } from '../engine/mock-response.ts'
import { keyOf, thingSeed } from '../resources/collections.ts'
import { listBody, partOf } from '../resources/list-bodies.ts'
import { pagedRules } from '../resources/position.ts'
import type { OperationRules } from '../rules/rule.ts'
import { notThere, showPart, showThing, successWith } from './answers.ts'
import type { KeptRequest } from './keeping.ts'
import type { Kind } from './kinds.ts'
import { shownAs } from './shapes.ts'
import { findThing, identityIn, openShelf } from './shelves.ts'
import type { Stored } from './store.ts'

export const readThing = async (request: KeptRequest, kind: Kind): Promise<MockResponse | null> => {
  const { keeping, client, judged, values } = request
  const stored = await findThing(keeping, client, kind, values)
  if (stored === undefined) return notThere(request, kind, values.at(-1) ?? '')
  return showThing(
    request,
    kind,
    successWith(keeping.workshop.engine, judged.operation),
    stored.thing,
    values,
  )
}

export const listThings = async (request: KeptRequest, kind: Kind): Promise<MockResponse | null> => {
  const { keeping, client, judged, values } = request
  const { list } = kind
  if (list === null) return null
  const { workshop } = keeping
  const { things } = await openShelf(keeping, client, kind, values)
  const kept = [...things.values()].filter(({ thing }) => thing !== null)
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
  return showPart(request, part, await listBody(workshop, part, undefined, false))
}

/** Whether requests can say how long a list is, but not where it begins. */
const isCut = (list: OperationRules): boolean => {
  const paged = pagedRules(list)
  return paged.length > 0 && paged.every(({ kind }) => kind === 'size')
}

/** A thing as the list shows it. */
const itemOf = async (
  { keeping: { workshop } }: KeptRequest,
  list: OperationRules,
  { name, thing }: Stored,
): Promise<Json> => {
  const made = (): Promise<Json> =>
    workshop.things.make(list, {
      seed: thingSeed(list, '', name),
      turn: 0,
      fixed: identityIn(list, name),
      isDynamic: false,
    })
  return (await shownAs(workshop, list, thing, made)) ?? made()
}
