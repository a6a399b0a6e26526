import { fileURLToPath } from 'node:url'
import { type Contract, loadContract, plantStoreDocument, type Unauthenticated } from '../spec/index.ts'
import { withCors } from './cors.ts'
import { createDesk, type Engine } from './engine.ts'
import { healthRoutes } from './health.ts'
import { type Clock, createJournal, type Journal, withJournal } from './journal.ts'
import { withOwn } from './own.ts'

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
  /** Told what a user should know, such as a bad example in the document. Default: standard error. */
  readonly warn?: (message: string) => void
}

export type Built = { readonly contract: Contract; readonly engine: Engine; readonly journal: Journal }

/** The engine with all that stands around it, for any mount. Throws DocumentError and BreakError. */
export const buildMock = async (options: AnswerOptions): Promise<Built> => {
  const { contract: given = fileURLToPath(plantStoreDocument), unauthenticated = 'declared' } = options
  const { warn = message => console.error(message) } = options
  const contract = typeof given === 'string' ? await loadContract({ from: given }) : given
  const means = { contract, tokens: options.tokens ?? null, unauthenticated }
  const desk = createDesk({ ...means, warn })
  const engine =
    options.breaks === undefined
      ? desk.engine
      : await (await import('./break/break.ts')).breakOne({ ...means, desk, id: options.breaks })
  const journal = createJournal(clock)
  const judged = withJournal(engine, journal, clock)
  const open = options.cors === false ? judged : withCors(judged)
  return { contract, engine: withOwn(open, healthRoutes(contract)), journal }
}

const clock: Clock = { now: () => Date.now(), ticks: () => performance.now() }
