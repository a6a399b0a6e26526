import { fileURLToPath } from 'node:url'
import {
  type Contract,
  loadContract,
  plantStoreDocument,
  type Tokens,
  type Unauthenticated,
} from '../spec/index.ts'
import { withCors } from './cors.ts'
import { createDesk, type Desk, type Engine } from './engine.ts'
import { createExamples, type Examples } from './examples.ts'
import { healthRoutes } from './health.ts'
import { type Clock, createJournal, type Journal, withJournal } from './journal.ts'
import { type OwnRoutes, withOwn } from './own.ts'
import { createBoard } from './scenario/board.ts'
import { controlRoutes } from './scenario/control.ts'
import type { ScenarioSets, ScenariosByOperation } from './scenario/scenario.ts'
import { createScenarios, type Scenarios } from './scenario/scenarios.ts'
import { withScenarios } from './scenario/with-scenarios.ts'

/** What every mount of the mock takes. */
export type AnswerOptions = {
  /** A contract, or the path or URL of an OpenAPI document. Default: the plant store's own. */
  readonly contract?: Contract | string
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
  readonly contract: Contract
  readonly engine: Engine
  readonly journal: Journal
  readonly scenarios: Scenarios
  readonly examples: Examples
}

/** What a mount can tell of. `run`: a name of this life of the mock, in the next one requests are counted from 1 again. */
export type Inside = {
  readonly contract: Contract
  readonly tokens: Tokens
  readonly unauthenticated: Unauthenticated
  readonly desk: Desk
  readonly journal: Journal
  readonly run: string
}

/** The engine with all that stands around it, for any mount; `more`: paths of its own. Throws DocumentError, BreakError and ScenarioError. */
export const buildMock = async (
  options: AnswerOptions,
  more: (inside: Inside) => OwnRoutes = () => ({}),
): Promise<Built> => {
  const { contract: given = fileURLToPath(plantStoreDocument), unauthenticated = 'declared' } = options
  const { warn = message => console.error(message) } = options
  const contract = typeof given === 'string' ? await loadContract({ from: given }) : given
  const means = { contract, tokens: options.tokens ?? null, unauthenticated }
  const examples = createExamples(contract, warn)
  const desk = createDesk({ ...means, examples, warn })
  const breakOne = async (id: string, own: Desk): Promise<Engine> =>
    (await import('./break/break.ts')).breakOne({ ...means, desk: own, id })
  const engine = options.breaks === undefined ? desk.engine : await breakOne(options.breaks, desk)
  const board = createBoard()
  const { sets = {} } = options
  const scenarios = await createScenarios(
    { contract, desk, board, sets, breakOne, ticks: clock.ticks },
    options,
  )
  const staged = withScenarios(engine, { contract, desk, board, seed: options.seed ?? 0 })
  const journal = createJournal(clock)
  const judged = withJournal(staged, journal, clock)
  const open = options.cors === false ? judged : withCors(judged)
  const inside = { ...means, desk, journal, run: clock.now().toString(36) }
  const own = { ...healthRoutes(contract), ...controlRoutes(scenarios), ...more(inside) }
  return { contract, engine: withOwn(open, own), journal, scenarios, examples }
}

const clock: Clock = { now: () => Date.now(), ticks: () => performance.now() }
