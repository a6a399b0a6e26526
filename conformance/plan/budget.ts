import type { Obligation } from '../../spec/index.ts'
import { verifyDefaults } from '../defaults.ts'
import { hasCases } from './row.ts'

/** What a contract asks of a run. */
export type Need = {
  /** Obligations with cases of their own. */
  readonly obligations: number
  readonly operations: number
  /** The cases of a plan in which each of them gets one. */
  readonly cases: number
}

/** A run that tests everything once has to be affordable: beyond the first its operations share the budget, which is one of the others. */
const most = { whole: 20_000, shared: 3_000, perOperation: 3 } as const

export const needOf = (obligations: readonly Obligation[]): Need => {
  const own = obligations.filter(hasCases)
  const operations = new Set(own.map(({ operation }) => operation)).size
  // A quarter of a plan is kept for what has to come last.
  return { obligations: own.length, operations, cases: own.length + Math.ceil(own.length / 3) }
}

/** The cases of a run that is not told how many: what the contract needs, but not without limit. */
export const defaultCases = ({ operations, cases }: Need): number =>
  cases <= most.whole
    ? Math.max(verifyDefaults.cases, cases)
    : Math.max(most.shared, most.perOperation * operations)
