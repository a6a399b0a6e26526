import { setTimeout as delay } from 'node:timers/promises'
import { creatorOf, type NoteEvent, type Resource, shortText } from '../../spec/index.ts'
import { summary } from '../judge/observation-text.ts'
import { type RunOptions, requestsInFlight } from '../options/run-options.ts'
import type { Scope } from '../options/scope.ts'
import type { Instance } from '../pool/instance.ts'
import { nameText } from '../pool/is-named.ts'
import { isAbsence } from '../pool/rejection-words.ts'
import { is503, isThrottled } from '../send/patient-send.ts'
import type { CreatedInstances } from './created-instances.ts'
import { mayExist, sendNamed } from './creator.ts'
import type { Store } from './store.ts'

export type CleanUpOptions = {
  readonly options: RunOptions
  readonly scope: Pick<Scope, 'acting'>
  readonly gate: { readonly isClosed: () => boolean }
  readonly created: CreatedInstances
  readonly store: Store
}

/** What is still there, and why; `isBusy`: the server says that it cannot serve anything now. */
type Left = { readonly instance: Instance; readonly reason: string; readonly isBusy: boolean }

/** Removes what a run has created, where the contract has an operation for that. Gives notes about what stays. */
export const cleanUp = async (session: CleanUpOptions): Promise<readonly NoteEvent[]> => {
  const { options, created } = session
  const unnamed = [...unnamedNotes(created), ...lostNotes(created), ...doubtfulNotes(created)]
  const instances = created.all()
  if (instances.length === 0) return unnamed
  if (options.keep)
    return [note('info', `what the run created stays, as --keep says: ${listText(instances)}`)]
  const kept = instances.filter(({ resource }) => resource.remove === null)
  const removable = instances.filter(({ resource }) => resource.remove !== null)
  const isActing = isActingIn(session.scope)
  // What acts by itself may keep the server too busy for anything else as long as it is there.
  const left = [
    ...(await removeAll(removable.filter(isActing), session)),
    ...(await removeAll(
      removable.filter(instance => !isActing(instance)),
      session,
    )),
  ]
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

/** Whether a resource acts by itself: a trigger, a schedule, a subscription. */
export const isActingIn =
  ({ acting }: Pick<Scope, 'acting'>) =>
  ({ resource }: { readonly resource: Resource }): boolean =>
    acting.has(creatorOf(resource)?.id ?? '')

/** As long as a busy server removes something now and then, it is asked again; after so many milliseconds without that, no more. */
const longestInVain = 5000
const msBetween = 100

/**
 * Removes several at a time; gives what is still there. A server may have been too busy for some, or have kept one for the sake of another that is gone
 * now: these are tried again, one after the other.
 */
const removeAll = async (
  instances: readonly Instance[],
  { options, gate, store }: CleanUpOptions,
): Promise<readonly Left[]> => {
  let succeededAt = performance.now()
  const isInVain = (): boolean => gate.isClosed() || performance.now() - succeededAt > longestInVain
  const removeEach = async (all: Iterable<Left>): Promise<readonly Left[]> => {
    const left: Left[] = []
    for (const one of all) {
      const reason = one.isBusy && isInVain() ? one : await remove(one.instance, store)
      if (reason === null) succeededAt = performance.now()
      else left.push({ ...reason, instance: one.instance })
    }
    return left
  }
  const queue = instances.map(instance => ({ instance, reason: '', isBusy: false })).values()
  const workers = Math.max(1, requestsInFlight(options))
  const first = await Promise.all(Array.from({ length: workers }, () => removeEach(queue)))
  succeededAt = performance.now()
  let left = await removeEach(first.flat())
  while (left.some(({ isBusy }) => isBusy) && !isInVain()) {
    await delay(msBetween)
    left = await removeEach(left)
  }
  return left
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
export const remove = async (
  instance: Instance,
  { makerOf }: Store,
): Promise<Omit<Left, 'instance'> | null> => {
  const { resource, renamedFrom } = instance
  const operation = resource.remove
  const because = (reason: string, isBusy = false): Omit<Left, 'instance'> => ({ reason, isBusy })
  if (operation === null) return because('no operation removes it')
  // A response that shows another name may also be about another resource, which is not the run's.
  const isRenamed = renamedFrom !== undefined && !(await mayExist(resource, makerOf, renamedFrom))
  const values = isRenamed ? instance.values : (renamedFrom ?? instance.values)
  const sent = await sendNamed(makerOf(operation.id), values)
  if (sent === null) return because(`no valid request can be made for ${operation.id}`)
  const { outcome, missing } = sent
  const isBusy = is503(outcome) || isThrottled(outcome)
  if (missing !== undefined) return because(missing, isBusy)
  const status = outcome.kind === 'response' ? outcome.response.status : 500
  if (status < 400 || isAbsence(status)) return null
  // Some servers say of what does not exist that nobody may remove it.
  const isGone = status < 500 && resource.read !== null && !(await mayExist(resource, makerOf, values))
  return isGone ? null : because(`${operation.id} answered ${summary(outcome)}`, isBusy)
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
