import type { Json, Resource } from '../../spec/index.ts'
import { type Instance, namesIn } from '../pool/instance.ts'
import { nameText } from '../pool/is-named.ts'
import type { Pool } from '../pool/pool.ts'
import { type CleanUpOptions, isActingIn, remove } from './clean-up.ts'

/** So many resources of a kind that a run has made and needs no more are left on the server; of what acts by itself, none. */
const mostLeft = { ordinary: 6, acting: 0 } as const
/** What is needed no more is looked for so often, in milliseconds. */
const every = 100
/** So many of it are removed after a case: more than one case creates, so that there is never much of it. */
const atATime = 2
/** After so many removals in a row that failed, a kind is left to the end of the run. */
const mostFailures = 3

export type EarlyRemoval = {
  /** A case begins. */
  readonly begin: () => () => Promise<void>
}

/**
 * Removes, in the middle of a run, what it made and needs no more: each may be a process, or fill a table that every list is made from, and a run that
 * has to end in time has no time to remove thousands. The oldest of a kind go first. What nobody holds, and nothing refers to that somebody holds, is
 * removed once all cases have ended that were under way by then: one of them may have had it.
 */
export const createEarlyRemoval = ({
  options,
  scope,
  created,
  store,
  pool,
}: CleanUpOptions & { readonly pool: Pool }): EarlyRemoval => {
  const underWay = new Set<{ readonly since: number }>()
  const waiting: { readonly instance: Instance; readonly since: number; readonly end: () => void }[] = []
  const chosen = new WeakSet<Instance>()
  const failures = new Map<Resource, number>()
  const isActing = isActingIn(scope)
  let [next, idleUntil] = [0, 0]

  const isGivenUp = (resource: Resource): boolean => (failures.get(resource) ?? 0) >= mostFailures

  const held = (): ReadonlySet<string> =>
    new Set(store.instancePool.held().flatMap(instance => [nameOf(instance), ...namesIn(instance)]))

  const choose = (): void => {
    const since = performance.now()
    if (since < next) return
    next = since + every
    const surplus = created.surplus(resource =>
      isActing({ resource }) ? mostLeft.acting : mostLeft.ordinary,
    )
    if (surplus.length === 0) return
    const used = held()
    for (const instance of surplus) {
      const { resource, values } = instance
      if (chosen.has(instance) || isGivenUp(resource) || used.has(nameOf(instance))) continue
      if (pool.isNeeded(values.at(-1) as Json, resource.noun)) continue
      chosen.add(instance)
      waiting.push({ instance, since, end: store.instancePool.retire(instance) })
    }
  }

  const removeSome = async (): Promise<void> => {
    for (let count = 0; count < atATime && performance.now() >= idleUntil; count++) {
      const [first] = waiting
      const [oldest] = underWay
      if (first === undefined || (oldest !== undefined && oldest.since <= first.since)) return
      waiting.shift()
      const { instance } = first
      const { resource, values } = instance
      // Another one may have its name by now, and a case may have that.
      const isGone = created.get(resource, values) !== instance
      if (isGivenUp(resource) || isGone || held().has(nameOf(instance))) {
        chosen.delete(instance)
        first.end()
        continue
      }
      const since = performance.now()
      const left = await remove(instance, store)
      if (left === null) {
        failures.delete(resource)
        created.remove(resource, values, since)
        first.end()
      } else if (left.isBusy) {
        waiting.push(first)
        idleUntil = performance.now() + every
      } else failures.set(resource, (failures.get(resource) ?? 0) + 1)
    }
  }

  return {
    begin: () => {
      const testCase = { since: performance.now() }
      underWay.add(testCase)
      return async () => {
        underWay.delete(testCase)
        if (options.keep || options.stateless) return
        choose()
        await removeSome()
      }
    },
  }
}

const nameOf = ({ values }: Instance): string => nameText(values.at(-1) as Json)
