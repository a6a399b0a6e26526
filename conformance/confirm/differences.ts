import {
  bodyLocation,
  isArray,
  isNumber,
  isObject,
  isOfBody,
  type Json,
  locationText,
  setAt,
  step,
  steps,
  type ValueLocation,
  valueAt,
} from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import { without } from '../cases/strategies/edit-spec.ts'

/** What an accepted request has at a place; undefined if it has nothing there. `isMissing`: the rejected one has nothing there. */
export type Difference = {
  readonly location: ValueLocation
  readonly value: Json | undefined
  readonly isMissing: boolean
}

/** In what an accepted request differs from a rejected one: in values, and in what it has besides. */
export const differences = (
  parameterAt: (name: string) => ValueLocation,
  rejected: RequestSpec,
  accepted: RequestSpec,
): readonly Difference[] => {
  const all = [
    ...namesIn(rejected.parameters, accepted.parameters).flatMap(name =>
      differenceOf(
        parameterAt(name),
        ownValue(rejected.parameters, name),
        ownValue(accepted.parameters, name),
      ),
    ),
    ...bodyDifferences('', rejected.body, accepted.body),
  ]
  return [...all.filter(({ isMissing }) => !isMissing), ...all.filter(({ isMissing }) => isMissing)]
}

/** Whether a request lacks something that another one has. */
export const lacksPart = (spec: RequestSpec, other: RequestSpec): boolean =>
  differences(name => ({ in: 'query', name, place: '' }), spec, other).some(({ isMissing }) => isMissing)

const differenceOf = (
  location: ValueLocation,
  rejected: Json | undefined,
  value: Json | undefined,
): readonly Difference[] =>
  JSON.stringify(rejected) === JSON.stringify(value)
    ? []
    : [{ location, value, isMissing: rejected === undefined }]

const bodyDifferences = (
  place: string,
  rejected: Json | undefined,
  accepted: Json | undefined,
): readonly Difference[] =>
  isObject(rejected) && isObject(accepted) && !isArray(rejected) && !isArray(accepted)
    ? namesIn(rejected, accepted).flatMap(name =>
        bodyDifferences(step(place, name), ownValue(rejected, name), ownValue(accepted, name)),
      )
    : place === ''
      ? []
      : differenceOf(bodyLocation(place), rejected, accepted)

/** The one value of the body without which, or with another of its type in its place, a request is accepted; null if there is none. */
export const simplest = (rejected: RequestSpec, isEnough: IsEnough): Promise<readonly Difference[] | null> =>
  firstChange(rejected, value => [undefined, ...simpleValues(value)], isEnough)

/** The one value of the body without which a request is accepted; null if there is none. */
export const oneTooMany = (
  rejected: RequestSpec,
  isEnough: IsEnough,
): Promise<readonly Difference[] | null> => firstChange(rejected, () => [undefined], isEnough)

/** Finds the other value of the body without which a value is accepted; null if there is none. Asks once of each place. */
export const createOtherThan = (): ((
  rejected: RequestSpec,
  location: ValueLocation,
  isEnough: IsEnough,
) => Promise<ValueLocation | null>) => {
  const known = new Map<string, ValueLocation | null>()
  return async (rejected, location, isEnough) => {
    const place = locationText(location)
    const before = known.get(place)
    if (before !== undefined) return before
    const isOther = (some: readonly Difference[]): boolean =>
      some.every(each => locationText(each.location) !== place)
    const found = await oneTooMany(rejected, async some => isOther(some) && isEnough(some))
    const other = found?.[0]?.location ?? null
    known.set(place, other)
    return other
  }
}

type IsEnough = (some: readonly Difference[]) => Promise<boolean>

const firstChange = async (
  rejected: RequestSpec,
  othersOf: (value: Json | undefined) => readonly (Json | undefined)[],
  isEnough: IsEnough,
): Promise<readonly Difference[] | null> => {
  const leaves = leavesOf('', rejected.body).slice(0, mostTries)
  for (const { place, value } of leaves)
    for (const other of othersOf(value)) {
      const difference: Difference = { location: bodyLocation(place), value: other, isMissing: false }
      if (other !== value && (await isEnough([difference]))) return [difference]
    }
  return null
}

const leavesOf = (
  place: string,
  value: Json | undefined,
): readonly { readonly place: string; readonly value: Json | undefined }[] =>
  isObject(value) && !isArray(value)
    ? Object.entries(value).flatMap(([name, member]) => leavesOf(step(place, name), member))
    : place === ''
      ? []
      : [{ place, value }]

const simpleValues = (value: Json | undefined): readonly Json[] => {
  if (typeof value === 'string') return ['a']
  if (value !== undefined && isNumber(value)) return [1]
  return typeof value === 'boolean' ? [!value] : []
}

const namesIn = (left: object, right: object): readonly string[] => [
  ...new Set([...Object.keys(left), ...Object.keys(right)]),
]

const ownValue = (from: object, name: string): Json | undefined =>
  Object.hasOwn(from, name) ? (from as Readonly<Record<string, Json>>)[name] : undefined

/** The most requests that looking for the differences that count may take. */
const mostTries = 24

/**
 * The differences without any of which a request is rejected, and with which it is accepted: halved as long as one half is enough, then
 * tried one by one. Empty if all together are not enough.
 */
export const needed = async (
  all: readonly Difference[],
  isEnough: IsEnough,
): Promise<readonly Difference[]> => {
  if (all.length === 0 || !(await isEnough(all))) return []
  let found = all
  let tries = 1
  const reduceTo = async (some: readonly Difference[]): Promise<boolean> => {
    tries += 1
    const isReduced = await isEnough(some)
    if (isReduced) found = some
    return isReduced
  }
  while (found.length > 1) {
    const half = Math.ceil(found.length / 2)
    // What is missing stands last, and says most.
    if (!(await reduceTo(found.slice(half))) && !(await reduceTo(found.slice(0, half)))) break
  }
  for (const each of found.length > 1 ? found : [])
    if (found.length > 1 && tries < mostTries) await reduceTo(found.filter(other => other !== each))
  return tries < mostTries ? found : []
}

/** What is enough in place of what was found to be missing: a server may require one of several properties. */
export const alternatives = async (
  all: readonly Difference[],
  found: readonly Difference[],
  isEnough: IsEnough,
): Promise<readonly (readonly Difference[])[]> => {
  const others: (readonly Difference[])[] = []
  let left = found.every(({ isMissing }) => isMissing) ? all.filter(({ isMissing }) => isMissing) : []
  for (let last = found; last.length > 0; ) {
    const places = new Set(last.map(({ location }) => locationText(location)))
    left = left.filter(({ location }) => !places.has(locationText(location)))
    last = await needed(left, isEnough)
    if (last.length > 0) others.push(last)
  }
  return others
}

export const valueIn = (spec: RequestSpec, location: ValueLocation): Json | undefined =>
  isOfBody(location)
    ? (valueAt(spec.body, location.place) as Json | undefined)
    : ownValue(spec.parameters, location.name)

/** The request with these values at their places; without what has none. */
export const withValues = (
  spec: RequestSpec,
  changes: readonly Pick<Difference, 'location' | 'value'>[],
): RequestSpec => changes.reduce((changed, { location, value }) => withValue(changed, location, value), spec)

const withValue = (spec: RequestSpec, location: ValueLocation, value: Json | undefined): RequestSpec => {
  if (!isOfBody(location)) {
    const { name } = location
    const { parameters } = spec
    return {
      ...spec,
      parameters: value === undefined ? without(parameters, name) : { ...parameters, [name]: value },
    }
  }
  const parent = steps(location.place).slice(0, -1).reduce(step, '')
  return isObject(valueAt(spec.body, parent) as Json)
    ? { ...spec, body: setAt(spec.body as Json, location.place, value) }
    : spec
}
