import type { Json, Resource } from '../../spec/index.ts'
import { type Instance, type InstanceKind, keyOf, kindKey, namesIn, type Use } from './instance.ts'
import { nameText } from './is-named.ts'

/** What a case has changed of a resource: nothing, its values, or also such as may be its name. */
export type Change = 'none' | 'values' | 'name'

/** Resources of the run that no case has at the moment. */
type FreeInstances = {
  /** A rich one is never given out again. */
  readonly take: (
    resource: Resource,
    use: Use,
    isUnchanged: boolean,
    kind: InstanceKind,
  ) => Instance | undefined
  readonly add: (instance: Instance, change: Change) => void
  /** It is no longer taken, nor what speaks of it, also if a case that has it now adds it later; the result ends that. */
  readonly retire: (instance: Instance) => () => void
  readonly mayBeRenamed: (instance: Instance) => boolean
  readonly everything: () => readonly Instance[]
  readonly forget: () => void
}

export const createFreeInstances = (isNeeded: (name: Json, noun: string) => boolean): FreeInstances => {
  const free = new Map<string, Instance[]>()
  const changed = new WeakSet<Instance>()
  const renamed = new WeakSet<Instance>()
  const retired = new Set<Instance>()
  const isOfRetired = (instance: Instance): boolean => {
    const names = new Set([keyOf(instance.resource, instance.values), ...namesIn(instance)])
    return [...retired].some(
      ({ resource, values }) =>
        names.has(keyOf(resource, values)) || names.has(nameText(values.at(-1) as Json)),
    )
  }
  return {
    take: (resource, use, isUnchanged, kind) => {
      const all = free.get(kindKey(resource, kind)) ?? []
      const isFree = (each: Instance): boolean =>
        !(isUnchanged && changed.has(each)) &&
        !(use === 'remove' && isNeeded(each.values.at(-1) as Json, each.resource.noun))
      const at = all.findLastIndex(isFree)
      return at < 0 ? undefined : all.splice(at, 1)[0]
    },
    retire: instance => {
      retired.add(instance)
      return () => void retired.delete(instance)
    },
    add: (instance, change) => {
      if (retired.size > 0 && isOfRetired(instance)) return
      if (change !== 'none') changed.add(instance)
      if (change === 'name') renamed.add(instance)
      const { resource, contents } = instance
      const key = kindKey(resource, contents === undefined ? 'plain' : { contents })
      free.set(key, [...(free.get(key) ?? []), instance])
    },
    mayBeRenamed: instance => renamed.has(instance),
    everything: () => [...free.values()].flat(),
    forget: () => free.clear(),
  }
}
