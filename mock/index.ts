/** The verb *answer*: a server whose every response conforms to the contract. */
import type { Contract } from '../spec/index.ts'
import { type AnswerOptions, buildMock, clock } from './build.ts'
import type { Certificate } from './certificate.ts'
import type { Journal } from './journal.ts'
import { defaultLimits, type Limits } from './limits.ts'
import type { Scenarios } from './scenario/scenarios.ts'
import { type Listening, serve } from './server.ts'
import { certificateOf } from './tls.ts'

export { BreakError } from './break/break-error.ts'
export type { Entry, Journal } from './journal.ts'
export { ListenError } from './listen-error.ts'
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
  /** Times in milliseconds, where they are not to be the documented ones (docs/mock.md). */
  readonly limits?: Partial<Limits>
  /** Speak TLS: with a certificate of one's own (PEM), or with one that is made for it and that nobody vouches for. Default false. */
  readonly tls?: boolean | Certificate
}

export type Mock = Listening & {
  readonly contract: Contract
  readonly journal: Journal
  /** Switches what operations do other than answer as they should. */
  readonly scenarios: Scenarios
  /** What a client has to trust (PEM); null: it does not speak TLS. */
  readonly certificate: string | null
}

/**
 * Starts a mock server. Throws DocumentError where the document is not a usable contract, ListenError where the
 * address cannot be listened on or the certificate cannot be used, ScenarioError where a scenario cannot be.
 *
 * @example
 * const mock = await createMock({ tokens: ['secret'] })
 * await fetch(`${mock.url}/plants`, { method: 'POST', … })
 * await mock.close()
 */
export const createMock = async (options: MockOptions = {}): Promise<Mock> => {
  const { host = '127.0.0.1', port = 0, maxBodyBytes = 10 * 1024 * 1024 } = options
  const limits = { ...defaultLimits, ...options.limits }
  const tls = await certificateOf(options.tls ?? false, host, clock.now())
  const { engine, ...built } = await buildMock(options)
  const listening = await serve(engine, { host, port, maxBodyBytes, limits, tls })
  return { ...listening, ...built, certificate: tls?.cert ?? null }
}
