import type { AnswerRequest } from '../answers/request.ts'
import type { Middleware } from '../engine/context.ts'
import { LRUCache } from '../lru-cache.ts'
import type { Counters } from './counters.ts'
import { everyOperation, type Scenario } from './scenario.ts'

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
