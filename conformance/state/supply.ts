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
import type { Sent } from '../send/lost-connections.ts'
import type { Thing, Use } from '../things/thing.ts'
import type { CreatedThings } from './created-things.ts'
import { createFreeThings } from './free-things.ts'
import { createTrust } from './guessed-identity.ts'
import { createLearnedNames, valuesInPath } from './learned-names.ts'
import type { Maker, Missing } from './maker.ts'
import { withOwnName } from './own-name.ts'
import { createThingOf, isUnnamed, noCreator } from './thing-of.ts'

/** The things of a run: those that it created, and those that it found. */
export type Supply = {
  /** A thing that nobody else changes meanwhile, or ever did if `isUnchanged`; to read, one that others may read as well. */
  readonly lend: (resource: Resource, use: Use, isUnchanged?: boolean) => Promise<Thing | Missing>
  /** Another case may have it. */
  readonly giveBack: (thing: Thing, isChanged: boolean) => void
  /** A thing that nobody has seen, with what is required, or with all that is optional. */
  readonly create: (resource: Resource, kind: 'plain' | 'rich') => Promise<Thing | Missing>
  /** The thing that this request creates. */
  readonly createBy: (resource: Resource, testCase: TestCase) => Promise<Thing | Missing>
  /** The things that a list gives, whoever created them; null if they cannot be listed. */
  readonly find: (resource: Resource) => Promise<Thing | null>
  /** Has to be called with every request that may have created something. */
  readonly noteCreation: (resource: Resource, testCase: TestCase, outcome: Outcome) => void
  readonly noteRemoval: (resource: Resource, values: readonly Json[]) => void
  /** The thing is not there: others must not get it. */
  readonly drop: (thing: Thing) => void
  /** No thing that was made before is lent any more. */
  readonly forget: () => void
}

/** So many things in a row may have names that cases about paths send. */
const mostReserved = 10

/** After so many creations in a row that failed, the server does not create any. */
const mostFailures = 3

export const createSupply = (
  makerOf: (operation: string) => Maker,
  created: CreatedThings,
  reserved: ReadonlySet<string>,
  unusedName: (of: Resource) => Json | undefined,
  createdNames: CreatedNames,
): Supply => {
  const free = createFreeThings()
  const shared = new Map<string, Promise<Thing | Missing>>()
  const { trusted, isNoName } = createTrust(makerOf, resource => find(resource))
  const learned = createLearnedNames(makerOf, createdNames)
  const failures = new Map<string, { count: number; reason: Missing }>()

  const isReserved = ({ values }: Thing): boolean => {
    const last = values.at(-1)
    return (
      last !== undefined && reserved.has(typeof last === 'string' ? JSON.stringify(last) : writeJson(last))
    )
  }
  // Two things of one name would be one thing, which one case removes and another one asks for.
  const named = (resource: Resource, creator: Operation, testCase: TestCase): TestCase | null =>
    withOwnName(testCase, makerOf(creator.id).model, resource, () => unusedName(resource))

  const create = async (resource: Resource, kind: 'plain' | 'rich', depth = 0): Promise<Thing | Missing> => {
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
      const thing = await namedThing(resource, sent)
      if (!('missing' in thing)) {
        failures.delete(resource.shape)
        // A case that has to send this very name may change or remove it at any time.
        return isReserved(thing) && depth < mostReserved ? create(resource, kind, depth + 1) : thing
      }
      reason = { missing: thing.missing, isLeftOut: sent.missing !== undefined }
      if (reason.isLeftOut === true) break
    }
    failures.set(resource.shape, { count: (failed?.count ?? 0) + 1, reason })
    return reason
  }

  /** The thing that was created; if nothing is found by a usual name of it, by what its path is found to take. */
  const namedThing = async (resource: Resource, sent: Sent): Promise<Thing | Missing> => {
    const thing = thingOf(resource, sent)
    const creator = creatorOf(resource)
    if (creator === null || sent.missing !== undefined || !hasDone(creator, sent.outcome)) return thing
    if (!('missing' in thing) && !(await isNoName(thing))) return thing
    await learned.learn(resource, creator, sent)
    const renamed = thingOf(resource, sent)
    if (!('missing' in thing) && !('missing' in renamed) && renamed.property !== null)
      created.rename(resource, renamed.property)
    return renamed
  }

  const thingOf = createThingOf(makerOf, learned)

  const find: Supply['find'] = async resource => {
    const { list } = resource
    const maker = list === null ? null : makerOf(list.id)
    if (maker?.valid === undefined || list === null) return null
    const { testCase, outcome } = await maker.sender.send(maker.sender.validCase(maker.valid, 'plain'))
    const reading = outcome.kind === 'response' ? readJson(outcome.response.body) : null
    const [first] = reading?.ok === true ? (itemsIn(reading.value) ?? []) : []
    const name = propertyIn(resource, first)
    if (first === undefined || name === undefined) return null
    const { chain, request } = testCase
    const outer = valuesInPath(maker.model, testCase)
    const step: ChainStep = { operation: list.id, request, outcome, role: 'find', name }
    const property = namingProperty(unwrapped(first, resource.names) ?? null, resource.names)
    return {
      resource,
      values: [...outer, name],
      property,
      isGuessed: property !== null && !isSameName(property, resource.names[0] ?? ''),
      steps: [...(chain?.steps ?? []), step],
      sent: undefined,
      answered: undefined,
      isOwn: false,
    }
  }

  const createOrFind = async (resource: Resource): Promise<Thing | Missing> => {
    const thing = await create(resource, 'plain')
    return 'missing' in thing ? ((await find(resource)) ?? thing) : thing
  }

  return {
    create: (resource, kind) => create(resource, kind),
    createBy: async (resource, testCase) => {
      const creator = creatorOf(resource)
      if (creator === null) return { missing: noCreator(resource) }
      const sent = named(resource, creator, testCase)
      return sent === null
        ? { missing: tooFewNames(resource) }
        : namedThing(resource, await makerOf(creator.id).sender.send(sent))
    },
    find,
    lend: async (resource, use, isUnchanged = false) => {
      if (use !== 'read')
        return free.take(resource, isUnchanged) ?? (await trusted(await create(resource, 'plain')))
      const known = shared.get(resource.shape) ?? createOrFind(resource).then(trusted)
      shared.set(resource.shape, known)
      const thing = await known
      if ('missing' in thing) shared.delete(resource.shape)
      return thing
    },
    giveBack: (thing, isChanged) => {
      if (thing.isOwn) free.add(thing, isChanged)
    },
    drop: ({ resource }) => void shared.delete(resource.shape),
    forget: () => {
      free.forget()
      shared.clear()
    },
    noteCreation: (resource, testCase, outcome) => {
      const thing = thingOf(resource, { testCase, outcome, lost: null })
      if (!('missing' in thing)) {
        // What was rejected before a valid request was found is created now.
        failures.delete(resource.shape)
        created.add(thing, testCase.spec.method === 'POST')
      } else if (isUnnamed(resource, outcome))
        created.addUnnamed(testCase.obligation.operation, () => {
          const later = thingOf(resource, { testCase, outcome, lost: null })
          return 'missing' in later ? null : later
        })
    },
    noteRemoval: created.remove,
  }
}

/** That things of a kind cannot be told apart, as a main clause. */
export const tooFewNames = ({ noun }: Resource): string =>
  `too few names are allowed for a ${noun} of its own`
