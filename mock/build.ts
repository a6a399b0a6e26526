import { type Contract, loadContract, type Tokens, type Unauthenticated } from '../spec/index.ts'
import { withCors } from './cors.ts'
import {
  type Assemble,
  type DocumentOptions,
  type Served,
  type Serving,
  type Source,
  sourcesOf,
  withOwnIds,
} from './documents.ts'
import { createDesk, type Engine } from './engine.ts'
import { createExamples, type Examples } from './examples.ts'
import { healthRoutes } from './health.ts'
import { type Clock, createJournal, type Journal, withJournal } from './journal.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { metricsRoutes } from './metrics-routes.ts'
import { onChange } from './on-change.ts'
import { type OwnRoutes, withOwn } from './own.ts'
import { byPrefix } from './prefix.ts'
import { createBoard } from './scenario/board.ts'
import { controlRoutes } from './scenario/control.ts'
import type { ScenarioSets, ScenariosByOperation } from './scenario/scenario.ts'
import { type BreakOne, createScenarios, type Home, type Scenarios } from './scenario/scenarios.ts'
import { withScenarios } from './scenario/with-scenarios.ts'

/** What every mount of the mock takes. */
export type AnswerOptions = DocumentOptions & {
  /** Whether documents are read again when one of their files changes. Default false. */
  readonly watch?: boolean
  /** Whether `$ref`s to http(s) addresses are followed. Default false. */
  readonly networkRefs?: boolean
  /** The only tokens that are right. Default: any well-formed one is. */
  readonly tokens?: readonly string[]
  /** How missing or wrong credentials are answered. Default `declared`: by the declared failure. */
  readonly unauthenticated?: Unauthenticated
  /** Whether pages of other origins may use the mock (CORS). Default true. */
  readonly cors?: boolean
  /** The id of one obligation to break; all others are kept. Default: none. */
  readonly breaks?: string
  /** What operations do other than answer as they should, from the start. Default: nothing. */
  readonly scenarios?: ScenariosByOperation
  /** Named sets of scenarios, to be switched on later. Default: none. */
  readonly sets?: ScenarioSets
  /** The name of the set that is on from the start; `scenarios` are put over it. Default: none. */
  readonly set?: string
  /** A whole number; what is drawn by chance follows from it and the request. Default 0. */
  readonly seed?: number
  /** Told what a user should know, such as a bad example in the document. Default: standard error. */
  readonly warn?: (message: string) => void
}

export type Built = {
  readonly engine: Engine
  readonly journal: Journal
  readonly scenarios: Scenarios
  readonly metrics: Metrics
  /** What is served now; the first is the one that answers outside all prefixes. */
  readonly documents: () => readonly Served[]
  /** Looks at every example of the documents, and again when they change. */
  readonly checkExamples: () => Promise<void>
  /** Ends the watching of files and the look at examples. */
  readonly close: () => Promise<void>
}

/** What a mount can tell of. `run`: a name of this life of the mock, in the next one requests are counted from 1 again. */
export type Inside = {
  /** One for each document; the list is another one when they were read again. */
  readonly homes: () => readonly Home[]
  readonly tokens: Tokens
  readonly unauthenticated: Unauthenticated
  readonly journal: Journal
  readonly run: string
}

/**
 * The engine with all that stands around it, for any mount; `more`: paths of its own. Throws DocumentError, OptionError,
 * BreakError and ScenarioError.
 */
export const buildMock = async (
  options: AnswerOptions,
  more: (inside: Inside) => OwnRoutes = () => ({}),
): Promise<Built> => {
  const { unauthenticated = 'declared', networkRefs = false, breaks, sets = {}, seed = 0 } = options
  const { warn = message => console.error(message) } = options
  const sources = sourcesOf(options)
  const means = { tokens: options.tokens ?? null, unauthenticated }
  const board = createBoard()
  const breakOne: BreakOne = async ({ contract, desk }, id) =>
    (await import('./break/break.ts')).breakOne({ contract, ...means, desk, id })
  // What scenarios are about: replaced when documents are read again.
  let homes: readonly (Home & { readonly examples: Examples })[] = []
  let isChecking = false
  const closing = new AbortController()
  const checkExamples = async (): Promise<void> => {
    isChecking = true
    await Promise.all(homes.map(({ examples }) => examples.checkAll(closing.signal)))
  }
  const assemble: Assemble = async given => {
    const served = withOwnIds(given)
    const next = served.map(({ contract, prefix }) => {
      const examples = createExamples(contract, warn)
      return { contract, prefix, examples, desk: createDesk({ contract, ...means, examples, warn }) }
    })
    const owner = Math.max(
      0,
      next.findIndex(({ contract }) => owns(contract, breaks ?? '')),
    )
    const mounted = next.map(async (home, index) => {
      const isBroken = index === owner && breaks !== undefined
      const engine = isBroken ? await breakOne(home, breaks) : home.desk.engine
      const staged = withScenarios(engine, { ...home, board, seed })
      return { prefix: home.prefix, engine: staged, nowhere: home.desk.nowhere }
    })
    const engine = byPrefix(await Promise.all(mounted))
    homes = next
    if (isChecking) void checkExamples()
    return engine
  }
  const serving =
    options.watch === true
      ? await (await import('./watch-documents.ts')).watchDocuments({ sources, networkRefs, assemble, warn })
      : await readDocuments(sources, networkRefs, assemble)
  const close = (): Promise<void> => {
    closing.abort()
    return serving.close()
  }
  const staging = { homes: () => homes, board, sets, breakOne, ticks: clock.ticks }
  const scenarios = await createScenarios(staging, options).catch(async error => {
    await close()
    throw error
  })
  const documents = onChange(serving.documents, withOwnIds)
  const journal = createJournal(clock)
  const metrics = createMetrics()
  const judged = withJournal(serving.engine, journal, metrics, clock)
  const open = options.cors === false ? judged : withCors(judged)
  const own = {
    ...healthRoutes(documents),
    ...metricsRoutes(metrics, documents),
    ...controlRoutes(scenarios),
    ...more({ homes: () => homes, ...means, journal, run: clock.now().toString(36) }),
  }
  return { engine: withOwn(open, own), journal, scenarios, metrics, documents, checkExamples, close }
}

const readDocuments = async (
  sources: readonly Source[],
  networkRefs: boolean,
  assemble: Assemble,
): Promise<Serving> => {
  const documents = await Promise.all(
    sources.map(async ({ prefix, from }) => ({
      prefix,
      contract: typeof from === 'string' ? await loadContract({ from, networkRefs }) : from,
      problem: null,
    })),
  )
  return { engine: await assemble(documents), documents: () => documents, close: async () => {} }
}

const owns = ({ operations }: Contract, obligation: string): boolean =>
  operations.some(({ id }) => obligation.startsWith(`${id}/`))

export const clock: Clock = { now: () => Date.now(), ticks: () => performance.now() }
