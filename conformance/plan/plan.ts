import type { Family, Obligation, UntestedReason } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { expectationOf } from '../cases/expectation.ts'
import { type Strategy, type StrategyContext, strategyOf } from '../cases/strategies/index.ts'

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
  /** By operation. */
  readonly contexts: ReadonlyMap<string, StrategyContext>
  readonly cases: number
  /** The token that is right when a case is made. */
  readonly token: () => string
  /** Once this is true, only those cases follow that have to come last. */
  readonly isTimeUp: () => boolean
}

type Row = {
  readonly obligation: Obligation
  readonly context: StrategyContext
  readonly strategy: Strategy
  /** The index of its next request. */
  index: number
  /** How many cases it has got. */
  cases: number
}

/** The families whose cases come first: a short run has to see what matters most. */
const byWeight: readonly Family[] = ['auth', 'reject', 'accept', 'stability', 'unspecified', 'protocol']

/** Any valid request first: if that fails, nothing else shows anything. */
const rankOf = ({ family, subject }: Obligation): number =>
  subject.kind === 'valid' ? -1 : byWeight.indexOf(family)

/** Each obligation once, the weightiest first, then what is left of the finite ones, then random cases up to the budget. */
export const createPlan = (options: PlanOptions): Plan => {
  const untested = new Map<string, UntestedReason>()
  const rows: Row[] = []
  for (const obligation of options.obligations) {
    const context = options.contexts.get(obligation.operation)
    const strategy = context === undefined ? null : strategyOf(context, obligation)
    if (context === undefined || strategy === null) continue
    if ('unsupported' in strategy)
      untested.set(obligation.id, { cause: 'unsupported', reason: strategy.unsupported })
    else rows.push({ obligation, context, strategy, index: 0, cases: 0 })
  }
  rows.sort((left, right) => rankOf(left.obligation) - rankOf(right.obligation))
  return {
    most: Math.min(options.cases, sizeOf(rows)),
    cases: casesOf(rows, options, untested),
    untested,
  }
}

/** An obligation gets no more cases after this many requests in a row that do not test it. */
const attempts = 20

function* casesOf(
  rows: readonly Row[],
  { cases: budget, token, isTimeUp }: PlanOptions,
  untested: Map<string, UntestedReason>,
): Generator<TestCase> {
  let number = 0
  const draw = (row: Row): TestCase | null => {
    const { obligation, context, strategy } = row
    for (let attempt = 0; attempt < attempts && row.index < strategy.size; attempt++) {
      const index = row.index++
      const spec = strategy.make(index, number)
      const expected = spec === null ? null : expectationOf(context.model, obligation, spec, token())
      if (spec === null || expected === null) continue
      row.cases += 1
      const precondition = strategy.preconditionOf?.(index) ?? strategy.precondition
      return { number: number++, obligation, spec, precondition, ...expected }
    }
    if (row.cases === 0) untested.set(obligation.id, noCase)
    return null
  }
  // Cases that may bring the server down come late, so that they hide nothing. Those that show whether it lasts come last.
  const last = [...rows.filter(isProtocol), ...rows.filter(isDrift)]
  const main = rows.filter(row => !last.includes(row))
  // They get what the others do not need for one case each, and a quarter of a small budget.
  const reserve = Math.max(Math.ceil(budget / 4), budget - main.length)
  const limit = Math.max(0, budget - Math.min(sizeOf(last), reserve))
  const isFull = (): boolean => isTimeUp() || number >= limit
  const open = yield* inBreadth(main, draw, isFull)
  yield* inDepth(open, draw, isFull)
  for (const row of last)
    while (number < budget) {
      const testCase = draw(row)
      if (testCase === null) break
      yield testCase
    }
  for (const { obligation, cases } of rows)
    if (cases === 0 && !untested.has(obligation.id))
      untested.set(obligation.id, isTimeUp() ? noTime : tooFewCases(budget))
}

const noCase: UntestedReason = {
  cause: 'unsupported',
  reason: 'no request could be generated that violates this obligation alone',
}

const noTime: UntestedReason = { cause: 'time', reason: 'the time was up before its first case' }

const tooFewCases = (budget: number): UntestedReason => ({
  cause: 'budget',
  reason: `the budget of ${budget} cases ended before its first case: raise --cases`,
})

const sizeOf = (rows: readonly Row[]): number => rows.reduce((sum, { strategy }) => sum + strategy.size, 0)

const isProtocol = ({ obligation }: Row): boolean => obligation.family === 'protocol'

const isDrift = ({ obligation: { subject } }: Row): boolean =>
  subject.kind === 'stability' && subject.name === 'drift'

const isEndless = ({ strategy }: Row): boolean => strategy.size === Number.POSITIVE_INFINITY

/** After this many rounds only finite strategies go on, before the endless ones are explored in depth. */
const evenRounds = 5

/** An endless strategy goes through its edge cases, and then waits until the others are through. */
const isWaiting = (row: Row, round: number): boolean =>
  isEndless(row) && round >= Math.max(evenRounds, row.strategy.edgeCases ?? 0)

type Draw = (row: Row) => TestCase | null

/** One case of each row in each round, until only rows are left that wait. Gives these. */
function* inBreadth(
  rows: readonly Row[],
  draw: Draw,
  isFull: () => boolean,
): Generator<TestCase, readonly Row[]> {
  let open = rows
  for (let round = 0; !open.every(row => isWaiting(row, round)); round++) {
    const left: Row[] = []
    for (const row of open) {
      if (isFull()) return []
      const testCase = isWaiting(row, round) ? null : draw(row)
      if (testCase !== null) yield testCase
      if (testCase !== null || isWaiting(row, round)) left.push(row)
    }
    open = left
  }
  return open
}

/** Endless rows in turns, as many in each round as they weigh. */
function* inDepth(rows: readonly Row[], draw: Draw, isFull: () => boolean): Generator<TestCase> {
  let turns = rows.flatMap(row => Array.from({ length: row.strategy.weight }, () => row))
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
