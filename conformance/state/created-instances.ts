import {
  creatorOf,
  isNamingName,
  isSameName,
  type Json,
  nounOfPath,
  type Resource,
} from '../../spec/index.ts'
import { type Instance, keyOf, namesIn, valuesBy } from '../pool/instance.ts'
import { nameText } from '../pool/is-named.ts'
import { innerIds, leastLetters } from '../pool/shown.ts'
import { createGuesses } from './created-instance.ts'

/** What a run has created and not removed. */
export type CreatedInstances = {
  /** `isNew`: the server has chosen the name. */
  readonly add: (instance: Instance, isNew?: boolean) => void
  /** `since`: when the removal was sent. A server may give the name to another one before the removal is answered: that one is there. */
  readonly remove: (resource: Resource, values: readonly Json[], since: number) => void
  /** Whether something of another kind that this speaks of was removed or renamed since: it may have belonged to that. */
  readonly mayBeGone: (instance: Instance) => boolean
  /** Resources of a kind turn out to have this property as their name. */
  readonly rename: (resource: Resource, property: string) => void
  readonly has: (resource: Resource, values: readonly Json[]) => boolean
  readonly get: (resource: Resource, values: readonly Json[]) => Instance | undefined
  /** Whether something that the run has created, whatever it is, has this name, of so many letters at least: a short one may be another value. */
  readonly isNameOfOwn: (name: Json, least?: number) => boolean
  /** Names of what the run has created last and is asked for by a parameter of this name, such as `jobId`, and of this noun, if there is one; none for `id`. */
  readonly ownNamesFor: (parameter: string, noun: string | null) => readonly Json[]
  /** Whether the server gave this name to something while something else had it: then others may change or remove it. */
  readonly isTaken: (resource: Resource, values: readonly Json[]) => boolean
  /** An operation that only seems to create such resources gave this name. */
  readonly noteGuess: (resource: Resource, values: readonly Json[]) => void
  /** Whether what came of these guesses may have been there before: the operation gave one name so far, or the same twice. */
  readonly mayBeOld: (resource: Resource) => boolean
  /** Something came to be by this operation that nobody can ask for; `named`: the resource, once it is known what names it. */
  readonly addUnnamed: (operation: string, named: () => Instance | null) => void
  /** A request that may create something got no response, so nobody knows whether it did. */
  readonly addLost: (operation: string) => void
  /** How many of these there were, by operation. */
  readonly lost: () => ReadonlyMap<string, number>
  /** Something of this name may have been there before the operation made it, so it is not removed. */
  readonly addDoubtful: (operation: string, values: readonly Json[]) => void
  /** The names of these, by operation. */
  readonly doubtful: () => ReadonlyMap<string, ReadonlySet<string>>
  /** Adds what has a name by now. Gives, by operation, how many have none. */
  readonly nameRest: () => ReadonlyMap<string, number>
  /** Of each kind that can be removed and has more than `most`, the oldest; half of these are left. */
  readonly surplus: (most: (resource: Resource) => number) => readonly Instance[]
  /** Milliseconds to remove those that can be removed, one after the other, as it took for others of their kind; `ms`: for each of a kind of which none was removed. */
  readonly removalMs: (ms: number) => number
  /** The newest first: it may belong to what was there before it, or do something whenever another one changes. */
  readonly all: () => readonly Instance[]
}

/** Names of own resources that are given for a parameter. */
const mostOwn = 3

/** A run that creates more than this many resources does not remember them all. */
const most = 200_000
/** Of those without a name each keeps what was answered, so that fewer are remembered of one operation; the rest is counted. */
const mostUnnamed = 1000

export const createdInstances = (): CreatedInstances => {
  const instances = new Map<string, Instance & { readonly at: number }>()
  /** By kind, how many there are that can be removed. */
  const counts = new Map<Resource, number>()
  /** By kind, how many were removed, and the milliseconds that took. */
  const removals = new Map<Resource, { readonly count: number; readonly ms: number }>()
  const count = (resource: Resource, change: number): void => {
    if (resource.remove === null) return
    counts.set(resource, (counts.get(resource) ?? 0) + change)
  }
  const unnamed = new Map<string, { readonly all: (() => Instance | null)[]; more: number }>()
  const lost = new Map<string, number>()
  const doubtful = new Map<string, Set<string>>()
  /** By name, what was removed last. */
  const removed = new Map<string, { readonly shape: string; readonly at: number }>()
  /** By name, of what kind the last one is that has it. */
  const names = new Map<string, Resource>()
  const taken = new Set<string>()
  const { note: noteGuess, mayBeOld } = createGuesses()
  const addDoubtful = (operation: string, values: readonly Json[]): void => {
    const names = doubtful.get(operation) ?? new Set()
    if (names.size < mostUnnamed) doubtful.set(operation, names.add(values.map(nameText).join('/')))
  }
  const add = (instance: Instance, isNew = false): void => {
    // Its steps are needed no more, and would fill the memory of a long run.
    const key = keyOf(instance.resource, instance.values)
    if (instances.size >= most) return
    if (isNew && instances.has(key)) taken.add(key)
    if (!instances.has(key)) count(instance.resource, 1)
    names.set(nameText(instance.values.at(-1) as Json), instance.resource)
    instances.set(key, { ...instance, steps: [], at: performance.now() })
  }
  return {
    add,
    remove: (resource, values, since) => {
      const at = performance.now()
      removed.set(nameText(values.at(-1) as Json), { shape: resource.shape, at })
      // The server may remove what it contained as well, and everything else that contains that: sessions of one kernel.
      const key = keyOf(resource, values)
      const { answered, sent, at: madeAt = at } = instances.get(key) ?? {}
      for (const id of [...innerIds(answered), ...innerIds(sent)]) removed.set(id, { shape: '', at })
      // What is made after that may have the same name.
      noteGuess(resource, values, -1)
      if (madeAt > since || !instances.delete(key)) return
      count(resource, -1)
      const before = removals.get(resource) ?? { count: 0, ms: 0 }
      removals.set(resource, { count: before.count + 1, ms: before.ms + at - since })
      names.delete(nameText(values.at(-1) as Json))
    },
    mayBeGone: instance => {
      if (removed.size === 0) return false
      const { resource, values } = instance
      const at = instances.get(keyOf(resource, values))?.at ?? Number.NEGATIVE_INFINITY
      return namesIn(instance).some(name => {
        const other = removed.get(name)
        return other !== undefined && other.shape !== resource.shape && other.at >= at
      })
    },
    rename: ({ shape }, property) => {
      for (const [key, instance] of [...instances])
        if (instance.resource.shape === shape && instance.property !== property) {
          instances.delete(key)
          const values = valuesBy(instance, { property })
          instances.set(keyOf(instance.resource, values), { ...instance, values, property })
        }
    },
    noteGuess: (resource, values) => noteGuess(resource, values, 1),
    mayBeOld,
    addUnnamed: (operation, named) => {
      const ofOperation = unnamed.get(operation) ?? { all: [], more: 0 }
      unnamed.set(operation, ofOperation)
      if (ofOperation.all.length < mostUnnamed) ofOperation.all.push(named)
      else ofOperation.more += 1
    },
    addLost: operation => void lost.set(operation, (lost.get(operation) ?? 0) + 1),
    lost: () => lost,
    addDoubtful,
    doubtful: () => {
      for (const { resource, values } of instances.values())
        if (mayBeOld(resource)) addDoubtful(creatorOf(resource)?.id ?? resource.path, values)
      return doubtful
    },
    nameRest: () => {
      const counts = new Map<string, number>()
      for (const [operation, { all, more }] of unnamed) {
        const instances = all.map(named => named())
        for (const instance of instances) if (instance !== null) add(instance)
        const count = instances.filter(instance => instance === null).length + more
        if (count > 0) counts.set(operation, count)
      }
      return counts
    },
    has: (resource, values) => instances.has(keyOf(resource, values)),
    get: (resource, values) => instances.get(keyOf(resource, values)),
    isNameOfOwn: (name, least = leastLetters) => {
      const resource = names.get(nameText(name))
      return resource !== undefined && nameText(name).length >= least && !mayBeOld(resource)
    },
    ownNamesFor: (parameter, noun) =>
      isNamingName(parameter)
        ? []
        : [...instances.values()]
            .filter(({ resource }) => isSameName(resource.names[0] ?? '', parameter) && !mayBeOld(resource))
            .filter(({ resource }) => noun === null || nounOfPath(resource.path) === noun)
            .slice(-mostOwn)
            .map(({ values }) => values.at(-1) as Json),
    isTaken: (resource, values) => taken.has(keyOf(resource, values)),
    surplus: most => {
      const kinds = [...counts].filter(([resource, size]) => size > most(resource) && !mayBeOld(resource))
      if (kinds.length === 0) return []
      const left = new Map(kinds.map(([resource, size]) => [resource, size - Math.floor(most(resource) / 2)]))
      return [...instances.values()].filter(({ resource, isHelp }) => {
        const more = left.get(resource) ?? 0
        left.set(resource, more - 1)
        return more > 0 && isHelp !== true
      })
    },
    removalMs: ms =>
      [...counts].reduce((sum, [resource, left]) => {
        const each = removals.get(resource)
        return mayBeOld(resource) ? sum : sum + left * (each === undefined ? ms : each.ms / each.count)
      }, 0),
    all: () => [...instances.values()].filter(({ resource }) => !mayBeOld(resource)).toReversed(),
  }
}
