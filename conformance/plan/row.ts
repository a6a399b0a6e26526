import { type Obligation, rejectionQuestions, type UntestedReason } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { type Strategy, type StrategyContext, strategyOf } from '../cases/strategies/index.ts'

/** One obligation in a plan. */
export type Row = {
  readonly obligation: Obligation
  /** Made when its first case is drawn: of a large contract, most obligations never get one. Null: it has no cases of its own. */
  readonly strategy: () => Strategy | null
  readonly context: () => StrategyContext
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

/** The row of an obligation; `onUnsupported` is told why there is no strategy for it. */
export const createRow = (
  obligation: Obligation,
  contextOf: (operation: string) => StrategyContext,
  onUnsupported: (reason: UntestedReason) => void,
): Row => {
  let made: Strategy | null | undefined
  const context = (): StrategyContext => contextOf(obligation.operation)
  const make = (): Strategy | null => {
    const strategy = strategyOf(context(), obligation)
    if (strategy === null || !('unsupported' in strategy)) return strategy
    onUnsupported({ cause: 'unsupported', reason: strategy.unsupported })
    return null
  }
  const strategy = (): Strategy | null => {
    if (made === undefined) made = make()
    return made
  }
  return { obligation, strategy, context, index: 0, cases: 0 }
}

/** How many requests a row has, and whether that is without end. */
export const sizeOf = (row: Row): number => row.strategy()?.size ?? 0
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
