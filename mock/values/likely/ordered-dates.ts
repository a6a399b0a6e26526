import { dateOrders, type JsonObject } from '../../../spec/index.ts'

const dates = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/

/** The object with its dates exchanged so that nothing is updated before it was created, and nothing ends before it starts. */
export const withOrderedDates = (object: JsonObject, isFree: (name: string) => boolean): JsonObject => {
  const times = Object.entries(object).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && dates.test(entry[1]),
  )
  if (times.length < 2) return object
  let ordered = object
  for (const ranks of dateOrders) {
    const found = times.flatMap(([name]) => {
      const rank = ranks.findIndex(names => names.test(name))
      return rank >= 0 && isFree(name) ? [{ name, rank, value: ordered[name] as string }] : []
    })
    for (const group of Map.groupBy(found, ({ value }) => value.length).values()) {
      if (group.length < 2) continue
      const values = group.map(({ value }) => value).sort()
      const names = group.toSorted((left, right) => left.rank - right.rank).map(({ name }) => name)
      ordered = {
        ...ordered,
        ...Object.fromEntries(names.map((name, index) => [name, values[index] as string])),
      }
    }
  }
  return ordered
}
