import { isNode } from '../json/follow-refs.ts'
import { isObject, type Json } from '../json/json.ts'
import { type Pointer, step, steps } from '../json/pointer.ts'

/** What a client used of one operation. */
export type UsedOperation = {
  readonly requests: number
  /** In how many requests each part was: `query/limit`, `body` for any body, `body/total` for a place in it. */
  readonly sent: Readonly<Record<string, number>>
  /** The places of the bodies that it was answered with, by status. Whether it read them does not show. */
  readonly served: Readonly<Record<string, readonly Pointer[]>>
  /** The places that it reads, if its authors say so; it then reads no others. */
  readonly read?: readonly Pointer[]
  /** Whether some of its requests or responses were not looked into, so that it may use any part. */
  readonly unclear?: boolean
}

/** What a client used of an API, by method and path: `POST /plants`. */
export type Usage = {
  readonly format: typeof usageFormat
  readonly version: 1
  readonly operations: Readonly<Record<string, UsedOperation>>
}

export const usageFormat = 'plantstore-usage'

export const usageOf = (operations: Usage['operations']): Usage => ({
  format: usageFormat,
  version: 1,
  operations,
})

const mostPlaces = 10_000

/** The places of a value, outermost first; `*` stands for the items of a list. Null: there are too many to list. */
export const allPlaces = (value: Json): readonly Pointer[] | null => {
  const places = new Set<Pointer>()
  const waiting: (readonly [at: Pointer, value: Json])[] = [['', value]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [at, inside] = next
    places.add(at)
    if (places.size + waiting.length > mostPlaces) return null
    if (Array.isArray(inside)) for (const item of inside) waiting.push([`${at}/*`, item])
    else if (isObject(inside))
      for (const [name, member] of Object.entries(inside)) waiting.push([step(at, name), member])
  }
  return [...places].sort()
}

/** Whether two places can be the same one: `*` is any item, or any name. */
export const isPlaceLike = (one: Pointer, other: Pointer): boolean => {
  const [left, right] = [steps(one), steps(other)]
  return (
    left.length === right.length &&
    left.every((name, index) => name === '*' || right[index] === '*' || name === right[index])
  )
}

/** What several tests of one client used. */
export const mergedUsage = (all: readonly Usage[]): Usage => {
  const operations = Map.groupBy(
    all.flatMap(usage => Object.entries(usage.operations)),
    ([name]) => name,
  )
  return usageOf(
    Object.fromEntries([...operations].map(([name, used]) => [name, together(used.map(([, each]) => each))])),
  )
}

const together = (all: readonly UsedOperation[]): UsedOperation => {
  const sent = Map.groupBy(
    all.flatMap(each => Object.entries(each.sent)),
    ([name]) => name,
  )
  const served = Map.groupBy(
    all.flatMap(each => Object.entries(each.served)),
    ([status]) => status,
  )
  const read = all.flatMap(each => (each.read === undefined ? [] : [each.read]))
  return {
    requests: all.reduce((sum, { requests }) => sum + requests, 0),
    sent: Object.fromEntries(
      [...sent].map(([name, counts]) => [name, counts.reduce((sum, [, count]) => sum + count, 0)]),
    ),
    served: Object.fromEntries(
      [...served].map(([status, places]) => [
        status,
        [...new Set(places.flatMap(([, each]) => each))].sort(),
      ]),
    ),
    // Of a part that says nothing about it, nothing is known.
    ...(read.length === all.length ? { read: [...new Set(read.flat())].sort() } : {}),
    ...(all.some(({ unclear }) => unclear === true) ? { unclear: true } : {}),
  }
}

/** Reads a usage from parsed JSON; a text says why it is none. */
export const readUsage = (value: unknown): Usage | string => {
  if (!isNode(value) || value.format !== usageFormat) return `its \`format\` is not ${usageFormat}`
  if (value.version !== 1) return 'its version is not 1'
  if (!isNode(value.operations)) return 'it has no `operations`'
  const wrong = Object.entries(value.operations).find(([, used]) => !isUsed(used))
  return wrong === undefined ? (value as Usage) : `its operation ${wrong[0]} is not as the mock writes it`
}

const isUsed = (value: unknown): value is UsedOperation =>
  isNode(value) &&
  Number.isInteger(value.requests) &&
  isNode(value.sent) &&
  Object.values(value.sent).every(Number.isInteger) &&
  isNode(value.served) &&
  Object.values(value.served).every(isTexts) &&
  (value.read === undefined || isTexts(value.read)) &&
  (value.unclear === undefined || typeof value.unclear === 'boolean')

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every(each => typeof each === 'string')
