/** What a chain shows that a right server may do as well, for reasons that no document has to name: then nobody is accused. */
import {
  header,
  isArray,
  isNumber,
  isObject,
  isServerOwned,
  type Json,
  type JsonObject,
  numberText,
  plural,
  propertyIn,
  type StateName,
  statusOf,
} from '../../spec/index.ts'
import type { ChainStep } from '../cases/case.ts'
import { isNamed } from '../pool/is-named.ts'
import { innerIds } from '../pool/shown.ts'
import {
  bodyOf,
  createdNames,
  exists,
  givenBefore,
  isMarked,
  listed,
  ofRole,
  type Seen,
  sentBy,
  short,
  shown,
  storedBy,
} from './chain-observation.ts'
import { type Difference, differenceIn, differencesIn } from './kept-properties.ts'

/**
 * Why a chain does not decide, with a way out; null if it does. What a name is usually for is a guess, so that what the server does against
 * it shows no fault by itself.
 */
export const doubtOf = (seen: Seen, name: StateName): string | null =>
  searchDoubt(seen) ?? doubtOfName(seen, name)

/** A read that answers with a list is a search, which may leave out what its parameters do not ask for. */
const searchDoubt = ({ steps, resource }: Seen): string | null => {
  const read = ofRole(steps, 'read', 'read-other').findLast(({ outcome }) => statusOf(outcome) < 300)
  const body = read === undefined ? undefined : bodyOf(read)
  return read === undefined || body === undefined || !isArray(body) || body.length === 1
    ? null
    : `${read.operation} answers with a list of ${plural(body.length, 'item')}, so it does not show what became of the ${resource.noun}`
}

const doubtOfName = (seen: Seen, name: StateName): string | null => {
  switch (name) {
    case 'stored':
      return storedDoubt(seen, shown(ofRole(seen.steps, 'read').at(-1), seen.resource))
    case 'items':
      return storedDoubt(seen, listed(seen))
    case 'gone':
      return removalDoubt(seen, ofRole(seen.steps, 'read').at(-1))
    case 'unlisted':
      return removalDoubt(seen, undefined)
    case 'unchanged':
    case 'kept':
      return countingDoubt(seen)
    case 'if-same':
      return tagDoubt(seen)
    case 'apart':
      return givenNameDoubt(seen) ?? sharingDoubt(seen)
    default:
      return null
  }
}

/**
 * The response to what stored a resource may say what became of it. If it says nothing of a property, and the others were kept, then the server
 * may have its own idea of that one: trimmed, in lower case, computed. What is not there at all is lost: the document says that it is given.
 */
const storedDoubt = (seen: Seen, given: Json | undefined): string | null => {
  const writes = ofRole(seen.steps, 'subject')
  const created = ofRole(seen.steps, 'create', 'other').at(-1)
  const stored = storedBy(seen, writes.length > 0 ? writes : created === undefined ? [] : [created])
  const lost = differencesIn(stored, given)
  const names = Object.keys(stored)
  if (lost.length === 0 || (lost.length === names.length && names.length > 1)) return null
  const said = shown(writes.at(-1) ?? created, seen.resource)
  const first = writes.length > 0 ? ofRole(seen.steps, 'read')[0] : undefined
  const before = first === undefined ? undefined : shown(first, seen.resource)
  const isOwn = (property: string): boolean =>
    !has(said, property) &&
    !(first !== undefined && isKept(storedBy(seen, created === undefined ? [] : [created]), before, property))
  const [property] = lost.map(({ name }) => name)
  const isDoubtful = ({ name, expected, actual }: Difference): boolean =>
    actual !== undefined && (isOwn(name) || (!has(said, name) && isNormalForm(expected, actual)))
  if (property === undefined || !lost.every(isDoubtful)) return null
  return `\`${property}\` is not read as it was sent, and the response that stored it does not say what became of it: declare it readOnly if the server has its own value, or let that response show it`
}

/** Whether a text differs in its case and white space alone, or in how its characters are composed. */
const isNormalForm = (sent: Json, given: Json | undefined): boolean =>
  typeof sent === 'string' && typeof given === 'string' && plainText(sent) === plainText(given)

const plainText = (text: string): string => text.normalize('NFKC').replace(/\s+/gu, ' ').trim().toLowerCase()

const has = (value: Json | undefined, name: string): boolean =>
  value !== undefined && isObject(value) && Object.hasOwn(value, name)

const isKept = (stored: JsonObject, given: Json | undefined, name: string): boolean => {
  const value = stored[name]
  return value !== undefined && differenceIn({ [name]: value }, given) === null
}

/** What was removed is still found, with what was sent, but something else has changed: a property of any name may mark it as removed. */
const removalDoubt = (seen: Seen, read: ChainStep | undefined): string | null => {
  const { steps, resource } = seen
  const before = shown(ofRole(steps, 'read')[0] ?? ofRole(steps, 'create').at(-1), resource)
  const after =
    read === undefined ? listed(seen) : exists(seen.read, read) ? shown(read, resource) : undefined
  if (before === undefined || after === undefined || !isObject(before) || !isObject(after)) return null
  const isSame = (name: string): boolean => has(after, name) && short(before[name]) === short(after[name])
  if (isMarked(before, after) || !createdNames(seen, 'create').every(isSame)) return null
  const [changed, ...others] = Object.keys(after).filter(name => !isSame(name) && !isServerOwned(name))
  // A list may have more of a resource than the response that created it.
  if (read === undefined && others.length > 0) return null
  return changed === undefined
    ? null
    : `the removed ${resource.noun} is still found, with another value of \`${changed}\`, which may say that it is removed: call it \`deleted\`, or answer 404`
}

/** A number that went up, or an instant that moved on, with each change may be one that the server counts. */
const countingDoubt = (seen: Seen): string | null => {
  const reads = ofRole(seen.steps, 'read')
  const last = ofRole(seen.steps, 'subject').at(-1)
  const sent = last === undefined ? undefined : sentBy(seen, last)
  const left = createdNames(seen, 'create').filter(name => !has(sent, name))
  const before = givenBefore(left, reads[0], seen.resource)
  const lost = differencesIn(before, shown(reads.at(-1), seen.resource))
  const [first] = lost
  if (first === undefined || !lost.every(({ expected, actual }) => hasMovedOn(expected, actual))) return null
  return `\`${first.name}\` went from ${short(first.expected)} to ${short(first.actual)}, which a server that counts does as well: declare it readOnly if it does`
}

/** Both resources have the same inside them, such as sessions of one kernel: one may go with the other. */
const sharingDoubt = ({ steps, resource: { noun } }: Seen): string | null => {
  const [first, ...others] = ofRole(steps, 'create', 'other').map(step => [
    ...innerIds(step.sent),
    ...innerIds(bodyOf(step)),
  ])
  const shared = first?.find(id => others.some(ids => ids.includes(id)))
  return shared === undefined
    ? null
    : `the other ${noun} contains ${shared} as well, and may be removed with it`
}

/** Both requests had the name that both resources have, such as that of a group which both belong to: then the server gave none. */
const givenNameDoubt = ({ steps, resource }: Seen): string | null => {
  const { noun } = resource
  const given = ofRole(steps, 'create', 'other').map(({ name, sent }) => {
    const own = isObject(sent) ? propertyIn(resource, sent) : undefined
    return isNamed(own, name) ? own : undefined
  })
  const same = given.find(
    (name, index) => name !== undefined && given.slice(0, index).some(other => isNamed(name, other)),
  )
  return same === undefined
    ? null
    : `the requests called each ${noun} ${short(same)} themselves, so that this may be no name of its own`
}

/** The server gave another ETag than the one before: what it is asked about has changed for it, whoever changed it. */
const tagDoubt = ({ steps, resource }: Seen): string | null => {
  const [before, after] = [ofRole(steps, 'read').at(-1), ofRole(steps, 'subject').at(-1)].map(step =>
    step?.outcome.kind === 'response' ? header(step.outcome.response.headers, 'etag') : null,
  )
  return before == null || after == null || before === after
    ? null
    : `the ETag of the ${resource.noun} changed from ${before} to ${after} although nothing was written, so that nothing is known of the condition`
}

const instant = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/

const hasMovedOn = (before: Json, after: Json | undefined): boolean => {
  if (after === undefined) return false
  if (isNumber(before) && isNumber(after)) return Number(numberText(after)) === Number(numberText(before)) + 1
  if (typeof before !== 'string' || typeof after !== 'string') return false
  return instant.test(before) && instant.test(after) && Date.parse(after) > Date.parse(before)
}
