import {
  creatorOf,
  isSameName,
  itemsIn,
  type Json,
  namingProperty,
  type Operation,
  type Outcome,
  propertyIn,
  type Resource,
  readJson,
  unwrapped,
  writeJson,
} from '../../spec/index.ts'
import type { ChainStep, TestCase } from '../cases/case.ts'
import { hasDone } from '../judge/expected-status.ts'
import type { CreatedNames } from '../options/fixtures.ts'
import type { Instance, Use } from '../pool/instance.ts'
import type { Sent } from '../send/lost-connections.ts'
import { createInstanceOf, isUnnamed, noCreator } from './created-instance.ts'
import type { CreatedInstances } from './created-instances.ts'
import { type Maker, type Missing, sendNamed } from './creator.ts'
import { createFreeInstances } from './free-instances.ts'
import { createTrust } from './guessed-identity.ts'
import { createLearnedNames, valuesInPath } from './learned-names.ts'
import { withOwnName } from './own-name.ts'

/** The resources of a run: those that it created, and those that it found. */
export type InstancePool = {
  /** A resource that nobody else changes meanwhile, or ever did if `isUnchanged`; to read, one that others may read as well. */
  readonly acquire: (resource: Resource, use: Use, isUnchanged?: boolean) => Promise<Instance | Missing>
  /** Another case may have it. */
  readonly release: (instance: Instance, isChanged: boolean) => void
  /** A resource that nobody has seen, with what is required, or with all that is optional. */
  readonly create: (resource: Resource, kind: 'plain' | 'rich') => Promise<Instance | Missing>
  /** The resource that this request creates. */
  readonly createBy: (resource: Resource, testCase: TestCase) => Promise<Instance | Missing>
  /** The resources that a list gives, whoever created them; null if they cannot be listed. */
  readonly find: (resource: Resource) => Promise<Instance | null>
  /** Has to be called with every request that may have created something. */
  readonly noteCreation: (resource: Resource, testCase: TestCase, outcome: Outcome) => void
  readonly noteRemoval: (resource: Resource, values: readonly Json[]) => void
  /** The resource is not there: others must not get it. */
  readonly drop: (instance: Instance) => void
  /** No resource that was made before is acquired any more. */
  readonly forget: () => void
}

/** So many resources in a row may have names that cases about paths send. */
const mostReserved = 10

/** So many resources are asked for what is below them. */
const mostParents = 5

/** After so many creations in a row that failed, the server does not create any. */
const mostFailures = 3

export const createInstancePool = (
  makerOf: (operation: string) => Maker,
  created: CreatedInstances,
  reserved: ReadonlySet<string>,
  unusedName: (of: Resource) => Json | undefined,
  createdNames: CreatedNames,
): InstancePool => {
  const free = createFreeInstances()
  const shared = new Map<string, Promise<Instance | Missing>>()
  const { trusted, isNoName } = createTrust(makerOf, resource => find(resource))
  const learned = createLearnedNames(makerOf, createdNames)
  const failures = new Map<string, { count: number; reason: Missing }>()

  /** How often something of a kind was looked for in vain. */
  const searches = new Map<string, number>()

  const isReserved = ({ values }: Instance): boolean => {
    const last = values.at(-1)
    return (
      last !== undefined && reserved.has(typeof last === 'string' ? JSON.stringify(last) : writeJson(last))
    )
  }
  // Two resources of one name would be one resource, which one case removes and another one asks for.
  const named = (resource: Resource, creator: Operation, testCase: TestCase): TestCase | null =>
    withOwnName(testCase, makerOf(creator.id).model, resource, () => unusedName(resource))

  const create = async (
    resource: Resource,
    kind: 'plain' | 'rich',
    depth = 0,
  ): Promise<Instance | Missing> => {
    const creator = creatorOf(resource)
    if (creator === null) return { missing: noCreator(resource) }
    const failed = failures.get(resource.shape)
    if (failed !== undefined && failed.count >= mostFailures) return failed.reason
    const { sender, valid } = makerOf(creator.id)
    if (valid === undefined)
      return { missing: `${creator.id} would create it, but no valid request can be made for it` }
    const kinds = kind === 'plain' ? (['plain', 'full'] as const) : (['rich', 'plain'] as const)
    let reason: Missing = { missing: '' }
    for (const tried of kinds) {
      const testCase = named(resource, creator, sender.validCase(valid, tried))
      if (testCase === null) return { missing: tooFewNames(resource) }
      const sent = await sender.send(testCase)
      const instance = await namedInstance(resource, sent)
      if (!('missing' in instance)) {
        failures.delete(resource.shape)
        // A case that has to send this very name may change or remove it at any time.
        return isReserved(instance) && depth < mostReserved ? create(resource, kind, depth + 1) : instance
      }
      reason = { missing: instance.missing, isLeftOut: sent.missing !== undefined }
      if (reason.isLeftOut === true) break
    }
    failures.set(resource.shape, { count: (failed?.count ?? 0) + 1, reason })
    return reason
  }

  /** The resource that was created; if nothing is found by a usual name of it, by what its path is found to take. */
  const namedInstance = async (resource: Resource, sent: Sent): Promise<Instance | Missing> => {
    const instance = instanceOf(resource, sent)
    const creator = creatorOf(resource)
    if (creator === null || sent.missing !== undefined || !hasDone(creator, sent.outcome)) return instance
    if (!('missing' in instance) && !(await isNoName(instance))) return instance
    await learned.learn(resource, creator, sent)
    const renamed = instanceOf(resource, sent)
    if (!('missing' in instance) && !('missing' in renamed) && renamed.property !== null)
      created.rename(resource, renamed.property)
    return renamed
  }

  const instanceOf = createInstanceOf(makerOf, learned)

  /** What is first in this answer to a list. */
  const firstIn = (resource: Resource, list: Operation, { testCase, outcome }: Sent): Instance | null => {
    const [first] = itemsOf(outcome)
    const name = propertyIn(resource, first)
    if (first === undefined || name === undefined) return null
    searches.delete(resource.shape)
    const step: ChainStep = { operation: list.id, request: testCase.request, outcome, role: 'find', name }
    const property = namingProperty(unwrapped(first, resource.names) ?? null, resource.names)
    return {
      resource,
      values: [...valuesInPath(makerOf(list.id).model, testCase), name],
      property,
      isGuessed: property !== null && !isSameName(property, resource.names[0] ?? ''),
      steps: [...(testCase.chain?.steps ?? []), step],
      sent: undefined,
      answered: undefined,
      isOwn: false,
    }
  }

  const find: InstancePool['find'] = async resource => {
    const { list } = resource
    const maker = list === null ? null : makerOf(list.id)
    if (maker?.valid === undefined || list === null) return null
    // What nobody creates may be there later, but hardly in each of many cases.
    const count = (searches.get(resource.shape) ?? 0) + 1
    searches.set(resource.shape, count)
    if (creatorOf(resource) === null && count > mostFailures && !Number.isInteger(Math.log2(count)))
      return null
    const sent = await maker.sender.send(maker.sender.validCase(maker.valid, 'plain'))
    return firstIn(resource, list, sent) ?? (await findElsewhere(resource, list, sent))
  }

  /** What is below other resources around it, if nothing is below this one and nobody creates any. */
  const findElsewhere = async (
    resource: Resource,
    list: Operation,
    { testCase, missing }: Sent,
  ): Promise<Instance | null> => {
    const { parent } = resource
    const above = parent?.list == null ? null : makerOf(parent.list.id)
    if (
      parent === null ||
      above?.valid === undefined ||
      creatorOf(resource) !== null ||
      missing !== undefined
    )
      return null
    const asked = valuesInPath(makerOf(list.id).model, testCase)
    const outer = asked.slice(0, -1)
    const all = await sendNamed(above, outer)
    if (all === null || all.missing !== undefined) return null
    const names = itemsOf(all.outcome).map(item => propertyIn(parent, item))
    const others = names.filter(
      name => name !== undefined && writeJson(name) !== writeJson(asked.at(-1) ?? null),
    )
    for (const name of others.slice(0, mostParents)) {
      const sent = await sendNamed(makerOf(list.id), [...outer, name as Json])
      const found = sent === null || sent.missing !== undefined ? null : firstIn(resource, list, sent)
      if (found !== null) return found
    }
    return null
  }

  const createOrFind = async (resource: Resource): Promise<Instance | Missing> => {
    const instance = await create(resource, 'plain')
    return 'missing' in instance ? ((await find(resource)) ?? instance) : instance
  }

  return {
    create: (resource, kind) => create(resource, kind),
    createBy: async (resource, testCase) => {
      const creator = creatorOf(resource)
      if (creator === null) return { missing: noCreator(resource) }
      const sent = named(resource, creator, testCase)
      return sent === null
        ? { missing: tooFewNames(resource) }
        : namedInstance(resource, await makerOf(creator.id).sender.send(sent))
    },
    find,
    acquire: async (resource, use, isUnchanged = false) => {
      if (use !== 'read')
        return free.take(resource, isUnchanged) ?? (await trusted(await create(resource, 'plain')))
      const known = shared.get(resource.shape) ?? createOrFind(resource).then(trusted)
      shared.set(resource.shape, known)
      const instance = await known
      if ('missing' in instance) shared.delete(resource.shape)
      return instance
    },
    release: (instance, isChanged) => {
      if (instance.isOwn) free.add(instance, isChanged)
    },
    drop: ({ resource }) => void shared.delete(resource.shape),
    forget: () => {
      free.forget()
      shared.clear()
    },
    noteCreation: (resource, testCase, outcome) => {
      const instance = instanceOf(resource, { testCase, outcome, lost: null })
      if (!('missing' in instance)) {
        // What was rejected before a valid request was found is created now.
        failures.delete(resource.shape)
        created.add(instance, testCase.spec.method === 'POST')
      } else if (isUnnamed(resource, outcome))
        created.addUnnamed(testCase.obligation.operation, () => {
          const later = instanceOf(resource, { testCase, outcome, lost: null })
          return 'missing' in later ? null : later
        })
    },
    noteRemoval: created.remove,
  }
}

const itemsOf = (outcome: Outcome): readonly Json[] => {
  const reading = outcome.kind === 'response' ? readJson(outcome.response.body) : null
  return reading?.ok === true ? (itemsIn(reading.value) ?? []) : []
}

/** That resources of a kind cannot be told apart, as a main clause. */
export const tooFewNames = ({ noun }: Resource): string =>
  `too few names are allowed for a ${noun} of its own`
