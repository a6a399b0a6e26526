import type { Resource } from '../../spec/index.ts'
import type { Instance } from '../pool/instance.ts'

/** Resources of the run that no case has at the moment. */
export type FreeInstances = {
  readonly take: (resource: Resource, isUnchanged: boolean) => Instance | undefined
  readonly add: (instance: Instance, isChanged: boolean) => void
  readonly forget: () => void
}

export const createFreeInstances = (): FreeInstances => {
  const free = new Map<string, Instance[]>()
  const changed = new WeakSet<Instance>()
  return {
    take: ({ shape }, isUnchanged) => {
      const all = free.get(shape) ?? []
      const at = all.findLastIndex(instance => !(isUnchanged && changed.has(instance)))
      return at < 0 ? undefined : all.splice(at, 1)[0]
    },
    add: (instance, isChanged) => {
      if (isChanged) changed.add(instance)
      free.set(instance.resource.shape, [...(free.get(instance.resource.shape) ?? []), instance])
    },
    forget: () => free.clear(),
  }
}
