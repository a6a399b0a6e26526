import type { Contract, Operation } from '../contract/contract.ts'
import { resourcesOf } from './graph.ts'
import { creatorOf, endsInName } from './resource.ts'

/** What an operation may destroy that a client did not create, as the end of a sentence. */
export type Danger = string

/** Words that end sessions or processes: also a GET does that. */
const ending = new Set([
  ...['shutdown', 'restart', 'reboot', 'halt', 'poweroff', 'logout', 'logoff', 'signout', 'signoff'],
  ...['selfdestruct', 'suicide'],
])

/** Words of operations that remove or replace what is there, with any method but those that only read. */
const removing = new Set([
  ...['reset', 'purge', 'wipe', 'truncate', 'drop', 'destroy', 'erase', 'flush', 'clear', 'prune', 'delete'],
  ...['remove', 'uninstall', 'terminate', 'kill', 'cleanup', 'evict', 'password', 'passwd', 'passphrase'],
  ...['revoke', 'expire', 'invalidate', 'deactivate', 'disable', 'rotate', 'regenerate'],
])

/** Words of operations that finish or change what they name, with a POST to no resource. */
const acts = new Set([
  ...['submit', 'complete', 'finish', 'cancel', 'abort', 'stop', 'end', 'close'],
  ...['pause', 'suspend', 'archive', 'approve', 'reject', 'accept', 'decline', 'confirm'],
  ...['resolve', 'claim', 'release', 'assign', 'unassign', 'move', 'rename', 'merge'],
  ...['transfer', 'lock', 'unlock', 'ban', 'kick', 'leave', 'publish', 'unpublish'],
  ...['rollback', 'restore', 'revert', 'replace', 'overwrite', 'update', 'set', 'change'],
  ...['modify', 'edit', 'detach', 'unlink', 'disconnect', 'refund', 'pay', 'withdraw'],
  ...['consume', 'ack'],
])

/** Words of operations on whoever asks, or on what he is known by. */
const ownAccess = new Set([
  ...['otp', 'totp', 'mfa', '2fa', 'twofactor'],
  ...['password', 'passwd', 'passphrase', 'logout', 'logoff', 'signout', 'signoff'],
  ...['me', 'self', 'myself', 'current', 'account', 'apikey', 'apikeys'],
])

/** The end of a path that switches a mode of the whole service: afterwards it answers nobody, or no writes. */
const closing =
  /\/(maintenance|read[-_]?only|offline|lockdown|freeze|standby|drain|quiesce)(?:[-_]?mode)?(?:\/(?:enable|disable|on|off|start|stop|toggle|enter|exit))?\/?$/i

const many = new Set(['bulk', 'batch', 'mass'])
const harmless = new Set([
  ...['create', 'add', 'insert', 'import', 'upload', 'get', 'read', 'list', 'search', 'query', 'fetch'],
  ...['find', 'filter', 'count', 'validate', 'check'],
])

const pairs: ReadonlyMap<string, string> = new Map([
  ['shut', 'down'],
  ['power', 'off'],
  ['log', 'out'],
  ['sign', 'out'],
  ['self', 'destruct'],
  ['rate', 'limit'],
])

/** What is known of the server: parameters whose values are given for this purpose, and that it keeps nothing. */
export type Known = { readonly isNamed: (parameter: string) => boolean; readonly isStateless: boolean }

/**
 * Why an operation may destroy what a client did not create; null if nothing says so. A guess by names, on the safe side: it decides what
 * is left out, and never a verdict.
 */
export const dangerOf = (
  contract: Contract,
  operation: Operation,
  { isNamed, isStateless }: Known,
): Danger | null => {
  const { method, path } = operation
  const graph = resourcesOf(contract)
  const names = graph.namesIn(operation)
  // What a client creates, and what is below that, it may change and remove.
  if (names.some(({ parameter, resource }) => creatorOf(resource) !== null || isNamed(parameter))) return null
  // If the document lists the names, something else may have one, but a read tells.
  const listed = graph.listedNamesIn(operation).at(-1)?.resource
  if (listed !== undefined && listed.create !== null && listed.read !== null) return null
  const words = wordsOfPath(path)
  const ends = words.find(word => ending.has(word))
  if (ends !== undefined) return `"${ends}" is in its path`
  if (isStateless || isReading(method)) return null
  const mode = modeOf(contract, operation)
  if (mode !== undefined) return `"${mode}" is in its path, so it may close the whole service`
  if (method !== 'POST') return `it is a ${method}, and no operation creates what it changes`
  const removes = removingWord(operation)
  if (removes !== undefined) return `"${removes}" is in its name`
  return changesMany(operation) ? 'it changes many resources at once' : null
}

/** Whether an operation may finish or change what its request names, whoever created that. A guess by names, as above. */
export const mayActOn = (operation: Operation): boolean => {
  const words = namesOf(operation)
  const isAct = words.some(word => acts.has(word) || removing.has(word))
  return operation.method === 'POST' && isAct && !words.some(word => harmless.has(word))
}

/** Whether a dangerous operation may end what the run itself is let in by, or close the service: then the run would show nothing more. */
export const mayEndAccess = (contract: Contract, operation: Operation): boolean =>
  namesOf(operation).some(word => ownAccess.has(word)) || modeOf(contract, operation) !== undefined

/** The mode of the whole service that an operation switches; undefined: none, or it is about resources of that name. */
const modeOf = ({ operations }: Contract, { method, path }: Operation): string | undefined =>
  isReading(method) || operations.some(other => other.path.startsWith(`${path.replace(/\/$/, '')}/{`))
    ? undefined
    : closing.exec(path)?.[1]

/** Whether a dangerous operation may remove what other requests need: it comes after these. */
export const removesMany = (operation: Operation): boolean =>
  operation.method === 'DELETE'
    ? !endsInName(operation.path)
    : removingWord(operation) !== undefined || changesMany(operation)

/** Words of what goes on to act by itself once it exists, of what changes how the whole service answers, and of what puts old resources in place of new ones. */
const acting =
  /^(?:automation|trigger|webhook|hook|subscription|schedule|cron|cronjob|quota|ratelimit|throttle|throttling|setting|cors|restore|rollback|revert)s?$/

/** In services of so many operations, of which at most this share is about such resources, these wait. */
const [fewest, share] = [20, 0.25]

/**
 * The ids of operations that create, change or ask for resources that act by themselves, such as automations and quotas, or put what was there before in
 * place of what is there: the service may be another one from then on, so what does not need them comes first. None if they are what the service is about.
 */
export const actingOperations = ({ operations }: Contract): ReadonlySet<string> => {
  const found = operations.filter(
    ({ method, path }) =>
      wordsOfPath(path).some(word => acting.test(word)) && !(isReading(method) && !path.includes('{')),
  )
  return operations.length < fewest || found.length > share * operations.length
    ? new Set()
    : new Set(found.map(({ id }) => id))
}

const removingWord = (operation: Operation): string | undefined =>
  namesOf(operation).find(word => ending.has(word) || removing.has(word))

const changesMany = (operation: Operation): boolean => {
  const words = namesOf(operation)
  return words.some(word => many.has(word)) && !words.some(word => harmless.has(word))
}

const namesOf = ({ path, id }: Operation): readonly string[] => [...wordsOfPath(path), ...wordsOf(id)]

const wordsOfPath = (path: string): readonly string[] => wordsOf(path.replace(/\{[^{}]*\}/g, ' '))

const isReading = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'].includes(method)

/** `bulkDelete_flows` → bulk, delete, flows; "log out" is one word as well. */
const wordsOf = (text: string): readonly string[] => {
  const words = text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter(word => word !== '')
  const joined = words.flatMap((word, index) =>
    pairs.get(word) !== undefined && pairs.get(word) === words[index + 1]?.replace(/s$/, '')
      ? [`${word}${words[index + 1]}`]
      : [],
  )
  return [...words, ...joined]
}
