import type { Family, Obligation, UntestedReason } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { expectationOf } from '../cases/expectation.ts'
import type { StrategyContext } from '../cases/strategies/index.ts'
import { verifyDefaults } from '../defaults.ts'
import { againIn, inContractBreadth, isValid } from './breadth.ts'
import { firstCases, isDrift, isProtocol } from './budget.ts'
import {
  createRow,
  type Draw,
  hasCases,
  isEndless,
  type Row,
  type StrategyMaker,
  sizeUpTo,
  strategyIn,
} from './row.ts'

export type Plan = {
  /** The number of cases, at most. */
  readonly most: number
  /** Each is made when it is asked for. Their order follows from contract, seed and budget alone. */
  readonly cases: Iterable<TestCase>
  /** Why obligations have no case; complete when there are no more cases. */
  readonly untested: ReadonlyMap<string, UntestedReason>
}

export type PlanOptions = {
  readonly obligations: readonly Obligation[]
  /** Operations that come late if the contract is large. */
  readonly acting: ReadonlySet<string>
  /** Whether most of the time is over, so that these have to begin. */
  readonly isLateDue?: () => boolean
  /** Operations that nobody had the time to ask anything: they come first, and the others get as little as these to begin with. */
  readonly unasked?: ReadonlySet<string>
  readonly contextOf: (operation: string) => StrategyContext
  readonly cases: number
  /** The secret of an operation that is right when a case is made. */
  readonly tokenOf: (operation: string) => string
  /** Once this is true, only those cases follow that have to come last. */
  readonly isTimeUp: () => boolean
}

/** The families whose cases come first: a short run has to see what matters most. */
const byWeight: readonly Family[] = [
  ...(['auth', 'state', 'ownership', 'idempotency', 'conditional'] as const),
  ...(['reject', 'accept', 'stability', 'unspecified', 'protocol'] as const),
]

/** Any valid request first: if that fails, nothing else shows anything. */
const rankOf = ({ family, subject }: Obligation): number =>
  subject.kind === 'valid' ? -1 : byWeight.indexOf(family)

/**
 * Each obligation once, the weightiest first, then what is left of the finite ones, then random cases up to the budget. If a contract
 * has more obligations than the budget has cases, or than an ordinary run has, its operations take turns (see `inContractBreadth`).
 */
export const createPlan = (options: PlanOptions): Plan => {
  const untested = new Map<string, UntestedReason>()
  const maker: StrategyMaker = {
    contextOf: options.contextOf,
    onUnsupported: ({ id }, reason) => untested.set(id, reason),
  }
  const rows = options.obligations
    .filter(hasCases)
    .map(obligation => createRow(obligation, maker))
    .sort((left, right) => rankOf(left.obligation) - rankOf(right.obligation))
  return {
    most: sizeUpTo(rows, options.cases),
    cases: casesOf(rows, options, untested),
    untested,
  }
}

// A run on a large contract may be stopped before its end, whatever its budget.
const isLarge = (rows: readonly Row[], budget: number): boolean =>
  rows.length > Math.min(budget, verifyDefaults.cases) &&
  rows.some(({ obligation }) => obligation.operation !== rows[0]?.obligation.operation)

/** An obligation gets no more cases after this many requests in a row that do not test it. */
const attempts = 20

function* casesOf(
  rows: readonly Row[],
  { cases: budget, acting, isLateDue, unasked = new Set(), contextOf, tokenOf, isTimeUp }: PlanOptions,
  untested: Map<string, UntestedReason>,
): Generator<TestCase> {
  let number = 0
  const isAsked = ({ obligation }: Row): boolean => !unasked.has(obligation.operation)
  const isInTurns = isLarge(rows, budget) || unasked.size > 0
  const draw: Draw = row => {
    const { obligation } = row
    const strategy = strategyIn(row)
    if (strategy === null) return null
    const { model } = contextOf(obligation.operation)
    for (let attempt = 0; attempt < attempts && row.index < strategy.size; attempt++) {
      const index = row.index++
      // The first of a valid request was sent before the plan.
      const isRichest = index === 0 && isInTurns && isAsked(row) && strategy.richest !== undefined
      const spec = isRichest ? strategy.richest(number) : strategy.make(index, number)
      const expected =
        spec === null ? null : expectationOf(model, obligation, spec, tokenOf(obligation.operation))
      if (spec === null || expected === null) continue
      row.cases += 1
      const precondition = strategy.preconditionOf?.(index) ?? strategy.precondition
      return { number: number++, obligation, spec, precondition, ...expected }
    }
    if (row.cases === 0) untested.set(obligation.id, noCaseOf(obligation))
    return null
  }
  // Cases that may bring the server down come late, so that they hide nothing. Those that show whether it lasts come last.
  const last = [isProtocol, isDrift].flatMap(is => rows.filter(({ obligation }) => is(obligation)))
  const main = rows
    .filter(row => !isLast(row))
    .sort((left, right) => Number(isAsked(left)) - Number(isAsked(right)))
  // They get what the others do not need for one case each, and a quarter of a small budget.
  const isOneEach = isInTurns && main.length > budget
  const obligations = main.map(({ obligation }) => obligation)
  const again = isInTurns && !isOneEach ? againIn(obligations) : 0
  const first = firstCases(obligations, again)
  const reserve = Math.max(Math.ceil(budget / 4), budget - first)
  const needed = isOneEach ? last.length : Number.POSITIVE_INFINITY
  const limit = Math.max(0, budget - sizeUpTo(last, Math.min(reserve, needed)))
  const isFull = (): boolean => isTimeUp() || number >= limit
  const open = yield* inBreadth(
    isInTurns ? inContractBreadth(main, again, acting, unasked, isLateDue) : main,
    isOneEach ? drawOnce(draw) : draw,
    row => (isValid(row) && (again === 0 || unasked.size > 0) ? 1 : (strategyIn(row)?.first ?? 1)),
    isFull,
  )
  yield* inDepth(open, draw, isFull)
  yield* isInTurns
    ? inTurns(last, draw, () => number >= budget)
    : oneByOne(last, draw, () => number >= budget)
  const reason = isTimeUp() ? noTime : tooFewCases(budget)
  for (const row of rows)
    if (row.cases === 0 && !untested.has(row.obligation.id)) untested.set(row.obligation.id, reason)
}

/** Draws from rows that will hardly get another case, so that the values which a strategy has ready are not kept for it. */
const drawOnce =
  (draw: Draw): Draw =>
  row => {
    const testCase = draw(row)
    row.strategy = undefined
    return testCase
  }

/** What could not be generated, by what the cases of a family do. */
const noCaseOf = ({ family }: Obligation): UntestedReason => ({
  cause: 'unsupported',
  reason:
    family === 'reject' || family === 'auth'
      ? 'no request could be generated that violates this requirement alone'
      : family === 'unspecified'
        ? 'no request could be generated that asks this question'
        : 'no valid request of this kind could be generated',
})

const noTime: UntestedReason = { cause: 'time', reason: 'the time was up before its first case' }

const tooFewCases = (budget: number): UntestedReason => ({
  cause: 'budget',
  reason: `the budget of ${budget} cases ended before its first case: raise --cases`,
})

const isLast = ({ obligation }: Row): boolean => isProtocol(obligation) || isDrift(obligation)

/** After this many rounds only finite strategies go on, before the endless ones are explored in depth. */
const evenRounds = 5

/** An endless strategy goes through its edge cases, and then waits until the others are through. */
const isWaiting = (row: Row, round: number): boolean =>
  round >= evenRounds && isEndless(row) && round >= (strategyIn(row)?.edgeCases ?? 0)

/** One case of each row in each round, of some more in the first, until only rows are left that wait. Gives these. */
function* inBreadth(
  rows: Iterable<Row>,
  draw: Draw,
  firstOf: (row: Row) => number,
  isFull: () => boolean,
): Generator<TestCase, readonly Row[]> {
  let open = rows
  for (let round = 0; round < evenRounds || !Array.from(open).every(row => isWaiting(row, round)); round++) {
    const left = new Set<Row>()
    for (const row of open) {
      if (isFull()) return []
      const count = round === 0 && !left.has(row) ? firstOf(row) : 1
      let testCase = isWaiting(row, round) ? null : draw(row)
      if (testCase !== null) yield testCase
      for (let more = 1; more < count && testCase !== null && !isFull(); more++) {
        testCase = draw(row)
        if (testCase !== null) yield testCase
      }
      if (testCase !== null || isWaiting(row, round)) left.add(row)
    }
    open = [...left]
  }
  return [...open]
}

/** One row after the other, each to its end. */
function* oneByOne(rows: readonly Row[], draw: Draw, isFull: () => boolean): Generator<TestCase> {
  for (const row of rows)
    while (!isFull()) {
      const testCase = draw(row)
      if (testCase === null) break
      yield testCase
    }
}

/** Rows in turns, until all are at their end. */
function* inTurns(rows: readonly Row[], draw: Draw, isFull: () => boolean): Generator<TestCase> {
  for (let open = rows; open.length > 0; ) {
    const left: Row[] = []
    for (const row of open) {
      if (isFull()) return
      const testCase = draw(row)
      if (testCase === null) continue
      yield testCase
      left.push(row)
    }
    open = left
  }
}

/** Endless rows in turns, as many in each round as they weigh. */
function* inDepth(rows: readonly Row[], draw: Draw, isFull: () => boolean): Generator<TestCase> {
  let turns = rows.flatMap(row => Array.from({ length: strategyIn(row)?.weight ?? 0 }, () => row))
  while (turns.length > 0) {
    const exhausted = new Set<Row>()
    for (const row of turns) {
      if (isFull()) return
      const testCase = exhausted.has(row) ? null : draw(row)
      if (testCase === null) exhausted.add(row)
      else yield testCase
    }
    if (exhausted.size > 0) turns = turns.filter(row => !exhausted.has(row))
  }
}
