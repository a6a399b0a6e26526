import {
  isArray,
  type Json,
  type Pointer,
  placeOf,
  plainValue,
  type SchemaPlace,
  setAt,
  step,
  steps,
} from '../../spec/index.ts'
import type { OperationModel } from './operation-model.ts'

/**
 * The body with a value at a place. Items of some lists cannot just be replaced, as the list needs those that it has (`contains`): there the
 * value is one item more.
 */
export const withItem = (
  model: OperationModel,
  root: SchemaPlace,
  body: Json,
  place: Pointer,
  value: Json | undefined,
): Json => {
  if (value === undefined || !place.includes('/*') || mayReplace(model, root, body, place))
    return setAt(body, place, value)
  const names = steps(place)
  const last = names.lastIndexOf('*')
  const item = names.slice(0, last + 1).reduce(step, '')
  const rest = names.slice(last + 1).reduce(step, '')
  const itemPlace = placeOf(root, item)
  const added = rest === '' || itemPlace === null ? value : setAt(plainValue(itemPlace, place), rest, value)
  return inserted(body, names.slice(0, last), added) ?? setAt(body, place, value)
}

/** Whether a plain item may take the place of the one that a valid body has. */
const mayReplace = (model: OperationModel, root: SchemaPlace, body: Json, place: Pointer): boolean => {
  const list = placeOf(root, place.slice(0, place.lastIndexOf('/*')))
  if (list?.keywords.some(({ keyword }) => /contains/i.test(keyword)) !== true) return true
  const target = placeOf(root, place)
  return (
    target === null || !model.isValidBody(body) || model.isValidBody(setAt(body, place, plainValue(target)))
  )
}

/** The body with one more item in a list, of several lists in the last one; null if there is no list. */
const inserted = (body: Json, names: readonly string[], item: Json): Json | null => {
  const [name, ...rest] = names
  if (name === undefined) return isArray(body) ? [...body, item] : null
  const key = name === '*' && isArray(body) ? String(body.length - 1) : name
  const inner = (body as Readonly<Record<string, Json>> | null)?.[key]
  const changed = inner === undefined ? null : inserted(inner, rest, item)
  return changed === null ? null : setAt(body, step('', key), changed)
}
