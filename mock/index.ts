/** The verb *answer*: a server whose every response conforms to the contract. */
import { type AnswerOptions, buildMock, clock } from './build.ts'
import type { Certificate } from './certificate.ts'
import { consoleRoutes } from './console/console.ts'
import { mostBodyBytes } from './fetch.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { type Mounted, mounted } from './mounted.ts'
import { type Listening, serve } from './server.ts'
import { certificateOf } from './tls.ts'

export { BreakError } from './break/break-error.ts'
export type { Served } from './documents.ts'
export { createHandler, type Handler, type HandlerOptions } from './fetch.ts'
export type { Entry, Journal } from './journal.ts'
export { ListenError } from './listen-error.ts'
export { OptionError } from './option-error.ts'
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
  /** Times in milliseconds, where they are not to be the documented ones (docs/mock.md). */
  readonly limits?: Partial<Limits>
  /** Speak TLS: with a certificate of one's own (PEM), or with one that is made for it and that nobody vouches for. Default false. */
  readonly tls?: boolean | Certificate
}

export type Mock = Listening &
  Mounted & {
    /** Ends when every example of the documents was looked at, or the mock is closed. */
    readonly examplesChecked: Promise<void>
    /** What a client has to trust (PEM); null: it does not speak TLS. */
    readonly certificate: string | null
  }

/**
 * Starts a mock server. Throws DocumentError where the document is not a usable contract, OptionError where
 * options cannot be used, ScenarioError where a scenario cannot be, ListenError where the address cannot be listened on
 * or the certificate cannot be used.
 *
 * @example
 * const mock = await createMock({ tokens: ['secret'] })
 * await fetch(`${mock.url}/plants`, { method: 'POST', … })
 * await mock.close()
 */
export const createMock = async (options: MockOptions = {}): Promise<Mock> => {
  const { host = '127.0.0.1', port = 0, maxBodyBytes = mostBodyBytes } = options
  const limits = { ...defaultLimits, ...options.limits }
  const tls = await certificateOf(options.tls ?? false, host, clock.now())
  const built = await buildMock(options, consoleRoutes)
  const serving = { host, port, maxBodyBytes, limits, tls, connected: built.metrics.connected }
  const listening = await serve(built.engine, serving).catch(async error => {
    await built.close()
    throw error
  })
  const close = async (): Promise<void> => {
    await listening.close()
    await built.close()
  }
  const certificate = tls?.cert ?? null
  return mounted(
    { url: listening.url, certificate, examplesChecked: built.checkExamples() },
    { ...built, close },
  )
}
