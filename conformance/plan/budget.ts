import { type NoteEvent, type Obligation, plural, thousands, type UntestedReason } from '../../spec/index.ts'
import { stabilityCases } from '../cases/strategies/index.ts'
import { verifyDefaults } from '../defaults.ts'
import { againIn, mostFirst } from './breadth.ts'
import { hasCases } from './row.ts'

/** What a contract asks of a run. */
export type Need = {
  /** Obligations with cases of their own. */
  readonly obligations: number
  readonly operations: number
  /** The cases of a plan in which each of them gets one. */
  readonly cases: number
}

/**
 * A default run should take about a minute. Contracts that need more cases than `whole` get a smaller budget, which their operations share;
 * it is smallest where there are very many requirements, as these take time and memory themselves.
 */
const most = { whole: 35_000, shared: 5_000, sharedByVeryMany: 3_000, perOperation: 3 } as const
const veryMany = 100_000

export const needOf = (obligations: readonly Obligation[]): Need => {
  const own = obligations.filter(hasCases)
  const operations = new Set(own.map(({ operation }) => operation)).size
  const drifts = own.filter(isDrift).length
  const main = own.filter(each => !isDrift(each))
  const inFull = firstCases(main, againIn(main)) + drifts * stabilityCases.drift
  // A quarter of a plan is kept for what has to come last.
  return {
    obligations: own.length,
    operations,
    cases: Math.max(own.length + Math.ceil(own.length / 3), inFull),
  }
}

/** The cases until each obligation has had its first; see `againIn`. */
export const firstCases = (obligations: readonly Obligation[], again: number): number =>
  obligations.reduce((sum, obligation) => sum + mostFirst(obligation, again), 0)

export const isProtocol = ({ family }: Obligation): boolean => family === 'protocol'

export const isDrift = ({ subject }: Obligation): boolean =>
  subject.kind === 'stability' && subject.name === 'drift'

/** The cases of a run that is not told how many: what the contract needs, but not without limit. */
export const defaultCases = ({ obligations, operations, cases }: Need): number => {
  if (cases <= most.whole) return Math.max(verifyDefaults.cases, cases)
  const shared = obligations >= veryMany ? most.sharedByVeryMany : most.shared
  return Math.max(shared, most.perOperation * operations)
}

/** How many requests took how long. */
export type Pace = { readonly requests: number; readonly ms: number }

/** Before the cases: what a budget means that does not give every obligation one. */
export const budgetNotes = (cases: number | null, need: Need, pace: Pace): readonly NoteEvent[] => {
  const isEnough = cases === null || cases >= need.cases || need.obligations <= verifyDefaults.cases
  if (isEnough || pace.requests === 0) return []
  const each = Math.max(1, Math.floor(cases / need.operations))
  const time = timeFor(cases, pace)
  return [
    info(
      `the contract has ${thousands(need.obligations)} requirements to test, and this run ${thousands(cases)} cases: each of the ${thousands(need.operations)} operations gets about ${each}, those first that tell most (at the pace of the first requests, ${time})`,
    ),
  ]
}

/** After the cases: what a deeper run would add, and how long it would take. */
export const restNotes = (
  untested: ReadonlyMap<string, UntestedReason>,
  need: Need,
  pace: Pace,
): readonly NoteEvent[] => {
  if (pace.requests === 0) return []
  const leftBy = (limit: UntestedReason['cause']): number =>
    [...untested.values()].filter(({ cause }) => cause === limit).length
  const [left, late] = [leftBy('budget'), leftBy('time')]
  const time = timeFor(need.cases, pace)
  if (late > 0)
    return [
      info(
        `${plural(late, 'requirement')} got no case before the time was up: a run of all takes ${time} at this pace`,
      ),
    ]
  return left === 0 || need.obligations <= verifyDefaults.cases
    ? []
    : [
        info(
          `${plural(left, 'requirement')} got no case: --cases ${need.cases} gives each one, at the pace of this run in ${time}`,
        ),
      ]
}

const timeFor = (cases: number, { requests, ms }: Pace): string => {
  const seconds = Math.ceil((cases * ms) / requests / 1000)
  return seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
}

const info = (message: string): NoteEvent => ({ type: 'note', level: 'info', message })
