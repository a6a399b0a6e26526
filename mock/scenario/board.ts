import type { Engine } from '../engine.ts'
import { everyOperation, type Scenario } from './scenario.ts'
import type { Tally } from './tally.ts'

/** A scenario that is on. */
export type Active = {
  readonly scenario: Scenario
  readonly tally: Tally
  /** The engine that breaks what the scenario wants broken; null: nothing. */
  readonly breaker: Engine | null
}

export type Actives = ReadonlyMap<string, Active>

/** The scenarios that are on together, and the name of the set that they are; null: they are no set as it was given. */
type Scope = { readonly actives: Actives; readonly set: string | null }

/**
 * Which scenarios are on, for all clients (`null`) and for those that have their own. A client with scenarios of its own
 * meets only these.
 */
export type Board = {
  /** Whether none is on for anybody. */
  readonly isIdle: () => boolean
  /** Those that a request meets; of all operations first. */
  readonly meets: (client: string | null, operation: string) => readonly Active[]
  readonly scope: (client: string | null) => Scope
  /** Switches all at once. */
  readonly change: (client: string | null, scope: Scope) => void
  /** The general ones are on again for the client. */
  readonly forget: (client: string | null) => void
}

const mostClients = 1000
const nothing: Scope = { actives: new Map(), set: null }

export const createBoard = (): Board => {
  const clients = new Map<string, Scope>()
  let general = nothing
  let idle = true
  const settle = (): void => {
    idle = general.actives.size === 0 && clients.size === 0
  }
  return {
    isIdle: () => idle,
    meets: (client, operation) => {
      const { actives } = (client === null ? undefined : clients.get(client)) ?? general
      return [everyOperation, operation].flatMap(name => actives.get(name) ?? [])
    },
    scope: client => (client === null ? general : (clients.get(client) ?? nothing)),
    change: (client, scope) => {
      if (client === null) general = scope
      else {
        clients.delete(client)
        clients.set(client, scope)
        // The one whose scenarios were changed longest ago is done, most likely.
        const [oldest] = clients.keys()
        if (clients.size > mostClients) clients.delete(oldest as string)
      }
      settle()
    },
    forget: client => {
      if (client === null) general = nothing
      else clients.delete(client)
      settle()
    },
  }
}
