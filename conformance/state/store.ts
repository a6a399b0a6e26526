import { header, type Json, type Operation, requestPatterns, resourcesOf } from '../../spec/index.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { type RunOptions, tokenFor } from '../options/run-options.ts'
import type { Binder } from '../pool/instance.ts'
import type { Pool } from '../pool/pool.ts'
import { createBinder } from './binder.ts'
import { createChainRunner } from './chains.ts'
import type { CreatedInstances } from './created-instances.ts'
import { type Maker, sendNamed } from './creator.ts'
import { createFreshNames } from './fresh-names.ts'
import type { InstancePool } from './instance-pool.ts'
import { createInstancePool } from './instance-pool.ts'
import { type Around, createListedNames } from './listed-names.ts'
import type { OtherUser } from './other-steps.ts'

/** What a run knows of the resources on the server. */
export type Store = {
  /** Null if the requests of the operation need nothing that exists. */
  readonly binderOf: (model: OperationModel) => Binder | null
  readonly makerOf: (operation: string) => Maker
  readonly instancePool: InstancePool
  /** Looks after what has one of the names that the document lists. */
  readonly around: Around
  /** The ETag of what has these names in the path of an operation, as it is read now; null if it has none. */
  readonly tagOf: (model: OperationModel, values: readonly Json[]) => Promise<string | null>
  /** Whatever exists may have been removed: new resources are made from now on. */
  readonly forget: () => void
}

/** `created`: where what the run creates is kept, also across sessions; `reserved`: names that
 * cases about the parameters of paths send; `other`: another user, null if none is known; `pool`: what is known of names. */
export const createStore = (
  run: RunOptions,
  makerOf: (operation: string) => Maker,
  created: CreatedInstances,
  reserved: ReadonlySet<string>,
  other: () => OtherUser | null,
  pool: Pick<Pool, 'isNeeded' | 'wasThereBefore'>,
): Store => {
  const { contract, seed, fixtures, createdNames, stateless, include, keep } = run
  const included = requestPatterns(contract, include, '--include')
  const graph = resourcesOf(contract)
  const names = createFreshNames(seed)
  const instancePool = createInstancePool(
    makerOf,
    created,
    reserved,
    resource => {
      // Some have only operations on what belongs to them.
      const usual = resource.read ?? resource.remove ?? resource.change ?? resource.replace
      for (const operation of usual === null ? contract.operations : [usual]) {
        const name = graph.namesIn(operation).find(each => each.resource === resource)
        if (name !== undefined) return names(makerOf(operation.id).model, name.parameter)
      }
      return undefined
    },
    createdNames,
    pool,
  )
  const runChain = createChainRunner({ graph, instancePool, names, makerOf, other })
  const mayChangeFound = (operation: Operation): boolean =>
    included.some(pattern => pattern.matchesOperation(operation))
  const options = {
    graph,
    instancePool,
    names,
    fixtures,
    runChain,
    makerOf,
    created,
    stateless,
    mayChangeFound,
    isNeeded: pool.isNeeded,
  }
  return {
    binderOf: model => createBinder(model, { ...options, token: tokenFor(run, model.operation).value }),
    makerOf,
    instancePool,
    around: createListedNames({
      ...{ graph, operations: contract.operations, created, makerOf, stateless, keep, mayChangeFound },
    }),
    tagOf: async ({ operation }, values) => {
      const read = graph.namesIn(operation).at(-1)?.resource.read
      const sent = read == null ? null : await sendNamed(makerOf(read.id), values)
      return sent?.outcome.kind === 'response' ? header(sent.outcome.response.headers, 'etag') : null
    },
    forget: instancePool.forget,
  }
}
