import { isObject, isValidAt, type Json, listPlaces, steps, valueAt } from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import type { Pool, ValuesByPlace } from './pool.ts'

/** Objects that are tried at one place. */
const mostObjects = 2

/** Of the properties that a schema declares, an object of it has at least so many. */
const leastShared = 2

/**
 * Whole objects that the server has shown, for the places of a body whose schema they fit: the parts of a key, or of an address, go together. Those
 * with the most declared properties come first.
 */
export const knownObjects = (
  pool: Pool,
  model: OperationModel,
  { body }: RequestSpec,
): readonly ValuesByPlace[] => {
  if (model.body === null || !isObject(body)) return []
  const shown = pool.objects()
  return listPlaces(model.body.root).flatMap(place => {
    const { pattern, properties } = place
    const before = pattern === '' ? undefined : (valueAt(body, pattern) as Json | undefined)
    if (steps(pattern).includes('*') || !isObject(before) || properties.length < leastShared) return []
    const shared = (value: object): number => properties.filter(name => Object.hasOwn(value, name)).length
    const alike = shown
      .filter(({ value }) => shared(value) >= leastShared)
      .toSorted((left, right) => shared(right.value) - shared(left.value))
    return Iterator.from(alike)
      .filter(({ value }) => isValidAt(model.contract.requests.schemas, place, value))
      .take(mostObjects)
      .map(
        ({ value, source }): ValuesByPlace =>
          new Map([[pattern, { value, source, isName: true, isAdded: true }]]),
      )
      .toArray()
  })
}
