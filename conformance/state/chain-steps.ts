import {
  type Json,
  nameOfCreated,
  namingProperty,
  type Operation,
  type Outcome,
  type Resource,
  type ResourceGraph,
} from '../../spec/index.ts'
import type { ChainStep, RequestSpec, SpareStep, StepRole, TestCase } from '../cases/case.ts'
import { sentValue } from '../cases/encode.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { renderRequest } from '../cases/render.ts'
import { hasDone } from '../judge/expected-status.ts'
import { summary } from '../judge/observation-text.ts'
import { specWith } from '../pool/bound-spec.ts'
import type { Instance } from '../pool/instance.ts'
import { asOther } from '../send/as-other.ts'
import { noNameReason, tooFewNames } from './created-instance.ts'
import { ChainInterrupted, found, type Maker } from './creator.ts'
import type { FreshNames } from './fresh-names.ts'
import type { InstancePool } from './instance-pool.ts'
import { listSteps } from './list-pages.ts'
import { createOtherSteps, type OtherSteps, type OtherUser } from './other-steps.ts'

export type ChainOptions = {
  readonly graph: ResourceGraph
  readonly instancePool: InstancePool
  readonly names: FreshNames
  readonly makerOf: (operation: string) => Maker
  /** Null: only one user is known. */
  readonly other: () => OtherUser | null
}

/** The chain of one case, and what it can do next. Each step throws ChainInterrupted if the chain cannot go on. */
export type ChainSteps = OtherSteps & {
  readonly resource: Resource
  readonly read: Operation
  readonly operation: Operation
  readonly steps: readonly ChainStep[]
  readonly has: (step: SpareStep) => boolean
  /** Creates a resource by a valid request of its own. */
  readonly create: (role: 'create' | 'other' | 'parent', of?: Resource) => Promise<Instance>
  /** Creates a resource by the request that the case is about. */
  readonly createBySubject: () => Promise<Instance>
  readonly readBack: (values: readonly Json[], role?: 'read' | 'read-other') => Promise<Outcome>
  /** Whether what was not found could have been, by such a name. */
  readonly trust: (instance: Instance) => Promise<void>
  /** Reads a resource that other obligations promise to be there. */
  readonly readFirst: (values: readonly Json[], role?: 'read' | 'read-other') => Promise<void>
  /** Sends the request that the case is about. `act`: it has to be accepted; `isRefused`: it must not be. */
  readonly send: (values: readonly Json[], property: string | null) => Promise<Outcome>
  readonly act: (values: readonly Json[], property: string | null) => Promise<void>
  readonly refuse: (values: readonly Json[], property: string | null) => Promise<void>
  readonly list: (instance: Instance) => Promise<void>
  /** The names of what a new resource would be below. */
  readonly outerValues: (of: Resource) => Promise<readonly Json[]>
  /** A name that nothing has. */
  readonly unusedName: (of: Resource) => Json
  readonly makerOf: (operation: string) => Maker
  readonly plainSpec: (maker: Maker) => RequestSpec
  /** The request that the case is about, before it names anything. */
  readonly subjectSpec: () => RequestSpec
  /** The same with other values in its body. */
  readonly varied: (spec: RequestSpec) => RequestSpec
  /** Sends any request, and gives the outcome, whatever it is. */
  readonly request: (
    role: StepRole,
    maker: Maker,
    spec: RequestSpec,
    values: readonly Json[],
    property?: string | null,
  ) => Promise<Outcome>
  /** Reads the whole list below these names; false if that cannot be done. */
  readonly listAll: (outer: readonly Json[]) => Promise<boolean>
}

export type RunSteps = (chain: ChainSteps) => Promise<void>

/** `note` has to see every request that may create or remove something. */
export const createChainSteps = (
  { graph, instancePool, names, makerOf, other }: ChainOptions,
  model: OperationModel,
  testCase: TestCase,
  resource: Resource,
  read: Operation,
  note: (testCase: TestCase, outcome: Outcome) => void,
): ChainSteps => {
  const steps: ChainStep[] = []
  const { operation } = model

  const send = async (
    role: StepRole,
    maker: Maker,
    spec: RequestSpec,
    values: readonly Json[],
    property: string | null = null,
  ): Promise<Outcome> => {
    const { operation: of } = maker.model
    const whole = specWith(maker.model, spec, graph.namesIn(of), values, property, null)
    const sending: TestCase = {
      ...testCase,
      spec: whole,
      request: renderRequest(of, whole),
      precondition: 'none',
    }
    const { outcome, missing, testCase: asSent } = await maker.sender.sendAsIs(sending)
    if (missing !== undefined) throw new ChainInterrupted(missing)
    // Where a server takes each value only once, another one was sent.
    const request = ofOther.has(role) ? asOther(asSent.request) : asSent.request
    const sent = sentValue(of, request)
    const creates = of.method === 'POST' ? graph.createdBy(of) : null
    const name =
      creates === null || outcome.kind === 'failure' || !hasDone(of, outcome)
        ? undefined
        : nameOfCreated(creates, { operation: of, request, response: outcome.response, sent })
    const known = { ...(name === undefined ? {} : { name }), ...(sent === undefined ? {} : { sent }) }
    steps.push({ operation: of.id, request, outcome, role, ...known })
    const done = { ...asSent, chain: { steps: [], values, exists: true } }
    if (of === operation) note(done, outcome)
    else if (creates !== null) instancePool.noteCreation(creates, done, outcome)
    return outcome
  }

  const plainSpec = ({ valid, sender, model: { operation: of } }: Maker): RequestSpec => {
    if (valid === undefined) throw new ChainInterrupted(`no valid request can be made for ${of.id}`)
    return sender.freshSpec(sender.validCase(valid, 'plain').spec)
  }

  const add = (instance: Instance, role: StepRole): Instance => {
    steps.push(
      ...instance.steps.map((step, index) =>
        index === instance.steps.length - 1 ? { ...step, role } : step,
      ),
    )
    return instance
  }

  const unusedName = (of: Resource): Json => {
    const by = makerOf((of.read ?? read).id).model
    const name = names(by, graph.namesIn(by.operation).at(-1)?.parameter ?? '')
    if (name === undefined) throw new ChainInterrupted(tooFewNames(of))
    return name
  }

  const readBack: ChainSteps['readBack'] = (values, role = 'read') => {
    const maker = makerOf(read.id)
    return send(role, maker, plainSpec(maker), values, null)
  }

  const subjectSpec = (): RequestSpec => makerOf(operation.id).sender.freshSpec(testCase.spec)
  const sendSubject: ChainSteps['send'] = (values, property) =>
    send('subject', makerOf(operation.id), subjectSpec(), values, property)

  const readList = async (instance: Pick<Instance, 'values'>): Promise<string | null> => {
    const { list } = resource
    if (list === null) return `no operation lists the ${resource.noun}`
    const maker = makerOf(list.id)
    return listSteps(resource, maker.model, plainSpec(maker), instance, (spec, values) =>
      send('list', maker, spec, values),
    )
  }

  return {
    ...createOtherSteps({
      contract: model.contract,
      other: other(),
      resource,
      read,
      operation,
      spec: testCase.spec,
      steps,
      plainSpec,
      send,
    }),
    resource,
    read,
    operation,
    steps,
    has: step => testCase.leftOut?.includes(step) !== true,
    create: async (role, of = resource) =>
      add(usuallyNamed(found(await instancePool.create(of, 'rich'))), role),
    createBySubject: async () => {
      const { sender, valid } = makerOf(operation.id)
      const fresh = sender.validVariant(testCase, testCase.spec)
      if (fresh === null || valid === undefined) throw new ChainInterrupted('the request is not valid')
      return add(
        usuallyNamed(found(await instancePool.createBy(resource, { ...fresh, obligation: valid }))),
        'create',
      )
    },
    readBack,
    trust: async instance => {
      if (instance.isGuessed) found(await instancePool.acquire(resource, 'read'))
    },
    readFirst: async (values, role) => {
      const outcome = await readBack(values, role)
      if (!hasDone(read, outcome))
        throw new ChainInterrupted(`${read.id} answered ${summary(outcome)} for the created ${resource.noun}`)
    },
    send: sendSubject,
    act: async (values, property) => {
      const outcome = await sendSubject(values, property)
      if (!hasDone(operation, outcome))
        throw new ChainInterrupted(
          `${operation.id} answered ${summary(outcome)} to the valid request of the chain`,
        )
      if (outcome.kind === 'response' && outcome.response.status === 202)
        throw new ChainInterrupted(`${operation.id} answered 202: what it does is not done yet`)
    },
    refuse: async (values, property) => {
      if (hasDone(operation, await sendSubject(values, property)))
        throw new ChainInterrupted(`${operation.id} accepts what is invalid`)
    },
    list: async instance => {
      const problem = await readList(instance)
      if (problem !== null) throw new ChainInterrupted(problem)
    },
    outerValues: async ({ parent }) =>
      parent === null ? [] : found(await instancePool.acquire(parent, 'read')).values,
    unusedName,
    makerOf,
    plainSpec,
    subjectSpec,
    varied: spec => makerOf(operation.id).sender.varied({ ...testCase, spec }).spec,
    request: send,
    listAll: async outer => {
      try {
        return (await readList({ values: [...outer, unusedName(resource)] })) === null
      } catch (error) {
        if (error instanceof ChainInterrupted) return false
        throw error
      }
    },
  }
}

/** The roles of steps that another user takes. */
const ofOther: ReadonlySet<StepRole> = new Set(['own', 'as-other'])

/** A resource that has its usual name: what was found out about names widens what can be asked, and requires nothing. */
const usuallyNamed = (instance: Instance): Instance => {
  const { resource, property, answered, sent } = instance
  const usual = namingProperty(answered ?? sent ?? null, resource.names)
  if (usual !== null && property !== null && usual !== property)
    throw new ChainInterrupted(noNameReason(resource, usual))
  return instance
}
