import type { Contract, Json, Operation, Outcome, Resource } from '../../spec/index.ts'
import type { ChainStep, RequestSpec, StepRole } from '../cases/case.ts'
import { shown } from '../judge/chain-observation.ts'
import { hasDone, isRefusal } from '../judge/expected-status.ts'
import { isSameInstance } from '../judge/judge-ownership.ts'
import { summary } from '../judge/observation-text.ts'
import type { Instance } from '../pool/instance.ts'
import { asOther } from '../send/as-other.ts'
import { ChainInterrupted, type Maker, type Missing, OtherRejected } from './creator.ts'
import type { InstancePool } from './instance-pool.ts'
import { listSteps } from './list-pages.ts'

/** Whoever sends as another user than that of the run: with resources of its own, and operations that send with its token. */
export type OtherUser = {
  readonly makerOf: (operation: string) => Maker
  readonly instancePool: InstancePool
  /** What it created to show that it is accepted, by the shape of the resource. */
  readonly own: Map<string, Promise<Instance | Missing>>
  /** It may have a resource of the run from now on, and has to remove it then. */
  readonly mayHave: (instance: Instance) => void
  /** Why its token could not be renewed; null if nothing went wrong. */
  readonly problem: () => string | null
}

/** What a chain does as another user. Each step throws ChainInterrupted if the chain cannot go on. */
export type OtherSteps = {
  /** Shows that it is accepted: it creates a resource of its own and reads it, or lists those that there are. */
  readonly prove: () => Promise<void>
  /** Reads a resource, or sends the request that the case is about. */
  readonly readAsOther: (values: readonly Json[]) => Promise<void>
  readonly actAsOther: (instance: Instance) => Promise<void>
  /** Asks for a resource before it is tried to be changed: the other user may have something of its own by this name. */
  readonly hasNoneOfThisName: (instance: Instance) => Promise<void>
  readonly listAsOther: (instance: Instance) => Promise<void>
}

type OtherStepsOptions = {
  readonly contract: Contract
  readonly other: OtherUser | null
  readonly resource: Resource
  readonly read: Operation
  readonly operation: Operation
  /** That of the case. */
  readonly spec: RequestSpec
  readonly steps: ChainStep[]
  readonly plainSpec: (maker: Maker) => RequestSpec
  readonly send: (
    role: StepRole,
    maker: Maker,
    spec: RequestSpec,
    values: readonly Json[],
    property: string | null,
  ) => Promise<Outcome>
}

export const createOtherSteps = ({
  contract,
  other,
  resource,
  read,
  operation,
  spec,
  steps,
  plainSpec,
  send,
}: OtherStepsOptions): OtherSteps => {
  const otherUser = (): OtherUser => {
    if (other === null) throw new OtherRejected('no other user is known: give its token with --other-token')
    return other
  }
  const plainly = (role: StepRole, of: Operation, values: readonly Json[]): Promise<Outcome> => {
    const maker = otherUser().makerOf(of.id)
    return send(role, maker, plainSpec(maker), values, null)
  }
  /** What it created itself, once for all chains, as long as it is there. */
  const ownOne = (): Promise<Instance | Missing> => {
    const { own, instancePool } = otherUser()
    const known = own.get(resource.shape) ?? instancePool.create(resource, 'plain')
    own.set(resource.shape, known)
    return known
  }
  const prove = async (): Promise<void> => {
    const { own, problem } = otherUser()
    const instance = await ownOne()
    if (!('missing' in instance)) {
      steps.push(
        ...instance.steps.map(step => ({ ...step, request: asOther(step.request), role: 'own' as const })),
      )
      const outcome = await plainly('own', read, instance.values)
      if (hasDone(read, outcome)) return
      own.delete(resource.shape)
      throw new OtherRejected(
        `${read.id} answered ${summary(outcome)} to the other user for what it created itself, so a refusal shows nothing`,
      )
    }
    own.delete(resource.shape)
    if (resource.list !== null && resource.parent === null) {
      const outcome = await plainly('own', resource.list, [])
      if (hasDone(resource.list, outcome)) return
    }
    throw new OtherRejected(
      `the other user is not accepted, so a refusal shows nothing: ${problem() ?? instance.missing}`,
    )
  }
  /** Of what else the request may be rejected for, nothing is known. */
  const decided = (of: Operation, outcome: Outcome): void => {
    if (hasDone(of, outcome)) {
      if (outcome.kind === 'response' && outcome.response.status === 202 && of !== read)
        throw new ChainInterrupted(`${of.id} answered 202: what it does is not done yet`)
      return
    }
    if (isRefusal(outcome) || (outcome.kind === 'response' && outcome.response.status >= 500)) return
    throw new ChainInterrupted(
      `${of.id} answered ${summary(outcome)} to the other user, which may be for something else: 401, 403 or 404 would say that it is kept out`,
    )
  }
  /** A server may count for each user, so that another has something of its own by this name, which is not the run's to change. */
  const hasNoneOfThisName = async ({ values }: Instance): Promise<void> => {
    const outcome = await plainly('as-other', read, values)
    const [last] = steps.slice(-1)
    if (hasDone(read, outcome) && !isSameInstance({ contract, resource, read, steps }, shown(last, resource)))
      throw new ChainInterrupted(
        `the other user has a ${resource.noun} of its own by the same name, and it would be changed or removed`,
      )
  }
  return {
    prove,
    readAsOther: async values => decided(read, await plainly('as-other', read, values)),
    hasNoneOfThisName,
    actAsOther: async instance => {
      const { makerOf, mayHave } = otherUser()
      const maker = makerOf(operation.id)
      const { values, property } = instance
      const outcome = await send('as-other', maker, maker.sender.freshSpec(spec), values, property)
      if (hasDone(operation, outcome) && operation !== resource.remove) mayHave(instance)
      decided(operation, outcome)
    },
    listAsOther: async instance => {
      const { list } = resource
      if (list === null) throw new ChainInterrupted(`no operation lists the ${resource.noun}`)
      const maker = otherUser().makerOf(list.id)
      const problem = await listSteps(resource, maker.model, plainSpec(maker), instance, (page, values) =>
        send('as-other', maker, page, values, null),
      )
      const last = steps.at(-1)?.outcome
      if (problem !== null && !(last !== undefined && isRefusal(last))) throw new ChainInterrupted(problem)
    },
  }
}
