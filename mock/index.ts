/** The verb *answer*: a server whose every response conforms to the contract. */

import type { AnyOperations } from './answers/operation-types.ts'
import { consoleRoutes } from './console/console.ts'
import { type Built, buildMock, clock } from './mounts/build.ts'
import { type Mounted, mounted } from './mounts/fetch-handler.ts'
import { type MockOptions, type ProxyOptions, type Settings, settingsOf } from './mounts/options.ts'
import { type ProxyRun, type RunOptions, recordRun } from './proxy/run.ts'
import { type Listening, serve } from './server/server.ts'
import { certificateFor } from './server/tls.ts'

export type { AnswerRequest } from './answers/request.ts'
export type { Served } from './documents/documents.ts'
export {
  DriftError,
  ListenError,
  MutantError,
  OptionError,
  ScenarioError,
  SeedDataError,
  ServerError,
} from './errors.ts'
export { type LearnedBehavior, learnFrom, learnFromPins } from './learned/learn.ts'
export { type Journal, shownViolation, shownViolations } from './middleware/journal.ts'
export type { Entry } from './middleware/journal-entry.ts'
export { createWatch, type Drift, type Watch, type WatchOptions } from './mounts/drift.ts'
export { createHandler, type FetchHandler } from './mounts/fetch-handler.ts'
export { createMiddleware, type Middleware, type MiddlewareOptions } from './mounts/middleware.ts'
export type { HandlerOptions, MockOptions, ProxyOptions } from './mounts/options.ts'
export { createTrafficJudge } from './mounts/traffic-judge.ts'
export type { ProxyRun, RunCounts, RunOptions } from './proxy/run.ts'
export { anySecret, type PlacedTraffic } from './recorded/place-traffic.ts'
export type { RuleSettings } from './rules/list-rule.ts'
export { readScenarioText } from './scenarios/read-text.ts'
export type { Scenario, ScenarioSets, ScenariosByOperation } from './scenarios/registry.ts'
export type { Scenarios } from './scenarios/scenarios.ts'
export type { SeedData } from './state/snapshot.ts'
export type { State } from './state/state.ts'
export type { CustomValues, OwnValueRequest } from './values/value-providers.ts'

export type Mock<O extends object = AnyOperations> = Listening &
  Mounted<O> & {
    /** Resolves when all examples of the documents are validated, or the mock is closed. */
    readonly examplesChecked: Promise<void>
    /** What a client has to trust (PEM); null: the mock does not serve https. */
    readonly certificate: string | null
  }

/** A mock that forwards. */
export type RunningProxy = Mock & {
  /** Takes the traffic from now on as a run of the contract's tests. */
  readonly record: (options: RunOptions) => ProxyRun
  /** What clients give as the beginning of a URL for callbacks and webhooks; null without the option `listen`. */
  readonly callbackUrl: string | null
}

/**
 * Starts a mock server. Throws DocumentError if the document is not a usable contract, OptionError if options cannot be
 * used, ScenarioError if a scenario cannot be, MutantError if the obligation cannot be broken, and ListenError if the mock
 * cannot listen on the address or use the certificate.
 *
 * @example
 * const mock = await createMock({ tokens: ['secret'] })
 * await fetch(`${mock.url}/plants`, { method: 'POST', … })
 * await mock.close()
 */
export const createMock = async <O extends object = AnyOperations>(
  options: MockOptions = {},
): Promise<Mock<O>> => (await start<O>(settingsOf(options))).mock

/**
 * Starts a validating reverse proxy: a mock that forwards requests to a server, and judges these and the responses. Throws as
 * `createMock` does.
 *
 * @example
 * const proxy = await createProxy({ target: new URL('http://127.0.0.1:8080'), contract: 'openapi.yaml' })
 * proxy.journal.listen(({ violations, forwarded }) => …)
 */
export const createProxy = async (options: ProxyOptions): Promise<RunningProxy> => {
  const { mock, built } = await start(settingsOf(options, options))
  return Object.assign(mock, {
    callbackUrl: built.hearing?.url ?? null,
    record: (run: RunOptions) => recordRun(built.admin, run, built.hearing),
  })
}

const start = async <O extends object>(
  settings: Settings,
): Promise<{ readonly mock: Mock<O>; readonly built: Built }> => {
  const certificate = await certificateFor(settings.tls, settings.host, clock.now())
  const built = await buildMock(settings, consoleRoutes, settings.host)
  const { connected } = built.metrics
  const listening = await serve(built.handle, {
    ...settings,
    certificate,
    connected,
    forwards: settings.forward !== null,
  }).catch(async error => {
    await built.close()
    throw error
  })
  const close = async (): Promise<void> => {
    await listening.close()
    await built.close()
  }
  const mock = mounted<object, O>(
    {
      url: listening.url,
      certificate: certificate?.cert ?? null,
      examplesChecked: built.checkExamples(),
    },
    { ...built, close },
  )
  return { mock: mock as Mock<O>, built }
}
