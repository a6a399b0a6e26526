import type { Operation } from '../../spec/index.ts'
import type { Context } from '../engine/context.ts'
import type { Engine } from '../engine/engine.ts'
import type { MockResponse } from '../engine/mock-response.ts'
import type { JudgedRequest } from '../engine/request.ts'
import type { ActiveScenario } from './registry.ts'
import type { Scenario } from './scenario.ts'

/** A request that a scenario affects. */
export type ScenarioRequest = {
  readonly context: Context
  readonly engine: Engine
  readonly judged: JudgedRequest
  readonly operation: Operation
  /** The client and the operation: turns, limits and identities are counted for each pair. */
  readonly key: string
  /** The scenarios that are on and whose turn it is. */
  readonly active: readonly ActiveScenario[]
  /** All of these and the client's preferences, as one. */
  readonly scenario: Scenario
}

/** A response, and what the scenario did to it in a few words each. */
export type ScenarioResponse = { readonly response: MockResponse; readonly notes: readonly string[] }
