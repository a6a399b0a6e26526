import { creatorOf, type Json, type Operation, type Outcome, type Resource } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { hasDone } from '../judge/expected-status.ts'
import type { CreatedNames } from '../options/run-options.ts'
import { type Change, createFreeInstances } from '../pool/free-instances.ts'
import { type Instance, type InstanceKind, kindKey, nameAfter, type Use } from '../pool/instance.ts'
import { nameText } from '../pool/is-named.ts'
import type { Pool } from '../pool/pool.ts'
import type { Sent } from '../send/lost-connections.ts'
import { isHanging } from '../send/transport/failure.ts'
import {
  createInstanceOf,
  createTrust,
  haveSameName,
  isGuess,
  isUnnamed,
  noCreator,
  noValidRequest,
  onlyOneName,
  outcomesOf,
  tooFewNames,
} from './created-instance.ts'
import type { CreatedInstances } from './created-instances.ts'
import { fill, kindsToTry, type Maker, type Missing } from './creator.ts'
import { createFinder } from './found-instance.ts'
import { withOwnName } from './fresh-names.ts'
import { createLearnedNames } from './learned-names.ts'

/** The resources of a run: those that it created, and those that it found. */
export type InstancePool = {
  /**
   * A resource, plain by default, that nobody else changes meanwhile, or ever did if `isUnchanged`; to read, one that others may read as well.
   */
  readonly acquire: (
    resource: Resource,
    use: Use,
    which?: { readonly isUnchanged?: boolean; readonly kind?: InstanceKind },
  ) => Promise<Instance | Missing>
  /** Another case may have it. */
  readonly release: (instance: Instance, change: Change) => void
  /** Whether a case before has changed it so that it may have another name since. */
  readonly mayBeRenamed: (instance: Instance) => boolean
  /** A resource that nobody has seen, with what is required, or with all that is optional. */
  readonly create: (resource: Resource, kind: 'plain' | 'rich') => Promise<Instance | Missing>
  /** The resource that this request creates. */
  readonly createBy: (resource: Resource, testCase: TestCase) => Promise<Instance | Missing>
  /** The resources that a list gives, whoever created them; null if they cannot be listed. */
  readonly find: (resource: Resource) => Promise<Instance | null>
  /** Has to be called with every request that may have created something. */
  readonly noteCreation: (resource: Resource, testCase: TestCase, outcome: Outcome) => void
  readonly noteRemoval: CreatedInstances['remove']
  /** Has to be called with every accepted request that may have changed what has these names. */
  readonly noteChange: (
    resource: Resource,
    values: readonly Json[],
    sent: Json | undefined,
    outcome: Outcome,
  ) => void
  /** The resource is not there: others must not get it. */
  readonly drop: (instance: Instance) => void
  /** No other case acquires it any more to change or remove it, nor what speaks of it; the result ends that. */
  readonly retire: (instance: Instance) => () => void
  /** What cases may still acquire. */
  readonly held: () => readonly Instance[]
  /** No resource that was made before is acquired any more. */
  readonly forget: () => void
}

/** So many resources in a row may have names that cases about paths send. */
const mostReserved = 10

/** After so many creations in a row that failed, the server creates none. One that takes so many milliseconds counts as one more. */
const failed = { most: 3, eachMs: 2000 } as const

export const createInstancePool = (
  makerOf: (operation: string) => Maker,
  created: CreatedInstances,
  reserved: ReadonlySet<string>,
  unusedName: (of: Resource) => Json | undefined,
  createdNames: CreatedNames,
  { isNeeded, wasThereBefore }: Pick<Pool, 'isNeeded' | 'wasThereBefore'>,
): InstancePool => {
  const free = createFreeInstances(isNeeded)
  const shared = new Map<string, Shared>()
  const find = createFinder(makerOf)
  const { trusted, isNoName } = createTrust(makerOf, find)
  const learned = createLearnedNames(makerOf, createdNames, wasThereBefore)
  const failures = new Map<string, { count: number; reason: Missing; isUnnamed: boolean }>()
  /** Kinds of resources of which two had the same name. */
  const oneName = new Set<string>()
  const isReserved = ({ values }: Instance): boolean => {
    const last = values.at(-1)
    return (
      last !== undefined && reserved.has(typeof last === 'string' ? JSON.stringify(last) : nameText(last))
    )
  }
  // Two resources of one name would be one resource, which one case removes and another one asks for.
  const named = (resource: Resource, creator: Operation, testCase: TestCase): TestCase | null =>
    withOwnName(testCase, makerOf(creator.id).model, resource, () => unusedName(resource))

  const create = async (
    resource: Resource,
    kind: 'plain' | 'rich',
    earlier: readonly Instance[] = [],
  ): Promise<Instance | Missing> => {
    const creator = creatorOf(resource)
    if (creator === null) return { missing: noCreator(resource) }
    const before = failures.get(resource.shape)
    if (before !== undefined && before.count >= failed.most) return before.reason
    const { sender, valid, model } = makerOf(creator.id)
    if (valid === undefined) return { missing: noValidRequest(creator.id) }
    let [reason, isUnnamed, tookMs]: [Missing, boolean, number] = [{ missing: '' }, false, 0]
    for (const tried of kindsToTry(kind, model)) {
      const testCase = named(resource, creator, sender.validCase(valid, tried))
      if (testCase === null) return { missing: tooFewNames(resource) }
      const sent = await sender.send(testCase)
      const instance = await newInstance(resource, sent, () =>
        named(resource, creator, sender.validCase(valid, tried)),
      )
      if (!('missing' in instance)) {
        failures.delete(resource.shape)
        if (earlier.some(({ values }) => haveSameName(values, instance.values))) oneName.add(resource.shape)
        // A case that has to send this very name may change or remove it at any time; but some servers have only one name.
        return isReserved(instance) && !oneName.has(resource.shape) && earlier.length < mostReserved
          ? create(resource, kind, [...earlier, instance])
          : instance
      }
      isUnnamed ||= hasDone(creator, sent.outcome)
      tookMs += sent.outcome.ms
      reason = { missing: instance.missing, isLeftOut: sent.missing !== undefined }
      if (reason.isLeftOut === true || isHanging(sent.outcome)) break
    }
    const count = failures.get(resource.shape)?.count ?? 0
    failures.set(resource.shape, { count: count + 1 + Math.floor(tookMs / failed.eachMs), reason, isUnnamed })
    return reason
  }

  /** The resource that was created: by a usual name of it, or by what its path is found to take. */
  const namedInstance = async (resource: Resource, sent: Sent): Promise<Instance | Missing> => {
    const instance = instanceOf(resource, sent)
    const creator = creatorOf(resource)
    if (creator === null || sent.missing !== undefined || !hasDone(creator, sent.outcome)) return instance
    if (!('missing' in instance) && !(await isNoName(instance))) return instance
    await learned.learn(resource, creator, sent)
    const renamed = instanceOf(resource, sent)
    if (!('missing' in instance) && !('missing' in renamed) && renamed.property !== null)
      created.rename(resource, renamed.property)
    return trusted(renamed)
  }

  /** The resource that was created, unless it may have been there before: a second one shows that. */
  const newInstance = async (
    resource: Resource,
    sent: Sent,
    again: () => TestCase | null,
  ): Promise<Instance | Missing> => {
    const instance = await namedInstance(resource, sent)
    if ('missing' in instance || !created.mayBeOld(resource)) return instance
    const second = again()
    const creator = sent.testCase.obligation.operation
    if (second !== null) await makerOf(creator).sender.send(second)
    return created.mayBeOld(resource) ? { missing: onlyOneName(creator) } : instance
  }

  const instanceOf = createInstanceOf(makerOf, learned, wasThereBefore)

  const noteCreation: InstancePool['noteCreation'] = (resource, testCase, whole) => {
    for (const outcome of outcomesOf(whole)) {
      const sent = { testCase, outcome, lost: null }
      const instance = instanceOf(resource, sent)
      if (!('missing' in instance)) {
        // What was rejected before is created now. What is created but cannot be asked for stays so.
        if (failures.get(resource.shape)?.isUnnamed !== true) failures.delete(resource.shape)
        if (isGuess(resource, outcome)) created.noteGuess(resource, instance.values)
        created.add(instance, testCase.spec.method === 'POST')
      } else if (instance.isOld !== true && isUnnamed(resource, outcome))
        created.addUnnamed(testCase.obligation.operation, () => {
          const later = instanceOf(resource, sent)
          return 'missing' in later ? null : later
        })
    }
  }

  const createOfKind = async (resource: Resource, kind: InstanceKind): Promise<Instance | Missing> => {
    if (typeof kind === 'string') return create(resource, kind)
    const instance = await create(resource, 'plain')
    return 'missing' in instance ? instance : fill(instance, kind.contents, makerOf, noteCreation)
  }

  const createOrFind = async (resource: Resource, kind: InstanceKind): Promise<Instance | Missing> => {
    const instance = await createOfKind(resource, kind)
    return 'missing' in instance ? ((await find(resource)) ?? instance) : instance
  }

  return {
    create,
    createBy: async (resource, testCase) => {
      const creator = creatorOf(resource)
      if (creator === null) return { missing: noCreator(resource) }
      const sent = named(resource, creator, testCase)
      return sent === null
        ? { missing: tooFewNames(resource) }
        : namedInstance(resource, await makerOf(creator.id).sender.send(sent))
    },
    find,
    acquire: async (resource, use, { isUnchanged = false, kind = 'plain' } = {}) => {
      if (use !== 'read') {
        const taken = free.take(resource, use, isUnchanged, kind)
        return taken ?? (await trusted(await createOfKind(resource, kind)))
      }
      const key = kindKey(resource, kind)
      const known = shared.get(key) ?? { made: createOrFind(resource, kind).then(trusted) }
      shared.set(key, known)
      const instance = await known.made
      if ('missing' in instance) shared.delete(key)
      else known.instance = instance
      return instance
    },
    release: (instance, change) => {
      if (instance.isOwn) free.add(instance, change)
    },
    mayBeRenamed: free.mayBeRenamed,
    drop: ({ resource }) => {
      for (const key of shared.keys()) if (key.startsWith(kindKey(resource, ''))) shared.delete(key)
    },
    retire: free.retire,
    held: () => [...free.everything(), ...[...shared.values()].flatMap(({ instance }) => instance ?? [])],
    forget: () => {
      free.forget()
      shared.clear()
    },
    noteCreation,
    noteRemoval: created.remove,
    noteChange: (resource, values, sent, outcome) => {
      const instance = created.get(resource, values)
      const after = instance === undefined ? 'kept' : nameAfter(instance, sent, outcome)
      if (instance === undefined || typeof after !== 'object') return
      created.remove(resource, values, performance.now())
      const { renamedFrom = values } = instance
      created.add({ ...instance, sent, values: [...values.slice(0, -1), after.name], renamedFrom })
    },
  }
}

/** A resource that several cases read; `instance`: once it is made. */
type Shared = { readonly made: Promise<Instance | Missing>; instance?: Instance }
