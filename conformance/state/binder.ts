import {
  createsByName,
  creatorOf,
  endsInName,
  type Json,
  type Outcome,
  type PathName,
  type Resource,
  type ResourceGraph,
} from '../../spec/index.ts'
import { beyondPlan, type TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { hasDone, isAbsence } from '../judge/expected-status.ts'
import type { Fixtures } from '../options/fixtures.ts'
import { caseWith, freeNames, isInvalidName, isOfOperation, specWith, useOf } from '../pool/bound-spec.ts'
import {
  type AskedBy,
  type Binder,
  chainOf,
  type Instance,
  otherNamesOf,
  valuesBy,
} from '../pool/instance.ts'
import type { ChainRunner } from './chain-runner.ts'
import type { CreatedInstances } from './created-instances.ts'
import { type Maker, type Missing, mayExist } from './creator.ts'
import { fixturesOf, namesFromFixtures, removedBy, withFixtureHint, withFixtures } from './fixtures.ts'
import { type FreshNames, nobodysName, ofNobody } from './fresh-names.ts'
import type { InstancePool } from './instance-pool.ts'

export type BinderOptions = {
  readonly graph: ResourceGraph
  readonly instancePool: InstancePool
  readonly names: FreshNames
  readonly fixtures: Fixtures
  readonly token: () => string
  readonly runChain: ChainRunner
  readonly makerOf: (operation: string) => Maker
  readonly created: CreatedInstances
  /** Whether the server keeps nothing: then any name will do. */
  readonly stateless: boolean
}

/** What a case is given to ask for: values for its path, from the left, and who has to know what came of it. */
type Given = {
  readonly values: readonly Json[]
  readonly instance: Instance | null
  readonly exists: boolean
  readonly done: (outcome: Outcome) => void
}

const nothingToDo = (): void => {}

/** Statuses of what was rejected for its form, or not served: the resource is what it was. */
const leavesAsIs: readonly number[] = [400, 415, 422, 429, 503]

/** With names that nothing has as yet; what is not among the values, the case has of itself. */
const named = (values: readonly Json[], instance: Instance | null = null): Given => ({
  values,
  instance,
  exists: false,
  done: nothingToDo,
})

/** Null if the operation neither names what exists, nor creates or lists what others name. */
export const createBinder = (
  model: OperationModel,
  {
    graph,
    instancePool,
    names: fresh,
    fixtures: all,
    token,
    runChain,
    makerOf,
    created,
    stateless,
  }: BinderOptions,
): Binder | null => {
  const { operation } = model
  const names = graph.namesIn(operation)
  const creates = graph.createdBy(operation)
  const isItem = names.length > 0 && endsInName(operation.path)
  const use = useOf(model, graph, isItem)
  const removed = removedBy(operation, names)
  const fixtures = fixturesOf(all, operation.id, model.parameters, removed)
  const hasFixtures = model.parameters.some(({ parameter }) => fixtures.isGiven(parameter.name))
  const isList = graph.resources.some(({ list }) => list === operation)
  if (names.length === 0 && creates === null && !isList && !hasFixtures) return null
  const target = names.at(-1)?.resource
  const isCreator = target !== undefined && createsByName(target, operation)

  let acquired: Instance | null = null
  let askedBy: AskedBy = 'name'
  let isRepeatable = false

  const given = async (
    testCase: TestCase,
    isKnown: (parameter: string) => boolean,
  ): Promise<Given | Missing> => {
    const count = freeNames(names, testCase)
    const free = names.slice(0, count)
    const last = free.at(-1)
    const mayBeOfOthers = use !== 'read' && count < names.length && testCase.expectation === 'accept'
    if (!stateless && mayBeOfOthers && target !== undefined && (await isOfOthers(target, valuesOf(testCase))))
      return {
        missing: 'something that the run did not create has this name, and it would be changed or removed',
      }
    if (last === undefined) return named([])
    if (free.some(({ parameter }) => fixtures.isGiven(parameter)))
      return fromFixtures(free, count === names.length)
    const isWhole = count === names.length
    // It creates and replaces: every other case does the one, and those beyond the plan create.
    const isNew = testCase.number >= beyondPlan || testCase.number % 2 === 0
    if (isWhole && isNew && isCreator && target !== undefined) return newlyNamed(target, testCase)
    // A case that was sent before shows what it changes only at something that is not like that already.
    const isRepeat = testCase.chain !== undefined && !isCreator
    const instance = await instancePool.acquire(last.resource, isWhole ? use : 'read', isRepeat)
    if (!('missing' in instance)) {
      acquired = instance
      return {
        values: valuesBy(instance, askedBy, nobodysName(model, last.parameter)),
        instance,
        exists: isWhole && !created.isTaken(last.resource, instance.values),
        done: isWhole ? doneWith(instance, testCase) : nothingToDo,
      }
    }
    if (free.every(({ parameter }) => isKnown(parameter))) return named([])
    if (instance.isLeftOut === true && !stateless) return instance
    // Some operations answer whatever they are asked for, so that nothing has to exist.
    const isAnyRight = stateless || creatorOf(last.resource) === null
    return (await madeUp(free, testCase)) ?? (isAnyRight ? named([]) : instance)
  }

  const valuesOf = ({ spec }: TestCase): readonly Json[] =>
    names.map(({ parameter }) => spec.parameters[parameter] as Json)

  /** Whether something that the run did not create has this name. */
  const isOfOthers = async (resource: Resource, values: readonly Json[]): Promise<boolean> =>
    !created.has(resource, values) && (await mayExist(resource, makerOf, values))

  /** A name that nothing has, for what nobody could make, in what is around it; null if the path allows no such name. */
  const madeUp = async (free: readonly PathName[], { spec }: TestCase): Promise<Given | null> => {
    const outer = free.slice(0, -1)
    const maker = outer.findLast(({ resource }) => creatorOf(resource) !== null)
    const found = maker === undefined ? null : await instancePool.acquire(maker.resource, 'read')
    const isMissing = found !== null && 'missing' in found
    const instance = isMissing ? null : found
    if (use === 'read') return named(instance?.values ?? [], instance)
    // What nobody creates, such as an account that every token has, keeps the names that are made up.
    const around =
      instance?.values ?? (isMissing ? [] : outer.map(({ parameter }) => spec.parameters[parameter] as Json))
    const rest = free.slice(around.length).map(({ parameter }) => fresh(model, parameter))
    // Nobody should lose a resource because it has the name that is made up.
    return rest.includes(undefined) ? null : named([...around, ...(rest as Json[])], instance)
  }

  const fromFixtures = async (free: readonly PathName[], isWhole: boolean): Promise<Given | Missing> => {
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

  const newlyNamed = async ({ parent }: Resource, testCase: TestCase): Promise<Given | Missing> => {
    const found = parent === null ? null : await instancePool.acquire(parent, 'read')
    const isMissing = found !== null && 'missing' in found
    if (isMissing && !stateless && parent !== null && creatorOf(parent) !== null) return found
    const instance = isMissing ? null : found
    // What nobody creates, such as an account that every token has, keeps the names that are made up.
    const outer =
      instance?.values ??
      names.slice(0, -1).map(({ parameter }) => testCase.spec.parameters[parameter] as Json)
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
    (outcome: Outcome): void => {
      const status = outcome.kind === 'response' ? outcome.response.status : 0
      const isMissed = isAbsence(status)
      if (use === 'read') {
        if (isMissed) instancePool.drop(instance)
        return
      }
      const isRejected =
        status >= 400 && !isMissed && (expectation === 'reject' || leavesAsIs.includes(status))
      const isUpdated =
        expectation === 'accept' && (isItem || isRepeatable) && use === 'change' && isDone(outcome)
      if (isRejected || isUpdated) instancePool.release(instance, isUpdated)
    }

  const hinted = (reason: string): string => withFixtureHint(reason, graph, operation, names)

  const bind: Binder['bind'] = async (testCase, isKnown) => {
    if (!isOfOperation(model, testCase))
      return {
        ...{ kind: 'bound', testCase: ofNobody(model, names, fresh, testCase, token()) },
        ...{ done: nothingToDo, doneBefore: nothingToDo },
      }
    const found = await given(testCase, isKnown)
    if ('missing' in found) return { kind: 'missing', reason: hinted(found.missing) }
    const { values, instance, exists, done } = found
    const chain = instance === null ? { steps: [], values, exists } : { ...chainOf(instance), values, exists }
    const property =
      instance !== null && exists
        ? typeof askedBy === 'object'
          ? askedBy.property
          : instance.property
        : null
    const { obligation } = testCase
    const renamed = specWith(model, testCase.spec, names, values, property, obligation)
    const spec = hasFixtures ? withFixtures(model, fixtures, renamed, obligation) : renamed
    const bound = caseWith(model, testCase, spec, names.length === 0 ? undefined : chain, token())
    if (bound === null && !stateless && isInvalidName(model, names, values))
      return {
        kind: 'missing',
        reason: hinted(`the name ${JSON.stringify(values.at(-1))} of what exists is not allowed in the path`),
      }
    const sent = bound ?? testCase
    return {
      kind: 'bound',
      testCase: sent,
      done: (outcome, asSent = sent) => {
        done(outcome)
        note(asSent, outcome)
      },
      doneBefore: (outcome, asSent) => note(asSent, outcome),
    }
  }

  const note = (testCase: TestCase, outcome: Outcome): void => {
    if (!isOfOperation(model, testCase) || !isDone(outcome)) return
    const exists = testCase.chain?.exists === true
    const values = names.flatMap(({ parameter }) => testCase.spec.parameters[parameter] ?? [])
    // What exists and has a new value now was not created by that.
    if (creates !== null && (operation.method === 'POST' || !exists))
      instancePool.noteCreation(creates, { ...testCase, chain: { steps: [], values, exists } }, outcome)
    if (isItem && target !== undefined && operation.method === 'DELETE')
      instancePool.noteRemoval(target, values)
  }

  return {
    bind,
    otherNames: () => (acquired === null ? [] : otherNamesOf(acquired, use === 'read')),
    askBy: way => {
      askedBy = way
    },
    isAction: use === 'change' && !isItem,
    setRepeatable: () => {
      isRepeatable = true
    },
    runChain: testCase => runChain(model, testCase, note),
  }
}
