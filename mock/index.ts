/** The verb *answer*: a server whose every response conforms to the contract. */
import type { Contract } from '../spec/index.ts'
import { type AnswerOptions, buildMock } from './build.ts'
import { consoleRoutes } from './console/console.ts'
import { mostBodyBytes } from './fetch.ts'
import type { Journal } from './journal.ts'
import type { Scenarios } from './scenario/scenarios.ts'
import { type Listening, serve } from './server.ts'

export { BreakError } from './break/break-error.ts'
export { createHandler, type Handler, type HandlerOptions } from './fetch.ts'
export type { Entry, Journal } from './journal.ts'
export { ListenError } from './listen-error.ts'
export { readScenarioText } from './scenario/read-text.ts'
export type { Scenario, ScenarioSets, ScenariosByOperation } from './scenario/scenario.ts'
export { ScenarioError } from './scenario/scenario-error.ts'
export type { ScenarioState, Scenarios } from './scenario/scenarios.ts'
export { ServerError } from './servers.ts'
export { type Broken, createWatch, DriftError, type Watch } from './watch.ts'

export type MockOptions = AnswerOptions & {
  /** Default 127.0.0.1. */
  readonly host?: string
  /** Default 0: any free port. */
  readonly port?: number
  /** Largest body in bytes. Default 10 MiB. */
  readonly maxBodyBytes?: number
}

export type Mock = Listening & {
  readonly contract: Contract
  readonly journal: Journal
  /** Switches what operations do other than answer as they should. */
  readonly scenarios: Scenarios
  /** Ends when every example of the document was looked at, or the mock is closed. */
  readonly examplesChecked: Promise<void>
}

/**
 * Starts a mock server. Throws DocumentError where the document is not a usable contract, ListenError where the
 * address cannot be listened on, ScenarioError where a scenario cannot be.
 *
 * @example
 * const mock = await createMock({ tokens: ['secret'] })
 * await fetch(`${mock.url}/plants`, { method: 'POST', … })
 * await mock.close()
 */
export const createMock = async (options: MockOptions = {}): Promise<Mock> => {
  const { host = '127.0.0.1', port = 0, maxBodyBytes = mostBodyBytes } = options
  const { engine, examples, ...built } = await buildMock(options, consoleRoutes)
  const { url, close } = await serve(engine, { host, port, maxBodyBytes })
  const closing = new AbortController()
  return {
    ...built,
    url,
    close: () => {
      closing.abort()
      return close()
    },
    examplesChecked: examples.checkAll(closing.signal),
  }
}
