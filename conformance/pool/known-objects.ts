import {
  isObject,
  isValidAt,
  type Json,
  type JsonObject,
  listPlaces,
  step,
  steps,
  valueAt,
} from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import type { Pool, ValuesByPlace } from './pool.ts'

/** Objects that are tried at one place. */
const mostObjects = 2

/** Of the properties that a schema declares, an object of it has at least so many. */
const leastShared = 2

/**
 * Whole objects that the server has shown, for the places of a body whose schema they fit: the parts of a key, or of an address, go together. Those
 * with the most declared properties come first. For the body itself only what has a name that the run has chosen: the request may change it.
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
    const before = valueAt(body, pattern) as Json | undefined
    const isOwn = (value: JsonObject): boolean => pattern !== '' || Object.values(value).some(pool.isChosen)
    if (steps(pattern).includes('*') || !isObject(before) || properties.length < leastShared) return []
    const shared = (value: object): number => properties.filter(name => Object.hasOwn(value, name)).length
    const alike = shown
      .filter(({ value }) => shared(value) >= leastShared && isOwn(value))
      .toSorted((left, right) => shared(right.value) - shared(left.value))
    return Iterator.from(alike)
      .filter(({ value }) => isValidAt(model.contract.requests.schemas, place, value))
      .take(mostObjects)
      .map(({ value: object, source }): ValuesByPlace => {
        const parts: readonly (readonly [string, Json])[] =
          pattern === ''
            ? Object.entries(object).map(([name, value]) => [step('', name), value])
            : [[pattern, object]]
        return new Map(parts.map(([at, value]) => [at, { value, source, isName: true, isAdded: true }]))
      })
      .toArray()
  })
}
