/** What the steps of a chain show of a resource that another user has tried to get at. */
import { isObject, type Json, statusOf } from '../../spec/index.ts'
import type { ChainStep, TestCase } from '../cases/case.ts'
import {
  answer,
  answeredFor,
  at,
  createdNames,
  isDoneStep,
  isMarked,
  ofRole,
  type Problem,
  type Seen,
  sameAsFirst,
  shown,
  storedBy,
} from './chain-observation.ts'
import { isRefusal } from './expected-status.ts'
import { differenceIn } from './kept-properties.ts'

/** Whether another user has tried anything: a recorded case that is judged again has no steps. */
export const hasTried = ({ chain }: TestCase): boolean => ofRole(chain?.steps ?? [], 'as-other').length > 0

const attemptOf = ({ steps }: Seen): ChainStep | undefined => ofRole(steps, 'as-other').at(-1)

/**
 * Whether what another user was given is the resource, and not one of its own of the same name, as on a server that counts for each: most of
 * what can be compared is the same.
 */
export const isSameInstance = (seen: Seen, given: Json | undefined): boolean => {
  if (given === undefined) return true
  if (!isObject(given)) return false
  const stored = storedBy(seen, ofRole(seen.steps, 'create').slice(-1))
  const names = Object.keys(stored).filter(name => given[name] !== undefined)
  if (names.length === 0) return Object.keys(given).length > 0
  const same = names.filter(name => differenceIn({ [name]: stored[name] as Json }, given) === null)
  return same.length * 2 > names.length
}

/** That another user got what it should not. */
export const ofOther = (seen: Seen, did: string, whom: string): Problem | null => {
  const tried = attemptOf(seen)
  return tried === undefined
    ? null
    : {
        at: tried,
        expected: `${tried.operation} keeps out another user: 401, 403 or 404, or without it in a list`,
        actual: answer(tried.outcome),
        title: `${tried.operation} ${did} the ${seen.resource.noun} of one user ${whom}`,
      }
}

/** Whether the owner does not read what it read before. */
const isChanged = (seen: Seen): boolean => {
  const reads = ofRole(seen.steps, 'read')
  return (
    sameAsFirst(seen, reads, createdNames(seen, 'create'), '') !== null ||
    isMarked(shown(reads[0], seen.resource), shown(reads.at(-1), seen.resource))
  )
}

/** That the attempt of another user made the server fail, or changed what it was not to change. */
export const brokenForOther = (seen: Seen): Problem | null => {
  const tried = attemptOf(seen)
  if (tried?.outcome.kind !== 'response') return null
  const { noun } = seen.resource
  if (tried.outcome.response.status >= 500)
    return {
      at: tried,
      expected: 'a status below 500',
      actual: answer(tried.outcome),
      title: answeredFor(tried, `the ${noun} of another user`),
      kind: failedKind,
    }
  return sameAsFirst(
    seen,
    ofRole(seen.steps, 'read'),
    createdNames(seen, 'create'),
    `after another user had asked ${tried.operation} for it`,
  )
}

/** What stands for a problem that shows neither that a resource is shared nor that it is not. */
export const failedKind = 'failed'

/** Whether what another user asked for was done: a success alone may be about something of its own. */
export const writtenByOther = (seen: Seen, did: string): Problem | null => {
  const tried = attemptOf(seen)
  if (tried === undefined) return null
  if (isDoneStep(seen, tried)) return isChanged(seen) ? ofOther(seen, did, 'for another') : null
  // What is refused and takes effect all the same is another matter.
  return isRefusal(tried.outcome) ? null : brokenForOther(seen)
}

export const refusedInVain = (seen: Seen): Problem | null => {
  const tried = attemptOf(seen)
  if (tried === undefined || !isRefusal(tried.outcome) || !isChanged(seen)) return null
  const { noun } = seen.resource
  const after = `after ${tried.operation} had refused it to another user`
  const found = at(
    ofRole(seen.steps, 'read').at(-1),
    sameAsFirst(seen, ofRole(seen.steps, 'read'), createdNames(seen, 'create'), after),
  )
  return {
    expected: found?.expected ?? `the ${noun} as it was`,
    actual: found?.actual ?? `the ${noun} is marked as removed`,
    title: `${tried.operation} refused the ${noun} of one user to another (${statusOf(tried.outcome)}), and did what was asked all the same`,
  }
}
