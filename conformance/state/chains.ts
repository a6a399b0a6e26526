import {
  creatorOf,
  header,
  type Json,
  locatedName,
  type Outcome,
  propertyIn,
  resourcesOf,
  type StateName,
} from '../../spec/index.ts'
import type { SpareStep, TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { itemNamed } from '../judge/chain-observation.ts'
import { isRefusal } from '../judge/expected-status.ts'
import { doubtOf } from '../judge/state-doubts.ts'
import { type ChainRun, type Instance, valuesAfter } from '../pool/instance.ts'
import { isAbsence, isNotFound } from '../pool/rejection-words.ts'
import { type ChainOptions, type ChainSteps, createChainSteps, type RunSteps } from './chain-steps.ts'
import { conditionChains } from './condition-chains.ts'
import { ChainInterrupted, OtherRejected } from './creator.ts'
import { keyChains } from './key-chains.ts'

const isCreation = ({ operation, resource }: ChainSteps): boolean => operation === creatorOf(resource)

/** The steps that the chain of a case can do without. One about a neighbour needs one of the two. */
export const spareSteps = (
  { contract, operation }: OperationModel,
  { obligation }: TestCase,
): readonly SpareStep[] => {
  const { subject } = obligation
  if (subject.kind !== 'state') return []
  const resource = resourcesOf(contract).resources.find(({ path }) => path === subject.path)
  const isStored = subject.name === 'stored' && resource !== undefined && operation !== creatorOf(resource)
  if (subject.name === 'apart') return ['before', 'after']
  return isStored || subject.name === 'gone' || subject.name === 'elsewhere' ? ['first-read'] : []
}

/** Reads a resource by the name that it has after what the case is about. */
const readAgain = async (chain: ChainSteps, instance: Instance): Promise<void> => {
  const { readBack, steps, operation, resource } = chain
  const values = valuesAfter(instance, steps)
  const outcome = await readBack(values ?? instance.values)
  if (values === null && isNotFound(outcome, instance.values))
    throw new ChainInterrupted(
      `${operation.id} may have given the ${resource.noun} another name, and its response does not show which`,
    )
}

/** Creates, reads, does what the case is about, and reads again. */
const readAround: RunSteps = async chain => {
  const { create, readFirst, act, list, operation, resource, has } = chain
  const instance = await create('create')
  if (has('first-read')) await readFirst(instance.values)
  if (operation === resource.list) await list(instance)
  else if (operation !== resource.read) await act(instance.values, instance.property)
  await readAgain(chain, instance)
}

/** The owner reads what another user has tried to get at, before and after. */
const asOther =
  (attempt: (chain: ChainSteps, instance: Instance) => Promise<void>): RunSteps =>
  async chain => {
    const instance = await chain.create('create')
    await chain.readFirst(instance.values)
    await chain.prove()
    await attempt(chain, instance)
    await chain.readBack(instance.values)
  }

const write = async (chain: ChainSteps, instance: Instance): Promise<void> => {
  await chain.hasNoneOfThisName(instance)
  await chain.readFirst(instance.values)
  await chain.actAsOther(instance)
}

const writeAsOther = asOther(write)

const createAndList: RunSteps = async ({ create, list }) => list(await create('create'))

/** What each chain sends: the last request shows whether the obligation is met. */
export const chains: Readonly<Record<StateName, RunSteps>> = {
  'read-back': async ({ createBySubject, readBack, trust }) => {
    const instance = await createBySubject()
    const outcome = await readBack(instance.values)
    if (outcome.kind === 'response' && isAbsence(outcome.response.status)) await trust(instance)
  },
  location: async ({ createBySubject, readBack, resource }) => {
    const { steps, values } = await createBySubject()
    const outcome = steps.at(-1)?.outcome
    if (outcome?.kind !== 'response' || header(outcome.response.headers, 'location') === null)
      throw new ChainInterrupted('the response has no Location')
    const name = locatedName(resource, outcome.response)
    if (name === undefined) throw new ChainInterrupted('the Location leads to another path')
    await readBack([...values.slice(0, -1), name])
  },
  stored: async chain => {
    const { create, createBySubject, act, readFirst, has } = chain
    if (isCreation(chain)) return readFirst((await createBySubject()).values)
    const instance = await create('other')
    // A cache may have it now.
    if (has('first-read')) await readFirst(instance.values)
    await act(instance.values, instance.property)
    await readAgain(chain, instance)
  },
  apart: async chain => {
    const { create, createBySubject, act, readFirst, readBack, has } = chain
    const neighbours = (['before', 'after'] as const).filter(has)
    if (isCreation(chain)) {
      const first = await createBySubject()
      await readFirst(first.values)
      const others = await Promise.all(neighbours.map(() => create('other')))
      const names = [first, ...others].map(({ values }) => JSON.stringify(values))
      if (new Set(names).size < names.length) return
      for (const { values } of others) await readBack(values, 'read-other')
      await readBack(first.values)
      return
    }
    // A server may confuse a resource with the one before it, and with the one after it.
    const before = has('before') ? [await create('other')] : []
    const instance = await create('create')
    const others = [...before, ...(has('after') ? [await create('other')] : [])]
    for (const { values } of others) await readFirst(values, 'read-other')
    await act(instance.values, instance.property)
    for (const { values } of others) await readBack(values, 'read-other')
  },
  rejected: async chain => {
    const { create, refuse, readFirst, readBack, outerValues, resource, steps } = chain
    if (isCreation(chain)) {
      const outer = await outerValues(resource)
      await refuse(outer, null)
      const name = propertyIn(resource, steps.at(-1)?.sent)
      if (name === undefined) throw new ChainInterrupted('the request names nothing')
      await readBack([...outer, name])
      return
    }
    const instance = await create('create')
    await readFirst(instance.values)
    await refuse(instance.values, instance.property)
    await readBack(instance.values)
  },
  'unknown-parent': async ({ resource, outerValues, unusedName, send }) => {
    const { parent } = resource
    if (parent === null) throw new ChainInterrupted('it is below nothing')
    await send([...(await outerValues(parent)), unusedName(parent)], null)
  },
  unchanged: readAround,
  unknown: async ({ resource, outerValues, unusedName, readBack }) => {
    await readBack([...(await outerValues(resource)), unusedName(resource)])
  },
  elsewhere: async ({ resource, create, readFirst, readBack, has }) => {
    if (resource.parent === null) throw new ChainInterrupted('it is below nothing')
    const instance = await create('create')
    const other = await create('parent', resource.parent)
    if (has('first-read')) await readFirst(instance.values)
    await readBack([...other.values, instance.values.at(-1) as Json], 'read-other')
  },
  contains: createAndList,
  items: createAndList,
  kept: readAround,
  repeated: async chain => {
    const { create, act, readFirst, steps } = chain
    const instance = await create('create')
    await act(instance.values, instance.property)
    const values = valuesAfter(instance, steps) ?? instance.values
    await readFirst(values)
    await act(values, instance.property)
    await readAgain(chain, instance)
  },
  gone: readAround,
  unlisted: async ({ create, act, list }) => {
    const instance = await create('create')
    await act(instance.values, null)
    await list(instance)
  },
  again: async ({ create, act, send }) => {
    const instance = await create('create')
    await act(instance.values, null)
    await send(instance.values, null)
  },
  'other-read': asOther(({ readAsOther }, { values }) => readAsOther(values)),
  'other-list': asOther(async ({ list, listAsOther, steps, resource }, instance) => {
    await list(instance)
    if (itemNamed(resource, steps.slice(-1), instance.values.at(-1)) === undefined)
      throw new ChainInterrupted(`${resource.list?.id} does not list it to the user who created it either`)
    await listAsOther(instance)
  }),
  'other-replace': writeAsOther,
  'other-change': writeAsOther,
  'other-remove': writeAsOther,
  'other-refused': asOther(async (chain, instance) => {
    await write(chain, instance)
    const tried = chain.steps.at(-1)
    if (tried === undefined || !isRefusal(tried.outcome))
      throw new ChainInterrupted(`${chain.operation.id} does not refuse the request of the other user`)
  }),
  ...keyChains,
  ...conditionChains,
}

/** Runs the chain of one case. `note` has to see every request that may create or remove something. */
export type ChainRunner = (
  model: OperationModel,
  testCase: TestCase,
  note: (testCase: TestCase, outcome: Outcome) => void,
) => Promise<ChainRun>

export const createChainRunner =
  (options: ChainOptions): ChainRunner =>
  async (model, sentBefore, note) => {
    // If the case comes again, it has the chain of the time before, whose resources are not those of this one.
    const { chain: _, ...testCase } = sentBefore
    const { subject } = testCase.obligation
    if (subject.kind !== 'state') throw new Error(`${testCase.obligation.id} has no chain`)
    const resource = options.graph.resources.find(({ path }) => path === subject.path)
    if (resource?.read == null) return { kind: 'missing', reason: `nothing reads ${subject.path}` }
    const chain = createChainSteps(options, model, testCase, resource, resource.read, note)
    try {
      await chains[subject.name](chain)
    } catch (error) {
      if (!(error instanceof ChainInterrupted)) throw error
      const isUnproven = error instanceof OtherRejected ? ({ isUnproven: true } as const) : {}
      return { kind: 'missing', reason: error.message, ...isUnproven }
    }
    const { steps } = chain
    const last = steps.at(-1)
    if (last === undefined) return { kind: 'missing', reason: 'nothing was sent' }
    const seen = { contract: model.contract, resource, read: resource.read, steps }
    const doubt = doubtOf(seen, subject.name)
    if (doubt !== null) return { kind: 'missing', reason: doubt }
    return {
      kind: 'done',
      testCase: { ...testCase, request: last.request, chain: { steps, values: [], exists: false } },
      outcome: last.outcome,
    }
  }
