import type { UnauthenticatedPolicy } from '../../spec/index.ts'
import type { AnswerRequest } from '../answers/request.ts'
import type { AnswerParts } from '../answers/when.ts'
import { hashOf } from '../chance/hash.ts'
import type { Fault } from '../engine/compiled-response.ts'
import type { Middleware } from '../engine/context.ts'
import { LRUCache } from '../lru-cache.ts'

/** What a scenario remembers of earlier requests, for each key (a client and an operation) by itself. */
type Counters = {
  /** Counts a request; whether it is one that the scenario affects. */
  readonly isTurn: (key: string) => boolean
  /** Counts a request against the limit; the seconds until there is room again, or null if there is. */
  readonly secondsOverLimit: (key: string) => number | null
  /** Remembers an identity; whether it was known before. */
  readonly isKnown: (key: string, identity: string) => boolean
}

type Count = { requests: number; turns: number; began: number; used: number }

const maxKeys = 10_000
const maxIdentities = 100_000
const maxLength = 200

/** `ticks`: milliseconds of a clock that only goes forward. */
export const createCounters = ({ every = 1, times, limit }: Scenario, ticks: () => number): Counters => {
  const counts = new Map<string, Count>()
  const identities = new Set<string>()
  const countOf = (key: string): Count => {
    const count = counts.get(key) ?? { requests: 0, turns: 0, began: Number.NEGATIVE_INFINITY, used: 0 }
    counts.set(key, count)
    dropOldest(counts, maxKeys)
    return count
  }
  return {
    isTurn: key => {
      if (every === 1 && times === undefined) return true
      const count = countOf(key)
      if (times !== undefined && count.turns >= times) return false
      count.requests += 1
      if (count.requests % every !== 0) return false
      count.turns += 1
      return true
    },
    secondsOverLimit: key => {
      if (limit === undefined) return null
      const count = countOf(key)
      const now = ticks()
      const length = limit.seconds * 1000
      if (now - count.began >= length) {
        count.began = now
        count.used = 0
      }
      count.used += 1
      return count.used > limit.requests ? (count.began + length - now) / 1000 : null
    },
    isKnown: (key, identity) => {
      const entry = `${key} ${shortened(identity)}`
      if (identities.has(entry)) return true
      identities.add(entry)
      dropOldest(identities, maxIdentities)
      return false
    },
  }
}

// An LRU cache would reserve memory for all that it may hold; a thousand clients can have counters of their own.
const dropOldest = (entries: Map<string, unknown> | Set<string>, max: number): void => {
  if (entries.size <= max) return
  const [oldest] = entries.keys()
  entries.delete(oldest as string)
}

// A client can send identities of any length.
const shortened = (text: string): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength)}… ${text.length} ${hashOf(text)}`

/** A scenario that is on. */
export type ActiveScenario = {
  readonly scenario: Scenario
  readonly counters: Counters
  /** Breaks the obligation that the scenario breaks; null: it breaks none. */
  readonly mutant: Middleware | null
  /** Is told of each request that it affects, with the size of its body. */
  readonly onRequest?: (request: AnswerRequest, size: number) => void
}

/** By the id of the operation, or `*`; the later ones of a list win. */
export type ActiveScenarios = ReadonlyMap<string, readonly ActiveScenario[]>

/** The scenarios that are on together; `set`: the name of the set that they are, null if they are not an unchanged set. */
type Scope = { readonly active: ActiveScenarios; readonly set: string | null }

/** Which scenarios are on for all clients (`null`), and for clients with scenarios of their own, which replace the others. */
export type ScenarioRegistry = {
  /** Whether no scenario is on for anybody. */
  readonly isIdle: () => boolean
  /** The scenarios for a request; those for all operations first. */
  readonly activeFor: (client: string | null, operation: string) => readonly ActiveScenario[]
  readonly scope: (client: string | null) => Scope
  /** Replaces all scenarios of a client. */
  readonly change: (client: string | null, scope: Scope) => void
  /** The scenarios for all clients count for this one again; null: there are none for all any more. */
  readonly reset: (client: string | null) => void
}

/** Of more clients, the one whose scenarios were changed longest ago has none any more: it is done, most likely. */
const maxClients = 1000
const nothing: Scope = { active: new Map(), set: null }

export const createRegistry = (): ScenarioRegistry => {
  const clients = new LRUCache<string, Scope>({ max: maxClients })
  let general = nothing
  return {
    isIdle: () => general.active.size === 0 && clients.size === 0,
    activeFor: (client, operation) => {
      const { active } = (client === null ? undefined : clients.peek(client)) ?? general
      return [...new Set([everyOperation, operation])].flatMap(name => active.get(name) ?? [])
    },
    scope: client => (client === null ? general : (clients.peek(client) ?? nothing)),
    change: (client, scope) => {
      if (client === null) general = scope
      else clients.set(client, scope)
    },
    reset: client => {
      if (client === null) general = nothing
      else clients.delete(client)
    },
  }
}

/** What an operation does instead of its usual behaviour. All parts can be combined; absent parts change nothing. */
export type Scenario = AnswerParts & {
  /**
   * The number and the text in the body of the failure that this scenario causes: of `status`, or of the rejections by
   * `limit` and `duplicates`. With none of these, every request gets the declared failure.
   */
  readonly code?: number
  readonly message?: string
  /** Changes the body that a valid request usually gets, by a JSON merge patch (RFC 7396). What is stored stays as it is. */
  readonly patch?: object
  /** The name of an example of the document. */
  readonly example?: string
  /** Milliseconds before the response, or a range of them; the seed of the mock and the request choose from a range. */
  readonly delay?: number | readonly [from: number, to: number]
  /** How delivery of the response fails; `malformed`: its body is not JSON. */
  readonly fault?: Exclude<Fault, 'wrong-length'> | 'malformed'
  /** How many items a stream has, the milliseconds between two of them, and whether it stays open after the last one. */
  readonly stream?: { readonly events?: number; readonly interval?: number; readonly open?: boolean }
  /** Only every n-th request is affected. Default 1. */
  readonly every?: number
  /** More requests than this in so many seconds are rejected, with Retry-After. */
  readonly limit?: { readonly requests: number; readonly seconds: number }
  /** Whether a second resource with the same identity is rejected. Default `accept`. */
  readonly duplicates?: 'accept' | 'reject'
  /** The response to missing or wrong credentials. */
  readonly unauthenticated?: UnauthenticatedPolicy
  /** How many seconds the tokens that the operation gives are right. */
  readonly expires?: number
  /** The scopes of the tokens that the operation gives, with spaces between them. */
  readonly scopes?: string
  /** The id of one obligation to break. */
  readonly breaks?: string
}

/** Scenarios by the id of their operation; `*`: for all operations. Of several, the later ones win. */
export type ScenariosByOperation = Readonly<Record<string, Scenario | readonly Scenario[]>>

/** Named sets of scenarios; the scenarios of a set are switched on together. */
export type ScenarioSets = Readonly<Record<string, ScenariosByOperation>>

/** Stands for all operations. */
export const everyOperation = '*'
