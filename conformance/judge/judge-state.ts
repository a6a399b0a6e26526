import {
  isObject,
  propertyIn,
  type ResponseViolation,
  resourcesOf,
  type StateName,
  violationOf,
} from '../../spec/index.ts'
import type { ChainStep, TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { isNamed, mayBeNamed } from '../pool/is-named.ts'
import {
  answer,
  answeredFor,
  at,
  compared,
  createdNames,
  exists,
  isMarked,
  itemNamed,
  listed,
  notFound,
  ofRole,
  othersAfter,
  type Problem,
  type Seen,
  sameAsFirst,
  sentBy,
  short,
  shown,
  stillFound,
  storedBy,
} from './chain-observation.ts'
import { conditionProblems, keyProblems } from './judge-headers.ts'
import { brokenForOther, isSameInstance, ofOther, refusedInVain, writtenByOther } from './judge-ownership.ts'
import { doubtOf } from './state-doubts.ts'

/** Judges a chain by what it sent and got: the same for a recorded one. Null if the obligation is met. */
export const judgeState = (
  { contract }: OperationModel,
  { obligation, chain }: TestCase,
): ResponseViolation | null => {
  const { subject } = obligation
  if (subject.kind !== 'state' || chain === undefined) return null
  const resource = resourcesOf(contract).resources.find(({ path }) => path === subject.path)
  if (resource?.read == null) return null
  const { steps } = chain
  const seen = { contract, resource, read: resource.read, steps }
  const found = problems[subject.name](seen)
  if (found === null || doubtOf(seen, subject.name) !== null) return null
  const { at: shows, ...problem } = found
  const isLast = shows === undefined || shows === steps.at(-1)
  return violationOf(obligation, { ...problem, ...(isLast ? {} : { step: steps.indexOf(shows) }) })
}

/** The operation that the last of these steps is a request for. */
const requestOf = (steps: readonly ChainStep[]): string => steps.at(-1)?.operation ?? 'the request'

const problems: Readonly<Record<StateName, (seen: Seen) => Problem | null>> = {
  'read-back': seen => notFound(seen, ofRole(seen.steps, 'read').at(-1), `the created ${seen.resource.noun}`),
  stored: seen => {
    const writes = ofRole(seen.steps, 'subject')
    const stored = storedBy(seen, writes.length > 0 ? writes : ofRole(seen.steps, 'create').slice(-1))
    const last = ofRole(seen.steps, 'read').at(-1)
    const { noun } = seen.resource
    return (
      notFound(
        seen,
        last,
        writes.length > 0 ? `the ${noun} after ${requestOf(writes)}` : `the created ${noun}`,
      ) ?? compared(stored, shown(last, seen.resource), seen.read.id)
    )
  },
  apart: seen => {
    const { noun, create } = seen.resource
    const created = ofRole(seen.steps, 'create', 'other')
    const second = created.find(({ name }, index) =>
      created.slice(0, index).some(other => isNamed(name, other.name)),
    )
    const twice = second?.name
    if (twice !== undefined && create !== null)
      return {
        at: second,
        expected: `an identifier of its own for each ${noun}`,
        actual: `${short(twice)} for two of them`,
        title: `gave another ${noun} the same identifier (${short(twice)})`,
      }
    const writes = ofRole(seen.steps, 'subject')
    if (writes.length > 0) return othersAfter(seen, `after ${requestOf(writes)} for another ${noun}`)
    const after = `after another ${noun} was created`
    const lost = ofRole(seen.steps, 'read-other').find(step => !exists(seen.read, step))
    if (lost !== undefined) return at(lost, notFound(seen, lost, `the ${noun} ${after}`))
    return sameAsFirst(seen, ofRole(seen.steps, 'read'), createdNames(seen, 'create'), after)
  },
  location: seen => {
    const { noun } = seen.resource
    const last = ofRole(seen.steps, 'read').at(-1)
    const missing = notFound(seen, last, `the created ${noun} at its Location`)
    if (missing !== null || last === undefined) return missing
    const name = propertyIn(seen.resource, shown(last, seen.resource))
    const created = ofRole(seen.steps, 'create').at(-1)?.name
    return name === undefined || isNamed(name, created)
      ? null
      : {
          expected: `the created ${noun}: ${short(created)}`,
          actual: `another one: ${short(name)}`,
          title: `gave the Location of another ${noun}`,
        }
  },
  rejected: seen =>
    ofRole(seen.steps, 'create').length === 0
      ? stillFound(seen, ofRole(seen.steps, 'read').at(-1), `the rejected ${seen.resource.noun}`)
      : sameAsFirst(
          seen,
          ofRole(seen.steps, 'read'),
          createdNames(seen, 'create'),
          `after a rejected ${requestOf(ofRole(seen.steps, 'subject'))}`,
        ),
  'unknown-parent': ({ steps, resource: { noun, parent } }) => {
    const last = ofRole(steps, 'subject').at(-1)
    const isRefused =
      last?.outcome.kind === 'response' &&
      last.outcome.response.status >= 400 &&
      last.outcome.response.status < 500
    return last === undefined || isRefused
      ? null
      : {
          expected: `a 4xx status: the ${parent?.noun} does not exist`,
          actual: answer(last.outcome),
          title: answeredFor(last, `the new ${noun} below an unknown ${parent?.noun}`),
        }
  },
  unchanged: seen => {
    const { read } = seen
    const reads = ofRole(seen.steps, 'read')
    const between = ofRole(seen.steps, 'list').at(-1)?.operation ?? read.id
    const after = between === read.id ? 'when it was read again' : `after ${between}`
    return sameAsFirst(seen, reads, createdNames(seen, 'create'), after)
  },
  unknown: seen => stillFound(seen, ofRole(seen.steps, 'read').at(-1), `an unknown ${seen.resource.noun}`),
  elsewhere: seen =>
    stillFound(
      seen,
      ofRole(seen.steps, 'read-other').at(-1),
      `the ${seen.resource.noun} below another ${seen.resource.parent?.noun}`,
    ),
  contains: seen => {
    const { noun } = seen.resource
    const last = ofRole(seen.steps, 'list').at(-1)
    return last === undefined || listed(seen, mayBeNamed) !== undefined
      ? null
      : {
          expected: `a list with the created ${noun}: ${short(ofRole(seen.steps, 'create').at(-1)?.name)}`,
          actual: answer(last.outcome),
          title: `${last.operation} did not list the created ${noun}`,
        }
  },
  items: seen => {
    const item = listed(seen)
    const stored = storedBy(seen, ofRole(seen.steps, 'create').slice(-1))
    // A list may give less of each resource.
    const given = item !== undefined && isObject(item) ? item : {}
    return compared(
      Object.fromEntries(Object.entries(stored).filter(([name]) => given[name] !== undefined)),
      item,
      requestOf(ofRole(seen.steps, 'list')),
    )
  },
  kept: seen => {
    const writes = ofRole(seen.steps, 'subject')
    const [last] = writes.slice(-1)
    const sent = last === undefined ? undefined : sentBy(seen, last)
    if (sent === undefined || !isObject(sent)) return null
    const left = createdNames(seen, 'create').filter(name => !Object.hasOwn(sent, name))
    return sameAsFirst(seen, ofRole(seen.steps, 'read'), left, `after ${requestOf(writes)} left it out`)
  },
  repeated: seen => {
    const writes = ofRole(seen.steps, 'subject')
    const names = writes[0] === undefined ? [] : Object.keys(storedBy(seen, [writes[0]]))
    const after = `after the same ${requestOf(writes)} request came twice`
    return sameAsFirst(seen, ofRole(seen.steps, 'read'), names, after)
  },
  gone: seen => {
    const reads = ofRole(seen.steps, 'read')
    const problem = stillFound(seen, reads.at(-1), `the removed ${seen.resource.noun}`)
    if (problem === null || reads.at(-1) === undefined) return problem
    return isMarked(shown(reads[0], seen.resource), shown(reads.at(-1), seen.resource)) ? null : problem
  },
  unlisted: seen => {
    const item = listed(seen)
    const last = ofRole(seen.steps, 'list').at(-1)
    const created = ofRole(seen.steps, 'create').at(-1)
    const removed = `the removed ${seen.resource.noun}`
    return item === undefined || last === undefined || isMarked(shown(created, seen.resource), item)
      ? null
      : {
          expected: `a list without ${removed}`,
          actual: answer(last.outcome),
          title: `${last.operation} listed ${removed}`,
        }
  },
  again: ({ steps, resource: { noun } }) => {
    const last = ofRole(steps, 'subject').at(-1)
    const isFine = last?.outcome.kind === 'response' && last.outcome.response.status < 500
    return last === undefined || isFine
      ? null
      : {
          expected: 'a status below 500',
          actual: answer(last.outcome),
          title: answeredFor(last, `the removed ${noun}`),
        }
  },
  'other-read': seen => {
    const [tried] = ofRole(seen.steps, 'as-other')
    const isGiven = tried !== undefined && exists(seen.read, tried)
    return isGiven && isSameInstance(seen, shown(tried, seen.resource))
      ? ofOther(seen, 'gave', 'to another')
      : brokenForOther(seen)
  },
  'other-list': seen => {
    const item = itemNamed(
      seen.resource,
      ofRole(seen.steps, 'as-other'),
      ofRole(seen.steps, 'create').at(-1)?.name,
    )
    return item !== undefined && isSameInstance(seen, item)
      ? ofOther(seen, 'listed', 'for another')
      : brokenForOther(seen)
  },
  'other-replace': seen => writtenByOther(seen, 'replaced'),
  'other-change': seen => writtenByOther(seen, 'changed'),
  'other-remove': seen => writtenByOther(seen, 'removed'),
  'other-refused': refusedInVain,
  ...keyProblems,
  ...conditionProblems,
}
