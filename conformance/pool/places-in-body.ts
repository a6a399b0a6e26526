import {
  isArray,
  isNumber,
  isObject,
  type Json,
  nounOfPath,
  parentOf,
  step,
  steps,
  valueAt,
} from '../../spec/index.ts'
import { withStars } from './bound-spec.ts'
import type { KnownValue, ValuesByPlace } from './pool.ts'

/** Where in a body values belong: in each item of a list, and what is added where the object for it is. */
export function* placesFor(
  values: ValuesByPlace,
  body: Json | undefined,
): Generator<{ readonly pointer: string; readonly known: KnownValue }> {
  if (body === undefined) return
  for (const { pointer } of scalarsOf(body)) {
    const known = values.get(withStars(pointer))
    if (known !== undefined) yield { pointer, known }
  }
  const placed = [...values].filter(([place]) => place.startsWith('/'))
  for (const { pointer, known } of placed.flatMap(([place, known]) =>
    pointersOf(place, body).map((pointer, index) => ({ pointer, known: ofItem(known, index) })),
  )) {
    const before = valueAt(body, pointer) as Json | undefined
    const isList = before !== undefined && (isArray(before) || isObject(before))
    const isMissing =
      known.isAdded === true &&
      before === undefined &&
      isObject(valueAt(body, parentOf(pointer)) as Json | undefined)
    if (isList || isMissing) yield { pointer, known }
  }
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
