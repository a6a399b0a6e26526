/** The verb *answer*: a server whose every response conforms to the contract. */
import type { Contract } from '../spec/index.ts'
import { type AnswerOptions, buildMock } from './build.ts'
import type { Served } from './documents.ts'
import type { Journal } from './journal.ts'
import type { Scenarios } from './scenario/scenarios.ts'
import { type Listening, serve } from './server.ts'

export { BreakError } from './break/break-error.ts'
export type { Served } from './documents.ts'
export type { Entry, Journal } from './journal.ts'
export { ListenError } from './listen-error.ts'
export { OptionError } from './option-error.ts'
export { readScenarioText } from './scenario/read-text.ts'
export type { Scenario, ScenarioSets, ScenariosByOperation } from './scenario/scenario.ts'
export { ScenarioError } from './scenario/scenario-error.ts'
export type { ScenarioState, Scenarios } from './scenario/scenarios.ts'

export type MockOptions = AnswerOptions & {
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default 0: any free port. */
  readonly port?: number
  /** Largest body in bytes. Default 10 MiB. */
  readonly maxBodyBytes?: number
}

export type Mock = Listening & {
  /** The contract of the first document, as it is served now. */
  readonly contract: Contract
  /** All documents, as they are served now. */
  readonly documents: readonly Served[]
  readonly journal: Journal
  /** Switches what operations do other than answer as they should. */
  readonly scenarios: Scenarios
}

/**
 * Starts a mock server. Throws DocumentError where the document is not a usable contract, OptionError where
 * options cannot be used, ScenarioError where a scenario cannot be, ListenError where the address cannot be listened on.
 *
 * @example
 * const mock = await createMock({ tokens: ['secret'] })
 * await fetch(`${mock.url}/plants`, { method: 'POST', … })
 * await mock.close()
 */
export const createMock = async (options: MockOptions = {}): Promise<Mock> => {
  const { host = '127.0.0.1', port = 0, maxBodyBytes = 10 * 1024 * 1024 } = options
  const { engine, journal, scenarios, metrics, documents, close } = await buildMock(options)
  const { connected } = metrics
  const listening = await serve(engine, { host, port, maxBodyBytes, connected }).catch(async error => {
    await close()
    throw error
  })
  return {
    url: listening.url,
    close: async () => {
      await listening.close()
      await close()
    },
    journal,
    scenarios,
    get documents() {
      return documents()
    },
    get contract() {
      return (documents()[0] as Served).contract
    },
  }
}
