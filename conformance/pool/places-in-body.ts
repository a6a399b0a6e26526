import {
  isArray,
  isNumber,
  isObject,
  type Json,
  nounOfPath,
  type Pointer,
  parentOf,
  setAt,
  step,
  steps,
  valueAt,
} from '../../spec/index.ts'
import { withStars } from './bound-spec.ts'
import type { KnownValue, ValuesByPlace } from './pool.ts'

/**
 * The body with known values at their places: in each item of a list, and added to an object that lacks them, which another value may have brought.
 * `put` gives the value for a place; undefined leaves the place as it is.
 */
export const withValuesAt = (
  values: ValuesByPlace,
  body: Json,
  put: (pointer: Pointer, known: KnownValue, before: Json | undefined) => Json | undefined,
): Json => {
  let filled = body
  const fill = (pointer: Pointer, known: KnownValue): void => {
    const value = put(pointer, known, valueAt(filled, pointer) as Json | undefined)
    if (value !== undefined) filled = setAt(filled, pointer, value)
  }
  for (const { pointer } of scalarsOf(body)) {
    const known = values.get(withStars(pointer))
    if (known !== undefined) fill(pointer, known)
  }
  const placed = [...values]
    .filter(([place]) => place.startsWith('/'))
    .toSorted(([left], [right]) => steps(left).length - steps(right).length)
  for (const [place, known] of placed)
    for (const [index, pointer] of pointersOf(place, filled).entries())
      if (isPlaceFor(known, pointer, filled)) fill(pointer, ofItem(known, index))
  return filled
}

/** Whether a body has a list or an object there, or lacks what is added. */
const isPlaceFor = (known: KnownValue, pointer: Pointer, body: Json): boolean => {
  const before = valueAt(body, pointer) as Json | undefined
  return before === undefined
    ? known.isAdded === true && isObject(valueAt(body, parentOf(pointer)) as Json | undefined)
    : isArray(before) || isObject(before)
}

/** Items of a list that get what is added. */
const mostItems = 20

/** A place with the indexes of the items that a body has in place of stars. */
const pointersOf = (place: string, body: Json): readonly string[] =>
  steps(place).reduce<readonly string[]>(
    (found, part) =>
      found.flatMap(at => {
        const list = part === '*' ? (valueAt(body, at) as Json | undefined) : undefined
        return isArray(list)
          ? list.slice(0, mostItems).map((_, index) => step(at, String(index)))
          : [step(at, part)]
      }),
    [''],
  )

/** Another text for each item: many servers take a name only once. */
const ofItem = (known: KnownValue, index: number): KnownValue =>
  known.isForm === true && typeof known.value === 'string' && index > 0
    ? { ...known, value: `${known.value}${index}` }
    : known

export type Scalar = {
  readonly pointer: string
  readonly name: string
  readonly holder: string
  readonly value: Json
}

export function* scalarsOf(body: Json | undefined, pointer = '', holder = ''): Generator<Scalar> {
  if (body === undefined) return
  const members: readonly (readonly [string, Json])[] = isArray(body)
    ? body.map((item, index) => [String(index), item] as const)
    : isObject(body)
      ? Object.entries(body)
      : []
  for (const [key, value] of members) {
    const at = step(pointer, key)
    const name = isArray(body) ? (steps(pointer).at(-1) ?? '') : key
    if (isArray(value) || isObject(value)) yield* scalarsOf(value, at, nounOfPath(`/${name}`))
    else if (typeof value === 'string' || isNumber(value)) yield { pointer: at, name, holder, value }
  }
}
