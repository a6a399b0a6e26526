import {
  isObject,
  propertyIn,
  type ResponseViolation,
  resourcesOf,
  type StateName,
} from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { isNamed } from '../things/is-named.ts'
import {
  answer,
  compared,
  createdNames,
  isMarked,
  isThere,
  listed,
  notFound,
  ofRole,
  othersAfter,
  type Problem,
  type Seen,
  sameAsFirst,
  short,
  shown,
  status,
  stillFound,
  storedBy,
} from './seen-chain.ts'

/** Judges a chain by what it sent and got: the same for a recorded one. Null if the obligation is met. */
export const judgeState = (
  { contract }: OperationModel,
  { obligation, chain }: TestCase,
): ResponseViolation | null => {
  const { subject, id } = obligation
  if (subject.kind !== 'state' || chain === undefined) return null
  const resource = resourcesOf(contract).resources.find(({ path }) => path === subject.path)
  if (resource?.read == null) return null
  const problem = problems[subject.name]({ contract, resource, read: resource.read, steps: chain.steps })
  return problem === null ? null : { id, ...problem }
}

const problems: Readonly<Record<StateName, (seen: Seen) => Problem | null>> = {
  'read-back': seen => notFound(seen, ofRole(seen.steps, 'read').at(-1), 'for what was just created'),
  stored: seen => {
    const writes = ofRole(seen.steps, 'subject')
    const stored = storedBy(seen, writes.length > 0 ? writes : ofRole(seen.steps, 'create').slice(-1))
    const last = ofRole(seen.steps, 'read').at(-1)
    return (
      notFound(seen, last, 'for what was just stored') ??
      compared(stored, shown(last, seen.resource), 'when it was read')
    )
  },
  apart: seen => {
    const names = ofRole(seen.steps, 'create', 'other').map(({ name }) => name)
    const twice = names.find((name, index) => names.slice(0, index).some(other => isNamed(name, other)))
    if (twice !== undefined && seen.resource.create !== null)
      return {
        expected: 'a name for each',
        actual: `${short(twice)} for two of them`,
        title: `gave two things the same name (${short(twice)})`,
      }
    if (ofRole(seen.steps, 'subject').length > 0)
      return othersAfter(seen, 'for another thing after the request')
    const lost = ofRole(seen.steps, 'read-other').find(step => !isThere(seen.read, step))
    if (lost !== undefined) return notFound(seen, lost, 'for a thing after another one was created')
    return sameAsFirst(
      seen,
      ofRole(seen.steps, 'read'),
      createdNames(seen, 'create'),
      'after another one was created',
    )
  },
  location: seen => {
    const last = ofRole(seen.steps, 'read').at(-1)
    const missing = notFound(seen, last, 'for the Location of what was created')
    if (missing !== null || last === undefined) return missing
    const name = propertyIn(seen.resource, shown(last, seen.resource))
    const created = ofRole(seen.steps, 'create').at(-1)?.name
    return name === undefined || isNamed(name, created)
      ? null
      : {
          expected: `the thing that was created: ${short(created)}`,
          actual: `another one: ${short(name)}`,
          title: 'gave the Location of another thing',
        }
  },
  rejected: seen =>
    ofRole(seen.steps, 'create').length === 0
      ? stillFound(seen, ofRole(seen.steps, 'read').at(-1), 'for what it had refused to create')
      : sameAsFirst(
          seen,
          ofRole(seen.steps, 'read'),
          createdNames(seen, 'create'),
          'after a request that was rejected',
        ),
  'unknown-parent': ({ steps }) => {
    const last = ofRole(steps, 'subject').at(-1)
    const isRefused =
      last?.outcome.kind === 'response' &&
      last.outcome.response.status >= 400 &&
      last.outcome.response.status < 500
    return last === undefined || isRefused
      ? null
      : {
          expected: 'a 4xx status: what it is below does not exist',
          actual: answer(last.outcome),
          title: `${status(last.outcome)} below something that does not exist`,
        }
  },
  unchanged: seen =>
    sameAsFirst(seen, ofRole(seen.steps, 'read'), createdNames(seen, 'create'), 'after it was only read'),
  unknown: seen => stillFound(seen, ofRole(seen.steps, 'read').at(-1), 'for a name that nothing has'),
  elsewhere: seen =>
    stillFound(seen, ofRole(seen.steps, 'read-other').at(-1), 'for a thing below another one than its own'),
  contains: seen => {
    const last = ofRole(seen.steps, 'list').at(-1)
    return last === undefined || listed(seen) !== undefined
      ? null
      : {
          expected: `an item with ${seen.resource.names[0]} ${short(ofRole(seen.steps, 'create').at(-1)?.name)}`,
          actual: answer(last.outcome),
          title: 'did not list what was created',
        }
  },
  items: seen => {
    const item = listed(seen)
    const stored = storedBy(seen, ofRole(seen.steps, 'create').slice(-1))
    // A list may give less of each thing.
    const given = item !== undefined && isObject(item) ? item : {}
    return compared(
      Object.fromEntries(Object.entries(stored).filter(([name]) => given[name] !== undefined)),
      item,
      'in the list',
    )
  },
  kept: seen => {
    const sent = ofRole(seen.steps, 'subject').at(-1)?.sent
    if (sent === undefined || !isObject(sent)) return null
    const left = createdNames(seen, 'create').filter(name => !Object.hasOwn(sent, name))
    return sameAsFirst(seen, ofRole(seen.steps, 'read'), left, 'after a change that left it out')
  },
  repeated: seen => {
    const [first] = ofRole(seen.steps, 'subject')
    const names = first === undefined ? [] : Object.keys(storedBy(seen, [first]))
    return sameAsFirst(seen, ofRole(seen.steps, 'read'), names, 'after the same request came twice')
  },
  gone: seen => {
    const reads = ofRole(seen.steps, 'read')
    const problem = stillFound(seen, reads.at(-1), 'for what was removed')
    if (problem === null || reads.at(-1) === undefined) return problem
    return isMarked(shown(reads[0], seen.resource), shown(reads.at(-1), seen.resource)) ? null : problem
  },
  unlisted: seen => {
    const item = listed(seen)
    const last = ofRole(seen.steps, 'list').at(-1)
    const created = ofRole(seen.steps, 'create').at(-1)
    return item === undefined || last === undefined || isMarked(shown(created, seen.resource), item)
      ? null
      : { expected: 'a list without it', actual: answer(last.outcome), title: 'listed what was removed' }
  },
  again: ({ steps }) => {
    const last = ofRole(steps, 'subject').at(-1)
    const isFine = last?.outcome.kind === 'response' && last.outcome.response.status < 500
    return last === undefined || isFine
      ? null
      : {
          expected: 'an answer that it is gone',
          actual: answer(last.outcome),
          title: `${status(last.outcome)} when it was asked to remove a thing a second time`,
        }
  },
}
