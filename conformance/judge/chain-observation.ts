/** What the steps of a chain show of a resource. */
import {
  type Contract,
  describeResponse,
  failureText,
  isObject,
  itemsIn,
  type Json,
  type JsonObject,
  type Operation,
  type Outcome,
  type Resource,
  type ResponseViolation,
  readJson,
  unwrapped,
  writeJson,
} from '../../spec/index.ts'
import type { ChainStep } from '../cases/case.ts'
import { isItemNamed } from '../pool/is-named.ts'
import { hasDone } from './expected-status.ts'
import { differenceIn, expectedProperties } from './kept-properties.ts'

export type Seen = {
  readonly contract: Contract
  readonly resource: Resource
  readonly read: Operation
  readonly steps: readonly ChainStep[]
}

/** `at`: the request that shows it, if that is not the last one. */
export type Problem = Pick<ResponseViolation, 'expected' | 'actual' | 'title' | 'kind'> & {
  readonly at?: ChainStep | undefined
}

export const ofRole = (
  steps: readonly ChainStep[],
  ...roles: readonly ChainStep['role'][]
): readonly ChainStep[] => steps.filter(({ role }) => roles.includes(role))

/** Whether the server did what a step asked for. */
export const isDoneStep = ({ contract }: Seen, { operation, outcome }: ChainStep): boolean => {
  const of = contract.operations.find(({ id }) => id === operation)
  return of !== undefined && hasDone(of, outcome)
}

export const exists = (operation: Operation, { outcome }: ChainStep): boolean => hasDone(operation, outcome)

export const answer = (outcome: Outcome): string =>
  outcome.kind === 'response' ? describeResponse(outcome.response) : failureText[outcome.failure]

/** `getPlant answered 404 for the created plant` */
export const answeredFor = ({ operation, outcome }: ChainStep, instance: string): string =>
  outcome.kind === 'response'
    ? `${operation} answered ${outcome.response.status} for ${instance}`
    : `${failureText[outcome.failure]} when ${operation} was asked for ${instance}`

export const bodyOf = ({ outcome }: ChainStep): Json | undefined => {
  const reading = outcome.kind === 'response' ? readJson(outcome.response.body) : null
  return reading?.ok === true ? reading.value : undefined
}

export const shown = (step: ChainStep | undefined, { names }: Resource): Json | undefined => {
  const body = step === undefined ? undefined : bodyOf(step)
  return body === undefined ? undefined : (unwrapped(body, names) ?? body)
}

/** What a request sent of the resource itself: if responses have it in a property such as `data`, and the request has that as well, what is in it. */
export const sentBy = ({ steps, resource }: Seen, { sent }: ChainStep): Json | undefined => {
  if (sent === undefined || !isObject(sent)) return sent
  const inner = steps.flatMap(step => {
    const body = bodyOf(step)
    const instance = body === undefined ? undefined : unwrapped(body, resource.names)
    const isWrapped = instance !== undefined && instance !== body && body !== undefined && isObject(body)
    return isWrapped ? Object.keys(body).filter(key => body[key] === instance) : []
  })
  return inner.map(key => sent[key]).find(value => value !== undefined && isObject(value)) ?? sent
}

/** The properties that the resource of these steps was stored with: those that were created, with what was changed since. */
export const storedBy = (seen: Seen, writes: readonly ChainStep[]): JsonObject =>
  Object.assign(
    {},
    ...writes.map(step =>
      expectedProperties(seen.contract, seen.read, sentBy(seen, step), shown(step, seen.resource)),
    ),
  )

export const short = (value: Json | undefined): string => {
  const text = value === undefined ? 'nothing' : writeJson(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

/** Whether what a step read is as it was stored. `after`: what happened in between, such as `after another plant was created`. */
export const compared = (
  expected: JsonObject,
  actual: Json | undefined,
  operation: string,
  after = '',
): Problem | null => {
  const difference = differenceIn(expected, actual)
  if (difference === null) return null
  const { name, expected: stored, actual: given } = difference
  const when = after === '' ? '' : ` ${after}`
  return {
    expected: `\`${name}\` as it was stored: ${short(stored)}`,
    actual: given === undefined ? `no \`${name}\`` : `${short(given)}`,
    title:
      given === undefined
        ? `${operation} returned no \`${name}\`${when}, although it was stored`
        : `${operation} returned ${short(given)} as \`${name}\`${when}, although ${short(stored)} was stored`,
    kind: given === undefined ? 'absent' : 'another value',
  }
}

/** Whether a step found a resource that is there, such as `the created plant`. */
export const notFound = ({ read }: Seen, step: ChainStep | undefined, instance: string): Problem | null =>
  step === undefined || exists(read, step)
    ? null
    : {
        expected: `${read.id} finds ${instance}`,
        actual: answer(step.outcome),
        title: answeredFor(step, instance),
      }

/** Whether a step found a resource that is not there, such as `the removed plant`. */
export const stillFound = ({ read }: Seen, step: ChainStep | undefined, instance: string): Problem | null => {
  if (step === undefined) return null
  const isFailure = step.outcome.kind === 'response' && step.outcome.response.status >= 500
  if (!exists(read, step) && !isFailure) return null
  return {
    expected: isFailure ? `a 4xx status for ${instance}` : `${read.id} does not find ${instance}`,
    actual: answer(step.outcome),
    title: answeredFor(step, instance),
  }
}

/** Of these properties those that a read gave, with what it gave. */
export const givenBefore = (
  names: readonly string[],
  read: ChainStep | undefined,
  resource: Resource,
): JsonObject => {
  const before = shown(read, resource)
  return before === undefined || !isObject(before)
    ? {}
    : Object.fromEntries(Object.entries(before).filter(([name]) => names.includes(name)))
}

/** Whether the last read of a resource gives what the first one gave, as far as these properties are concerned. */
export const sameAsFirst = (
  seen: Seen,
  reads: readonly ChainStep[],
  names: readonly string[],
  after: string,
): Problem | null =>
  notFound(seen, reads.at(-1), `the ${seen.resource.noun} ${after}`) ??
  compared(
    givenBefore(names, reads[0], seen.resource),
    shown(reads.at(-1), seen.resource),
    seen.read.id,
    after,
  )

/** The names of the properties that a resource was created with. */
export const createdNames = (seen: Seen, role: 'create' | 'other'): readonly string[] =>
  Object.keys(storedBy(seen, ofRole(seen.steps, role)))

/** Whether the other resources of a chain stayed as they were. */
export const othersAfter = (seen: Seen, after: string): Problem | null => {
  const names = createdNames(seen, 'other')
  const byInstance = Map.groupBy(ofRole(seen.steps, 'read-other'), ({ request }) => request.target)
  return (
    [...byInstance.values()]
      .map(reads => at(reads.at(-1), sameAsFirst(seen, reads, names, after)))
      .find(problem => problem !== null) ?? null
  )
}

/** The problem, as one that this step shows. */
export const at = (step: ChainStep | undefined, problem: Problem | null): Problem | null =>
  problem === null ? null : { ...problem, at: step }

/** The item of a list that is the resource; undefined if no page that was read has it. */
export const listed = ({ steps, resource }: Seen, isItem = isItemNamed): Json | undefined =>
  itemNamed(resource, ofRole(steps, 'list'), ofRole(steps, 'create').at(-1)?.name, isItem)

/** The item of this name in the pages of a list; undefined if none has it. */
export const itemNamed = (
  resource: Resource,
  pages: readonly ChainStep[],
  name: Json | undefined,
  isItem = isItemNamed,
): Json | undefined =>
  pages.flatMap(step => itemsIn(bodyOf(step)) ?? []).find(item => isItem(resource, item, name))

const removed = /delet|remov|archiv|trash|disabl|cancel|inactiv|retired/i

/** Whether a property says that a resource was removed: `deleted: true`, `deletedAt: …`, `active: false`, `status: "deleted"`. */
const isMark = ([name, value]: readonly [string, unknown]): boolean => {
  if (/activ|enabl/i.test(name) && !/inactiv/i.test(name)) return value === false
  if (removed.test(name)) return value === true || (typeof value === 'string' && value !== '')
  return /status|state/i.test(name) && typeof value === 'string' && removed.test(value)
}

/** Whether a representation has such a mark, which it did not have before: then the server keeps what it has removed. */
export const isMarked = (before: Json | undefined, after: Json | undefined): boolean =>
  after !== undefined &&
  isObject(after) &&
  Object.entries(after).some(
    ([name, value]) =>
      isMark([name, value]) &&
      (before === undefined || !isObject(before) || short(before[name]) !== short(value as Json)),
  )
