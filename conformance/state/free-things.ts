import type { Resource } from '../../spec/index.ts'
import type { Thing } from '../things/thing.ts'

/** Things of the run that no case has at the moment. */
export type FreeThings = {
  readonly take: (resource: Resource, isUnchanged: boolean) => Thing | undefined
  readonly add: (thing: Thing, isChanged: boolean) => void
  readonly forget: () => void
}

export const createFreeThings = (): FreeThings => {
  const free = new Map<string, Thing[]>()
  const changed = new WeakSet<Thing>()
  return {
    take: ({ shape }, isUnchanged) => {
      const all = free.get(shape) ?? []
      const at = all.findLastIndex(thing => !(isUnchanged && changed.has(thing)))
      return at < 0 ? undefined : all.splice(at, 1)[0]
    },
    add: (thing, isChanged) => {
      if (isChanged) changed.add(thing)
      free.set(thing.resource.shape, [...(free.get(thing.resource.shape) ?? []), thing])
    },
    forget: () => free.clear(),
  }
}
