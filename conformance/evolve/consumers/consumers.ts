import {
  type Contract,
  isPlaceLike,
  loadContract,
  placeText,
  type Usage,
  type UsedOperation,
} from '../../../spec/index.ts'
import type { Consumer, Difference, Evolution, Touch } from '../difference.ts'
import { compareContracts } from '../evolve.ts'

/** Each client's use, by its name. */
type Usages = Readonly<Record<string, Usage>>

/** The breaking differences, each with what it means for each client. */
const withConsumers = (evolution: Evolution, usages: Usages): Evolution => ({
  ...evolution,
  differences: evolution.differences.map(each =>
    // A usage is of clients of the old document.
    each.level === 'breaking' && each.concerns === 'old-clients'
      ? { ...each, consumers: Object.entries(usages).map(([name, usage]) => consumerOf(name, usage, each)) }
      : each,
  ),
})

/** Whether a difference counts: it is breaking, and not known to break none of the clients. */
export const isCounted = ({ level, consumers }: Difference): boolean =>
  level === 'breaking' && (consumers === undefined || consumers.some(({ isHit }) => isHit))

type Use = Omit<Consumer, 'name'>

const consumerOf = (name: string, usage: Usage, { touches }: Difference): Consumer => {
  const used = new Map(Object.entries(usage.operations).map(([each, use]) => [shapeOf(each), use]))
  const uses = touches.map(touch => useOf(touch, used.get(shapeOf(touch.operation))))
  const isHit = uses.some(use => use.isHit)
  const because = [...new Set(uses.filter(use => use.isHit === isHit).map(use => use.because))]
  const called = because.filter(each => each !== neverCalled)
  return { name, isHit, because: (called.length === 0 ? because : called).join(', ') }
}

/** The names of path parameters do not matter. */
const shapeOf = (operation: string): string => operation.replaceAll(/\{[^{}]*\}/g, '{}')

const neverCalled = 'never calls it'

const useOf = (touch: Touch, used: UsedOperation | undefined): Use => {
  if (used === undefined || used.requests === 0) return { isHit: false, because: neverCalled }
  const { sent, served } = touch
  if (sent === null && served === null) return { isHit: true, because: 'calls it' }
  if (used.unclear === true)
    return { isHit: true, because: 'calls it, and some of its requests are not known' }
  return served === null ? useOfRequest(sent ?? '', touch.isMissing, used) : useOfResponse(served, used)
}

const useOfRequest = (part: string, isMissing: boolean, used: UsedOperation): Use => {
  const text = partText(part)
  const count = countOf(part, used)
  if (!isMissing) return count > 0 ? hit(`sends ${text}`) : miss(`never sends ${text}`)
  const slash = part.lastIndexOf('/')
  const around = part.startsWith('body/') ? countOf(part.slice(0, slash), used) : used.requests
  if (around === 0) return miss(`never sends ${partText(part.slice(0, slash))}`)
  // A part of an item may be missing in another item of the same request.
  const isAlways = count === around && !part.split('/').includes('*')
  return isAlways ? miss(`always sends ${text}`) : hit(`does not always send ${text}`)
}

/** In how many requests the part was; `*` of a document may be any name. */
const countOf = (part: string, { sent }: UsedOperation): number => {
  const exact = sent[part]
  if (exact !== undefined || !part.includes('/*')) return exact ?? 0
  return Object.entries(sent).reduce(
    (most, [name, count]) => (isPlaceLike(`/${name}`, `/${part}`) ? Math.max(most, count) : most),
    0,
  )
}

const useOfResponse = (
  { status, place }: NonNullable<Touch['served']>,
  { served, read }: UsedOperation,
): Use => {
  const text = place === '' ? `a body with ${status}` : `\`${placeText(place)}\``
  const places = Object.entries(served).flatMap(([each, found]) => (isOfStatus(each, status) ? found : []))
  const isServed = places.some(each => isPlaceLike(each, place))
  if (read !== undefined && place !== '') {
    const isRead = read.some(each => isPlaceLike(each, place))
    return isRead ? hit(`reads ${text}`) : miss(`does not read ${text}`)
  }
  return isServed ? hit(`is served ${text}`) : miss(`is never served ${text}`)
}

const isOfStatus = (status: string, declared: string): boolean =>
  declared === 'default' || status === declared || `${status[0]}XX` === declared.toUpperCase()

const hit = (because: string): Use => ({ isHit: true, because })
const miss = (because: string): Use => ({ isHit: false, because })

/** `body/lines/0` is «`lines[0]`», and `query/limit` «the query parameter `limit`». */
const partText = (part: string): string => {
  if (part === 'body') return 'a body'
  if (part.startsWith('body/')) return `\`${placeText(part.slice('body'.length))}\``
  const [place = '', ...name] = part.split('/')
  return `the ${place} parameter \`${name.join('/')}\``
}

export type EvolveOptions = {
  /** The same seed finds the same examples. Default: 1. */
  readonly seed?: number | undefined
  /** The level of what old servers do with clients of the new document; null: it is not looked at. Default: `risky`. */
  readonly oldServers?: 'breaking' | 'risky' | null | undefined
  /** What clients use, by their names: each breaking difference then says which of them it concerns. Default: nothing is known. */
  readonly usedBy?: Usages | undefined
}

/**
 * Compares two documents of one API: what the clients of the old one meet at a server of the new one, and the servers of the old one
 * from clients of the new one. Requests and responses that one document allows are judged by the other; each difference has the smallest
 * example that both judges have seen. Throws DocumentError for a document that cannot be used.
 */
export const evolve = async (
  old: Contract | string,
  now: Contract | string,
  { seed = 1, oldServers = 'risky', usedBy }: EvolveOptions = {},
): Promise<Evolution> => {
  const load = async (given: Contract | string): Promise<Contract> =>
    typeof given === 'string' ? await loadContract({ from: given }) : given
  const evolution = await compareContracts(await load(old), await load(now), { seed, oldServers })
  return usedBy === undefined ? evolution : withConsumers(evolution, usedBy)
}
