import { type Obligation, rejectionQuestions, type UntestedReason } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { type Strategy, type StrategyContext, strategyOf } from '../cases/strategies/index.ts'

/** How the strategies of a plan are made. */
export type StrategyMaker = {
  readonly contextOf: (operation: string) => StrategyContext
  /** Is told why there is no strategy for an obligation. */
  readonly onUnsupported: (obligation: Obligation, reason: UntestedReason) => void
}

/** One obligation in a plan. A large contract has a hundred thousand, so a row is as small as it can be. */
export type Row = {
  readonly obligation: Obligation
  readonly maker: StrategyMaker
  /** Its strategy, once it is needed; null if it has none. See `strategyIn`. */
  strategy: Strategy | null | undefined
  /** The index of its next request. */
  index: number
  /** How many cases it has got. */
  cases: number
}

/** Whether an obligation may have cases of its own: some are judged by every response, others by the cases of their neighbours. */
export const hasCases = ({ subject }: Obligation): boolean => {
  switch (subject.kind) {
    case 'response':
    case 'response-time':
      return false
    case 'unspecified':
      return !answeredByOthers.has(subject.name)
    case 'stability':
      return subject.name !== 'connection'
    default:
      return true
  }
}

/** Open questions that the cases of rejections answer. */
const answeredByOthers = new Set<string>(Object.values(rejectionQuestions))

export const createRow = (obligation: Obligation, maker: StrategyMaker): Row => ({
  obligation,
  maker,
  strategy: undefined,
  index: 0,
  cases: 0,
})

/** The strategy of a row, made when its first case is drawn: of a large contract, most obligations never get one. Null: it has none. */
export const strategyIn = (row: Row): Strategy | null => {
  if (row.strategy === undefined) row.strategy = makeStrategy(row)
  return row.strategy
}

const makeStrategy = ({ obligation, maker: { contextOf, onUnsupported } }: Row): Strategy | null => {
  const strategy = strategyOf(contextOf(obligation.operation), obligation)
  if (strategy === null || !('unsupported' in strategy)) return strategy
  const { unsupported: reason, cause = 'unsupported' } = strategy
  onUnsupported(obligation, { cause, reason })
  return null
}

/** How many requests a row has, and whether that is without end. */
export const sizeOf = (row: Row): number => strategyIn(row)?.size ?? 0
export const isEndless = (row: Row): boolean => sizeOf(row) === Number.POSITIVE_INFINITY

/** The sum of the sizes of rows, as far as it matters: once it reaches `most`, no further strategy is made. */
export const sizeUpTo = (rows: readonly Row[], most: number): number => {
  let sum = 0
  for (const row of rows) {
    if (sum >= most) return most
    sum += sizeOf(row)
  }
  return Math.min(sum, most)
}

/** Draws the next case of a row; null if it has none. */
export type Draw = (row: Row) => TestCase | null
