import {
  type ConditionName,
  declaredCreatorOf,
  errorCodes,
  header,
  isArray,
  isObject,
  type Json,
  type KeyName,
  namingProperty,
  type Operation,
  type OwnershipName,
  type Resource,
  readJson,
  resourcesOf,
  type StateName,
  type Subject,
  unwrapped,
  writeJson,
} from '../../spec/index.ts'
import { type MockResponse, withHeader } from '../engine/compiled-response.ts'
import type { Context, Handler, Middleware } from '../engine/context.ts'
import type { Engine } from '../engine/engine.ts'
import { judge } from '../engine/judge.ts'
import { reject } from '../engine/reject.ts'
import { pathOf } from '../engine/request.ts'
import { accept } from '../engine/respond.ts'
import { breakConditions, breakKeys } from './headers.ts'
import { otherValues } from './invalidate.ts'
import type { Unbreakable } from './mutation.ts'

/** A valid request for a resource, or for all of them; `write` is one for the operation whose obligation is broken, if that is neither. */
type Event = { readonly at: 'read' | 'list' | 'write' | 'rejected write'; readonly path: string }

type Seen = Event & {
  readonly isFound: boolean
  /** What came before it, the latest first, and since the first read of its path. */
  readonly before: readonly Event[]
  readonly sinceRead: readonly Event[]
}

/** What becomes of a response. */
type Change = 'altered' | 'emptied' | 'moved' | 'crashed' | 'refused' | 'accepted'

const when = (condition: boolean, change: Change): Change | null => (condition ? change : null)

const writesOf = ({ before, path }: Seen): number =>
  before.filter(event => event.at === 'write' && event.path === path).length

/** What a mock keeps, whoever asks and in whatever way. */
type StoredName = Exclude<StateName, OwnershipName | KeyName | ConditionName>

/** Which responses each mutant changes. */
const changes: Readonly<Record<StoredName, (seen: Seen) => Change | null>> = {
  'read-back': ({ at }) => when(at === 'read', 'refused'),
  stored: ({ at }) => when(at === 'read', 'altered'),
  location: ({ at }) => when(at === 'write', 'moved'),
  apart: ({ at, path, sinceRead }) =>
    when(at === 'read' && sinceRead.some(event => event.at === 'write' && event.path !== path), 'altered'),
  rejected: ({ at, path, isFound, sinceRead }) =>
    at === 'read' && !isFound
      ? 'accepted'
      : when(
          at === 'read' && sinceRead.some(event => event.at === 'rejected write' && event.path === path),
          'altered',
        ),
  'unknown-parent': ({ at, isFound }) => when(at === 'write' && !isFound, 'accepted'),
  unchanged: ({ at, path, sinceRead }) =>
    when(
      at === 'read' &&
        sinceRead.some(event => event.at === 'list' || (event.at === 'read' && event.path === path)),
      'altered',
    ),
  unknown: ({ at, isFound }) => when(at === 'read' && !isFound, 'accepted'),
  elsewhere: ({ at, isFound }) => when(at === 'read' && !isFound, 'accepted'),
  contains: ({ at }) => when(at === 'list', 'emptied'),
  items: ({ at }) => when(at === 'list', 'altered'),
  kept: seen => when(seen.at === 'read' && writesOf(seen) > 0, 'altered'),
  repeated: seen => when(seen.at === 'read' && writesOf(seen) > 1, 'altered'),
  // Nothing is removed.
  gone: ({ at }) => when(at === 'write', 'accepted'),
  unlisted: ({ at }) => when(at === 'write', 'accepted'),
  again: ({ at, isFound }) => when(at === 'write' && !isFound, 'crashed'),
}

const isOfOther = (name: StateName): name is OwnershipName => name.startsWith('other-')
const isOfKey = (name: StateName): name is KeyName => name.startsWith('key-')
const isOfCondition = (name: StateName): name is ConditionName => name.startsWith('if-')

/** What a mutant remembers. */
const mostEvents = 10_000

/** Breaks what holds of the resources that a mock keeps. */
export const breakState = (
  engine: Engine,
  operation: Operation,
  { name, path }: Extract<Subject, { kind: 'state' }>,
): Middleware | Unbreakable => {
  const resource = resourcesOf(engine.contract).resources.find(each => each.path === path)
  if (resource === undefined) return { reason: `nothing is known of ${path}` }
  if (isOfOther(name)) return breakOwnership(engine, operation, resource, name)
  if (engine.statefulResponder === null) return { reason: 'the mock keeps nothing without --stateful' }
  if (isOfKey(name)) return breakKeys(engine, operation, name)
  if (isOfCondition(name)) return breakConditions(engine, operation, name)
  const isRemoval = name === 'gone' || name === 'unlisted'
  const events: Event[] = []
  const eventOf = (of: Operation, isValid: boolean, target: string): Event | null => {
    if (of === resource.read) return isValid ? { at: 'read', path: target } : null
    if (of === resource.list) return isValid ? { at: 'list', path: target } : null
    return of === operation ? { at: isValid ? 'write' : 'rejected write', path: target } : null
  }
  return async (context, next) => {
    const judged = judge(engine, context)
    const isValid = judged?.violations.length === 0
    const event = judged === null ? null : eventOf(judged.operation, isValid, pathOf(context.request.target))
    if (judged === null || event === null) return next(context)
    context.scenario = 'break'
    if (isRemoval && event.at === 'write') return accept(engine, judged)
    const response = await next(context)
    const firstRead = events.findIndex(({ at, path: of }) => at === 'read' && of === event.path)
    const seen = {
      ...event,
      isFound: response.status < 400,
      before: [...events],
      sinceRead: firstRead < 0 ? [] : events.slice(firstRead),
    }
    events.push(event)
    if (events.length > mostEvents) events.shift()
    switch (event.at === 'rejected write' ? null : changes[name](seen)) {
      case null:
        return response
      case 'altered':
        return withBody(response, body => altered(body, resource, event.at === 'read'))
      case 'emptied':
        return withBody(response, emptied)
      case 'moved':
        return withHeader(response, 'Location', elsewhere(header(response.headers, 'location')))
      case 'crashed':
        return { ...response, status: 500 }
      case 'refused':
        return reject(engine, judged.operation, 'parameter', {
          code: errorCodes.nothingThere,
          messages: ['lost'],
        })
      case 'accepted':
        return accept(engine, judged)
    }
  }
}

const withBody = (response: MockResponse, change: (body: Json) => Json): MockResponse => {
  const reading = readJson(response.body)
  return response.status < 400 && reading.ok
    ? { ...response, body: Buffer.from(writeJson(change(reading.value))) }
    : response
}

/** The same resources, with other values in all properties but their names. */
const altered = (value: Json, resource: Resource, isInstance: boolean): Json => {
  if (isArray(value)) return value.map(item => altered(item, resource, false))
  if (!isObject(value)) return value
  const name = namingProperty(value, resource.names)
  const inner = unwrapped(value, resource.names)
  const isThis = name !== null || (isInstance && (inner === undefined || inner === value))
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      isThis && key !== name
        ? (otherValues(member).find(other => writeJson(other) !== writeJson(member)) ?? member)
        : altered(member, resource, false),
    ]),
  )
}

const emptied = (value: Json): Json => {
  if (isArray(value)) return []
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, emptied(member)]))
}

/** The same URL with another last character. */
const elsewhere = (location: string | null): string | null =>
  location === null ? null : `${location.slice(0, -1)}${location.endsWith('1') ? '2' : '1'}`

/** Lets every token have what the first one creates: reads, lists, changes or removes it, or only seems to be kept from that. */
const breakOwnership = (
  engine: Engine,
  operation: Operation,
  resource: Resource,
  name: OwnershipName,
): Middleware | Unbreakable => {
  if (engine.statefulResponder?.isPerToken !== true)
    return { reason: 'without --per-token the mock keeps the data of all tokens together' }
  const creator = declaredCreatorOf(resource)
  /** Whose data all tokens get: that of the first who creates something. */
  let first: string | null = null
  /** The paths that it made something at. */
  const made = new Set<string>()
  const asFirst = async (context: Context, next: Handler): Promise<MockResponse> => {
    const own = context.client
    context.client = first
    const response = await next(context)
    context.client = own
    return response
  }
  return async (context, next) => {
    const judged = judge(engine, context)
    if (judged === null || judged.violations.length > 0) return next(context)
    const path = pathOf(context.request.target)
    if (judged.operation === creator) first ??= context.client
    if (context.client === first || first === null || judged.operation !== operation) {
      const response = await next(context)
      if (context.client === first && judged.operation === creator && response.status < 400) made.add(path)
      return response
    }
    context.scenario = 'break'
    if (name === 'other-list') return asFirst(context, next)
    // Where clients choose names, a request for what is not one's own would create it.
    const refusal = made.has(path) ? null : await next(context)
    if (refusal !== null && refusal.status < 400) return refusal
    const done = await asFirst(context, next)
    if (name !== 'other-refused') return done
    const reason = { code: errorCodes.nothingThere, messages: ['it belongs to another user'] }
    return refusal ?? reject(engine, operation, 'parameter', reason)
  }
}
