import { metricsRoutes } from '../admin/metrics-routes.ts'
import type { MockState } from '../admin/mock-state.ts'
import { type AdminRoutes, admin, healthRoutes, landing } from '../admin/routes.ts'
import { rulesIn, rulesRoutes } from '../admin/rules-routes.ts'
import type { Outcome } from '../callbacks/send-operation.ts'
import { webhookRoutes } from '../callbacks/webhook-routes.ts'
import type { WebhookOptions } from '../callbacks/webhooks.ts'
import { findDocument, type Located, locator, type Served } from '../documents/documents.ts'
import { type Handler, type Middleware, pipeline } from '../engine/context.ts'
import type { Engine, StatefulResponder } from '../engine/engine.ts'
import { respond } from '../engine/respond.ts'
import { memoize } from '../memo.ts'
import { cors } from '../middleware/cors.ts'
import { type Clock, createJournal, type Journal } from '../middleware/journal.ts'
import { createMetrics, type Metrics } from '../middleware/metrics.ts'
import { querySwitches } from '../middleware/query-switches.ts'
import { ranges } from '../middleware/ranges.ts'
import { record } from '../middleware/record.ts'
import type { CallbackListener } from '../proxy/callback-listener.ts'
import { givesTokens } from '../rules/grants.ts'
import { applyScenarios } from '../scenarios/apply-scenarios.ts'
import { scenarioRoutes } from '../scenarios/control.ts'
import { createRegistry } from '../scenarios/registry.ts'
import { createScenarios, type Scenarios } from '../scenarios/scenarios.ts'
import { createState, type State, stateRoutes } from '../state/state.ts'
import { createStatefulResponder } from '../state/stateful-responder.ts'
import { createStore } from '../state/store.ts'
import type { Initial } from '../state/stored-collections.ts'
import { checkTokens } from '../tokens/check-tokens.ts'
import { createGivenTokens, dataOfToken, type GivenTokens, issueTokens } from '../tokens/given.ts'
import { tokenEndpoint, tokenRoutes } from '../tokens/token-endpoint.ts'
import { ownAnswers } from '../values/value-providers.ts'
import type { Settings } from './options.ts'
import { serveDocuments, warmUp } from './serve-documents.ts'

export type Built = {
  readonly handle: Handler
  readonly journal: Journal
  readonly scenarios: Scenarios
  /** What is kept; null: nothing is. */
  readonly state: State | null
  /** The tokens that responses gave. */
  readonly tokens: Pick<GivenTokens, 'expire'>
  readonly webhook: Webhook
  readonly metrics: Metrics
  /** What the server behind a proxy sends to its clients; null: nobody listens. */
  readonly hearing: CallbackListener | null
  /** What admin routes know. */
  readonly admin: MockState
  /** What is served now; the first document is the one that responds outside all prefixes. */
  readonly documents: () => readonly Served[]
  /** Finds the document that a target is for; null: it is below no prefix. */
  readonly locate: (target: string) => Located | null
  /** How responses fit their requests, by operation. */
  readonly rules: () => Readonly<Record<string, readonly string[]>>
  /** Validates all examples of the documents. */
  readonly checkExamples: () => Promise<void>
  /** Resolves when made-up values are quick. */
  readonly ready: () => Promise<void>
  /** Ends the watching of files and the validation of examples. */
  readonly close: () => Promise<void>
}

/** Sends a webhook of a document, by its name. */
export type Webhook = (name: string, options: WebhookOptions) => Promise<Outcome>

export const clock: Clock = { now: () => Date.now(), ticks: () => performance.now() }

/**
 * Builds what every mount needs; `routes`: admin routes of its own; `host`: the name that a server listens on. Throws DocumentError, OptionError, MutantError and
 * ScenarioError.
 */
export const buildMock = async (
  settings: Settings,
  routes: (state: MockState) => AdminRoutes = () => ({}),
  host: string | null = null,
): Promise<Built> => {
  const { tokens, unauthenticated, scenarioSets, seed } = settings
  const { rules, seedData, stateful, stateFile, perToken } = settings
  // Loaded only where it is wanted: browsers have none.
  const file =
    stateful && stateFile !== null ? (await import('../state/sqlite.ts')).openSqlite(stateFile) : null
  const store = stateful ? createStore(file) : null
  const initial: Initial = { instances: new Map() }
  const statefulResponderAt = (prefix: string): StatefulResponder | null =>
    store === null
      ? null
      : createStatefulResponder({ store, settings: rules, prefix, initial, isPerToken: perToken })
  const given = createGivenTokens(clock.ticks)
  const serving = await serveDocuments(settings, mutate, statefulResponderAt, given).catch(error => {
    file?.close()
    throw error
  })
  const { documents, checkExamples } = serving
  const close = async (): Promise<void> => {
    await serving.close()
    file?.close()
  }
  const state = store === null ? null : createState(store, documents, rules)
  try {
    if (state !== null && seedData !== null) initial.instances = state.read(seedData)
  } catch (error) {
    await close()
    throw error
  }
  const registry = createRegistry()
  const scenarioOptions = { documents, registry, scenarioSets, mutate, ticks: clock.ticks }
  const startScenarios = async (): Promise<Scenarios> => {
    const contracts = documents().map(({ contract }) => contract)
    const own = Object.entries(ownAnswers(settings.values, contracts)).map(
      ([id, body]) => [id, { body }] as const,
    )
    return createScenarios(scenarioOptions, {
      ...settings,
      scenarios: { ...Object.fromEntries(own), ...settings.scenarios },
    })
  }
  const scenarios = await startScenarios().catch(async error => {
    await close()
    throw error
  })
  const journal = createJournal(clock)
  const metrics = createMetrics()
  const served = memoize(documents, all =>
    all.map(({ prefix, basePath, contract, problem }): Served => ({ prefix, basePath, contract, problem })),
  )
  const givesNone = memoize(documents, all => !all.some(({ contract }) => givesTokens(contract)))
  const hasTokens = settings.forward === null && (settings.watch || !givesNone())
  const run = clock.now().toString(36)
  const closing = new AbortController()
  const sending = { journal, clock, hosts: settings.callbackHosts }
  const adminState = {
    documents,
    tokens,
    unauthenticated,
    journal,
    forward: settings.forward,
    keeps: state !== null,
    run,
  }
  const callbacks = settings.callbacks
    ? (await import('../callbacks/callbacks.ts')).createCallbacks(sending)
    : null
  // Loaded only where it is wanted: browsers cannot send them.
  const webhook: Webhook = async (name, options) =>
    (await import('../callbacks/webhooks.ts')).sendWebhook(
      documents(),
      sending,
      name,
      options,
      closing.signal,
    )
  const proxy =
    settings.forward === null
      ? null
      : await (await import('../proxy/run.ts')).openProxy(settings.forward, documents, sending)
  // Loaded only where it is wanted.
  const asLearned =
    settings.like === null
      ? null
      : (await import('../learned/answer-as-learned.ts')).answerAsLearned(settings.like)
  const asRecorded =
    settings.replay === null
      ? null
      : (await import('../recorded/answer-as-recorded.ts')).replay(settings.replay, documents, settings)
  // The way of every request, from the outside to the engine.
  const handle = pipeline(
    [
      admin(
        {
          ...healthRoutes(served),
          ...metricsRoutes(metrics, served),
          ...rulesRoutes(documents),
          ...stateRoutes(state),
          ...tokenRoutes(given),
          ...webhookRoutes(documents, webhook),
          ...scenarioRoutes(scenarios),
          ...routes(adminState),
        },
        host,
      ),
      // A proxy leaves these to the server.
      ...(host === null || proxy !== null ? [] : [landing(documents)]),
      ...(settings.cors && proxy === null ? [cors] : []),
      ...(hasTokens ? [tokenEndpoint({ documents, given, journal, clock })] : []),
      ...(callbacks === null ? [] : [callbacks.middleware]),
      ...(proxy?.hearing == null ? [] : [proxy.hearing.middleware]),
      record(journal, metrics, clock),
      findDocument(documents),
      proxy?.forward ?? querySwitches,
      ranges,
      ...(hasTokens ? [issueTokens(given, givesNone)] : []),
      applyScenarios(registry, seed),
      ...(hasTokens ? [checkTokens(given, givesNone)] : []),
      ...(perToken ? [dataOfToken] : []),
      ...(asRecorded === null ? [] : [asRecorded]),
      ...(asLearned === null ? [] : [asLearned]),
      ...(settings.breaks === null ? [] : [applyMutant]),
    ],
    respondByDocument,
  )
  let warm: Promise<void> | null = null
  const ready = (): Promise<void> => {
    warm ??= warmUp(documents())
    return warm
  }
  const shownRules = () => rulesIn(documents())
  return {
    handle,
    journal,
    scenarios,
    state,
    tokens: { expire: given.expire },
    webhook,
    metrics,
    hearing: proxy?.hearing ?? null,
    admin: adminState,
    documents: served,
    locate: locator(documents),
    rules: shownRules,
    checkExamples,
    ready,
    close: async () => {
      closing.abort()
      callbacks?.close()
      await proxy?.hearing?.close()
      await close()
    },
  }
}

/** Breaks the obligation that the option `breaks` names. */
const applyMutant: Middleware = (context, next) => context.document?.mutant?.(context, next) ?? next(context)

const respondByDocument: Handler = context => {
  if (context.document === null) throw new Error('no document was found for a request')
  return respond(context.document.engine, context)
}

const mutate = async (engine: Engine, obligation: string): Promise<Middleware> =>
  (await import('../mutants/mutate.ts')).mutate(engine, obligation)
