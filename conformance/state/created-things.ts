import { type Json, type Resource, writeJson } from '../../spec/index.ts'
import type { Thing } from '../things/thing.ts'

/** What a run has created and not removed. */
export type CreatedThings = {
  readonly add: (thing: Thing) => void
  readonly remove: (resource: Resource, values: readonly Json[]) => void
  readonly has: (resource: Resource, values: readonly Json[]) => boolean
  /** The innermost first. */
  readonly all: () => readonly Thing[]
}

/** A run that creates more than this many things does not remember them all. */
const most = 200_000

export const createdThings = (): CreatedThings => {
  const things = new Map<string, Thing>()
  return {
    add: thing => {
      // Its steps are needed no more, and would fill the memory of a long run.
      if (things.size < most) things.set(keyOf(thing.resource, thing.values), { ...thing, steps: [] })
    },
    remove: (resource, values) => {
      things.delete(keyOf(resource, values))
    },
    has: (resource, values) => things.has(keyOf(resource, values)),
    all: () => [...things.values()].toSorted((left, right) => right.values.length - left.values.length),
  }
}

// What was created may be a number where its path has a text.
const keyOf = ({ shape }: Resource, values: readonly Json[]): string =>
  `${shape} ${values.map(nameText).join(' ')}`

export const nameText = (value: Json): string => (typeof value === 'string' ? value : writeJson(value))
