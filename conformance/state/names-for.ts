import {
  createsByName,
  creatorOf,
  endsInName,
  type Json,
  type Operation,
  type Outcome,
  type PathName,
  type Resource,
  type ResourceGraph,
  statusOf,
} from '../../spec/index.ts'
import { beyondPlan, type TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { hasDone } from '../judge/expected-status.ts'
import { freeNames, useOf } from '../pool/bound-spec.ts'
import {
  type AskedBy,
  askingOf,
  type Instance,
  type InstanceKind,
  nameAfter,
  otherNamesOf,
  valuesBy,
} from '../pool/instance.ts'
import { isNotFound } from '../pool/rejection-words.ts'
import type { CreatedInstances } from './created-instances.ts'
import { type Maker, type Missing, mayExist } from './creator.ts'
import { namesFromFixtures, type OperationFixtures } from './fixtures.ts'
import { type FreshNames, nobodysName } from './fresh-names.ts'
import type { InstancePool } from './instance-pool.ts'

export type NamesOptions = {
  readonly graph: ResourceGraph
  readonly instancePool: InstancePool
  readonly names: FreshNames
  readonly makerOf: (operation: string) => Maker
  readonly created: CreatedInstances
  /** Whether the server keeps nothing: then any name will do. */
  readonly stateless: boolean
  /** Whether the user says of an operation that it may change what the run did not create. */
  readonly mayChangeFound: (operation: Operation) => boolean
  /** Whether requests of some operation need what has this name. */
  readonly isNeeded: (name: Json, noun: string) => boolean
}

/** What a case is given to ask for: values for its path, from the left, and who has to know what came of it. */
export type GivenNames = {
  readonly values: readonly Json[]
  readonly instance: Instance | null
  readonly exists: boolean
  readonly done: (outcome: Outcome, sent: TestCase) => void
}

const nothingToDo = (): void => {}

/** Statuses of what was rejected for its form, or not served: the resource is what it was. */
const leavesAsIs: readonly number[] = [400, 415, 422, 429, 503]

/** With names that nothing has as yet; what is not among the values, the case has of itself. */
const named = (values: readonly Json[], instance: Instance | null = null): GivenNames => ({
  values,
  instance,
  exists: false,
  done: nothingToDo,
})

/** Decides what the requests of one operation ask for. */
export const createNamesFor = (
  model: OperationModel,
  fixtures: OperationFixtures,
  { graph, instancePool, names: fresh, makerOf, created, stateless, mayChangeFound, isNeeded }: NamesOptions,
) => {
  const { operation } = model
  const names = graph.namesIn(operation)
  const isItem = names.length > 0 && endsInName(operation.path)
  const use = useOf(model, graph, isItem)
  const target = names.at(-1)?.resource
  const isCreator = target !== undefined && createsByName(target, operation)

  let acquired: Instance | null = null
  const asking = askingOf(created, operation.id)

  const given = async (
    testCase: TestCase,
    isKnown: (parameter: string) => boolean,
  ): Promise<GivenNames | Missing> => {
    const count = freeNames(names, testCase)
    const free = names.slice(0, count)
    const last = free.at(-1)
    const mayBeOfOthers = use !== 'read' && count < names.length && testCase.expectation === 'accept'
    const kept =
      stateless || !mayBeOfOthers || target === undefined
        ? null
        : await keptReason(target, valuesOf(testCase))
    if (kept !== null) return { missing: kept }
    if (last === undefined) return named([])
    if (free.some(({ parameter }) => fixtures.isGiven(parameter)))
      return fromFixtures(free, count === names.length)
    const isWhole = count === names.length
    // What creates nothing is sent for what others created.
    if (isWhole && isCreator && free.every(({ parameter }) => isKnown(parameter))) return named([])
    // It creates and replaces: every other case does the one, and those beyond the plan create.
    const isNew = testCase.number >= beyondPlan || testCase.number % 2 === 0
    if (isWhole && isNew && isCreator && target !== undefined) return newlyNamed(target, testCase)
    // A case that was sent before shows what it changes only at something that is not like that already.
    const isRepeat = testCase.chain !== undefined && !isCreator
    const own = await instancePool.acquire(last.resource, isWhole ? use : 'read', {
      isUnchanged: isRepeat,
      kind: asking.kind,
    })
    const instance =
      'missing' in own && isWhole && use === 'change' && mayChangeFound(operation)
        ? ((await instancePool.find(last.resource)) ?? own)
        : own
    if (!('missing' in instance)) {
      acquired = instance
      return {
        values: valuesBy(instance, asking.by, nobodysName(model, last.parameter)),
        instance,
        exists: isWhole && !created.isTaken(last.resource, instance.values),
        done: isWhole ? doneWith(instance, testCase) : nothingToDo,
      }
    }
    if (free.every(({ parameter }) => isKnown(parameter))) return named([])
    if (instance.isLeftOut === true && !stateless) return instance
    // Some operations answer whatever they are asked for, so that nothing has to exist.
    const isAnyRight = stateless || creatorOf(last.resource) === null
    return (await madeUp(free, testCase, isKnown)) ?? (isAnyRight ? named([]) : instance)
  }

  const valuesOf = ({ spec }: TestCase): readonly Json[] =>
    names.map(({ parameter }) => spec.parameters[parameter] as Json)

  /** Why what has this name is not changed or removed by whoever sends it by chance; null if it may be. */
  const keptReason = async (resource: Resource, values: readonly Json[]): Promise<string | null> => {
    if (use === 'remove' && isNeeded(values.at(-1) as Json, resource.noun))
      return 'requests of other operations need what has this name, and it would be removed'
    return !created.has(resource, values) && (await mayExist(resource, makerOf, values))
      ? 'something that the run did not create has this name, and it would be changed or removed'
      : null
  }

  /**
   * A name that nothing has, for what nobody could make, in what is around it; null if the path allows no such name. Below what the run has
   * created it may be one that is known.
   */
  const madeUp = async (
    free: readonly PathName[],
    { spec }: TestCase,
    isKnown: (parameter: string) => boolean,
  ): Promise<GivenNames | null> => {
    const outer = free.slice(0, -1)
    const maker = outer.findLast(({ resource }) => creatorOf(resource) !== null)
    const found = maker === undefined ? null : await instancePool.acquire(maker.resource, 'read')
    const isMissing = found !== null && 'missing' in found
    const instance = isMissing ? null : found
    acquired = instance
    const known = instance && valuesBy(instance, asking.by, nobodysName(model, maker?.parameter ?? ''))
    if (use === 'read') return named(known ?? [], instance)
    // What nobody creates, such as an account that every token has, keeps the names that are made up.
    const around =
      known ?? (isMissing ? [] : outer.map(({ parameter }) => spec.parameters[parameter] as Json))
    const rest = free
      .slice(around.length)
      .map(({ parameter }) =>
        instance?.isOwn === true && isKnown(parameter) ? spec.parameters[parameter] : fresh(model, parameter),
      )
    // Nobody should lose a resource because it has the name that is made up.
    return rest.includes(undefined) ? null : named([...around, ...(rest as Json[])], instance)
  }

  const fromFixtures = async (free: readonly PathName[], isWhole: boolean): Promise<GivenNames | Missing> => {
    const last = free.at(-1)?.parameter ?? ''
    const taken = isWhole && use === 'remove' ? last : null
    const values = await namesFromFixtures(operation, fixtures, instancePool, free, taken)
    if ('missing' in values) return values
    const done = (outcome: Outcome): void => {
      if (taken !== null && fixtures.isGiven(last) && !isDone(outcome))
        fixtures.putBack(last, values.at(-1) as Json)
    }
    return {
      values,
      instance: null,
      exists: isWhole && fixtures.isGiven(last),
      done: isWhole ? done : nothingToDo,
    }
  }

  const newlyNamed = async ({ parent }: Resource, testCase: TestCase): Promise<GivenNames | Missing> => {
    const found = parent === null ? null : await instancePool.acquire(parent, 'read')
    const isMissing = found !== null && 'missing' in found
    if (isMissing && !stateless && parent !== null && creatorOf(parent) !== null) return found
    const instance = isMissing ? null : found
    // What nobody creates, such as an account that every token has, keeps the names that are made up.
    const outer = instance?.values ?? valuesOf(testCase).slice(0, -1)
    const last = names.at(-1)?.parameter ?? ''
    const name = fresh(model, last) ?? (testCase.spec.parameters[last] as Json)
    return named([...outer, name], instance)
  }

  const isDone = (outcome: Outcome): boolean => hasDone(operation, outcome)

  /**
   * A resource goes on to the next case if it still is what it was: requests that were rejected or not served, whole updates, and actions that it
   * takes again and again leave one. After a crash it is at least there, and more need not be for what is rejected.
   */
  const doneWith =
    (instance: Instance, { expectation }: TestCase) =>
    (outcome: Outcome, sent: TestCase): void => {
      const status = statusOf(outcome)
      const isMissed = isNotFound(outcome, expectation === 'accept' ? instance.values : [])
      if (use === 'read') {
        if (isMissed) instancePool.drop(instance)
        return
      }
      const isRejected =
        status >= 400 && !isMissed && (expectation === 'reject' || leavesAsIs.includes(status))
      const isUpdated =
        expectation === 'accept' && (isItem || asking.isRepeatable) && use === 'change' && isDone(outcome)
      if (isRejected) instancePool.release(instance, 'none')
      if (!isUpdated) return
      const after = nameAfter(instance, sent.spec.body, outcome)
      if (typeof after !== 'object') instancePool.release(instance, after === 'kept' ? 'values' : 'name')
    }

  return {
    given,
    /** The property by which the resource is named, if it exists. */
    property: ({ instance, exists }: GivenNames): string | null =>
      instance === null || !exists
        ? null
        : typeof asking.by === 'object'
          ? asking.by.property
          : instance.property,
    otherNames: (): readonly string[] => (acquired === null ? [] : otherNamesOf(acquired, use === 'read')),
    askBy: (way: AskedBy): void => {
      asking.by = way
    },
    askForKind: (asked: InstanceKind): boolean => {
      const isOwn = acquired?.isOwn === true
      asking.kind = isOwn ? asked : 'plain'
      return isOwn
    },
    setRepeatable: (): void => {
      asking.isRepeatable = true
    },
    isAction: use === 'change' && !isItem,
  }
}
