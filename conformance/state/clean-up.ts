import { type NoteEvent, type Resource, shortText } from '../../spec/index.ts'
import { isAbsence } from '../judge/expected-status.ts'
import { summary } from '../judge/observation-text.ts'
import { type RunOptions, requestsInFlight } from '../options/run-options.ts'
import type { Thing } from '../things/thing.ts'
import { type CreatedThings, nameText } from './created-things.ts'
import { mayExist, sendNamed } from './maker.ts'
import type { Store } from './store.ts'

export type CleanUpOptions = {
  readonly options: RunOptions
  readonly created: CreatedThings
  readonly store: Store
}

/** Removes what a run has created, where the contract has an operation for that. Gives notes about what stays. */
export const cleanUp = async ({ options, created, store }: CleanUpOptions): Promise<readonly NoteEvent[]> => {
  const unnamed = unnamedNotes(created)
  const things = created.all()
  if (things.length === 0) return unnamed
  if (options.keep) return [note('info', `what the run created stays, as --keep says: ${listText(things)}`)]
  const left: { readonly thing: Thing; readonly reason: string }[] = []
  const kept: Thing[] = []
  // What is below something goes first, and a server may remove that with it.
  for (const level of Map.groupBy(things, ({ values }) => values.length).values()) {
    const queue = level.values()
    const worker = async (): Promise<void> => {
      for (const thing of queue) {
        if (thing.resource.remove === null) kept.push(thing)
        else {
          const reason = await remove(thing, store)
          if (reason !== null) left.push({ thing, reason })
        }
      }
    }
    await Promise.all(Array.from({ length: Math.max(1, requestsInFlight(options)) }, worker))
  }
  // A server may have been too busy for it, or have kept one for the sake of another that is gone now.
  for (const each of left.splice(0)) if ((await remove(each.thing, store)) !== null) left.push(each)
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
            `what the run created could not all be removed: ${listText(left.map(({ thing }) => thing))} (${left[0]?.reason})`,
          ),
        ]),
  ]
}

const unnamedNotes = (created: CreatedThings): readonly NoteEvent[] =>
  [...created.nameRest()].map(([operation, count]) =>
    note(
      'warning',
      `${operation} may have created ${count} ${count === 1 ? 'thing' : 'things'} that could not be named, so ${count === 1 ? 'it stays' : 'they stay'}: nothing in the response or the request is what the path takes`,
    ),
  )

const note = (level: NoteEvent['level'], message: string): NoteEvent => ({ type: 'note', level, message })

/** Removes a thing; gives why it is still there, or null. */
const remove = async ({ resource, values }: Thing, { makerOf }: Store): Promise<string | null> => {
  const operation = resource.remove
  if (operation === null) return 'no operation removes it'
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

/** `/things/{id}: 3, 4, 5 and 12 more`, for each kind of thing. */
const listText = (things: readonly Thing[]): string =>
  [...Map.groupBy(things, ({ resource }) => resource)]
    .map(([resource, all]) => `${pathText(resource)} ${namesText(all)}`)
    .join('; ')

const pathText = ({ path }: Resource): string => `${path}:`

const namesText = (things: readonly Thing[]): string => {
  const names = things
    .slice(0, mostNames)
    .map(({ values }) => values.map(value => shortText(nameText(value))).join('/'))
  const more = things.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
