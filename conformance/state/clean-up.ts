import { type Json, type NoteEvent, type Resource, shortText } from '../../spec/index.ts'
import { isAbsence } from '../judge/expected-status.ts'
import { summary } from '../judge/observation-text.ts'
import { type RunOptions, requestsInFlight } from '../options/run-options.ts'
import type { Instance } from '../pool/instance.ts'
import { nameText } from '../pool/is-named.ts'
import type { Pool } from '../pool/pool.ts'
import type { CreatedInstances } from './created-instances.ts'
import { mayExist, sendNamed } from './creator.ts'
import type { Store } from './store.ts'

export type CleanUpOptions = {
  readonly options: RunOptions
  readonly created: CreatedInstances
  readonly store: Store
}

/** Removes what a run has created, where the contract has an operation for that. Gives notes about what stays. */
export const cleanUp = async ({ options, created, store }: CleanUpOptions): Promise<readonly NoteEvent[]> => {
  const unnamed = [...unnamedNotes(created), ...lostNotes(created), ...doubtfulNotes(created)]
  const instances = created.all()
  if (instances.length === 0) return unnamed
  if (options.keep)
    return [note('info', `what the run created stays, as --keep says: ${listText(instances)}`)]
  const left: { readonly instance: Instance; readonly reason: string }[] = []
  const kept: Instance[] = []
  const queue = instances.values()
  const worker = async (): Promise<void> => {
    for (const instance of queue) {
      if (instance.resource.remove === null) kept.push(instance)
      else {
        const reason = await remove(instance, store)
        if (reason !== null) left.push({ instance, reason })
      }
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, requestsInFlight(options)) }, worker))
  // A server may have been too busy for it, or have kept one for the sake of another that is gone now.
  for (const each of left.splice(0)) if ((await remove(each.instance, store)) !== null) left.push(each)
  return [
    ...unnamed,
    ...(kept.length === 0
      ? []
      : [
          note(
            'info',
            `what the run created stays, as no operation of the contract removes it: ${listText(kept)}`,
          ),
        ]),
    ...(left.length === 0
      ? []
      : [
          note(
            'warning',
            `what the run created could not all be removed: ${listText(left.map(({ instance }) => instance))} (${left[0]?.reason})`,
          ),
        ]),
  ]
}

/** So many resources of a kind that a run has made and needs no more are left on the server. */
const mostLeft = 300

/** To look for them takes a moment if there are many. */
const msBetween = 1000

/** A case that still asks for something that is older than so many times the limit for a response has no time left. */
const timesOld = 3

/**
 * Removes, in the middle of a run, what it made and needs no more, if there is much of it: each may be a process, or fill a table that every
 * list is made from. The oldest go first, one at a time; a kind that is not removed is left to the end.
 */
export const createThinning = ({
  options,
  created,
  store,
  pool,
}: CleanUpOptions & { readonly pool: Pool }): (() => Promise<void>) => {
  const isNeeded = ({ resource, values }: Instance): boolean =>
    pool.isNeeded(values.at(-1) as Json, resource.noun)
  const unremovable = new Set<Resource>()
  let isBusy = false
  let next = 0
  return async () => {
    if (isBusy || options.keep || options.stateless || performance.now() < next) return
    isBusy = true
    next = performance.now() + msBetween
    try {
      for (const instance of created.surplus(mostLeft, options.timeoutMs * timesOld)) {
        const { resource, values } = instance
        if (unremovable.has(resource) || store.instancePool.isHeld(instance) || isNeeded(instance)) continue
        const since = performance.now()
        if ((await remove(instance, store)) !== null) unremovable.add(resource)
        else created.remove(resource, values, since)
      }
    } finally {
      isBusy = false
    }
  }
}

const unnamedNotes = (created: CreatedInstances): readonly NoteEvent[] =>
  [...created.nameRest()].map(([operation, count]) =>
    note(
      'warning',
      `${operation} may have created ${count} ${count === 1 ? 'resource' : 'resources'} that could not be named, so ${count === 1 ? 'it stays' : 'they stay'}: nothing in the response or the request is what the path takes`,
    ),
  )

const lostNotes = (created: CreatedInstances): readonly NoteEvent[] =>
  [...created.lost()].map(([operation, count]) =>
    note(
      'warning',
      `${operation} gave no response to ${count} valid ${count === 1 ? 'request' : 'requests'}: if the server created something all the same, it stays`,
    ),
  )

const doubtfulNotes = (created: CreatedInstances): readonly NoteEvent[] =>
  [...created.doubtful()].map(([operation, names]) =>
    note(
      'warning',
      `${operation} accepted ${[...names].slice(0, mostNames).map(shortText).join(', ')}: nothing shows that this was not there before, so it stays`,
    ),
  )

const note = (level: NoteEvent['level'], message: string): NoteEvent => ({ type: 'note', level, message })

/** Removes a resource; gives why it is still there, or null. */
const remove = async (instance: Instance, { makerOf }: Store): Promise<string | null> => {
  const { resource, renamedFrom } = instance
  const operation = resource.remove
  if (operation === null) return 'no operation removes it'
  // A response that shows another name may also be about another resource, which is not the run's.
  const isRenamed = renamedFrom !== undefined && !(await mayExist(resource, makerOf, renamedFrom))
  const values = isRenamed ? instance.values : (renamedFrom ?? instance.values)
  const sent = await sendNamed(makerOf(operation.id), values)
  if (sent === null) return `no valid request can be made for ${operation.id}`
  const { outcome, missing } = sent
  if (missing !== undefined) return missing
  const status = outcome.kind === 'response' ? outcome.response.status : 500
  if (status < 400 || isAbsence(status)) return null
  // Some servers say of what does not exist that nobody may remove it.
  const isGone = status < 500 && resource.read !== null && !(await mayExist(resource, makerOf, values))
  return isGone ? null : `${operation.id} answered ${summary(outcome)}`
}

const mostNames = 20

/** `/plants/{id}: 3, 4, 5 and 12 more`, for each kind of resource. */
const listText = (instances: readonly Instance[]): string =>
  [...Map.groupBy(instances, ({ resource }) => resource)]
    .map(([resource, all]) => `${pathText(resource)} ${namesText(all)}`)
    .join('; ')

const pathText = ({ path }: Resource): string => `${path}:`

const namesText = (instances: readonly Instance[]): string => {
  const names = instances
    .slice(0, mostNames)
    .map(({ values }) => values.map(value => shortText(nameText(value))).join('/'))
  const more = instances.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
