import { isCounted, type Level } from '../obligations/obligation.ts'
import type { UntestedCause, Verdict } from './event.ts'
import type { Entry, Ledger } from './ledger.ts'

/** How much of the obligations that count (MUST, and SHOULD in a strict run) a run tested. */
export type Coverage = {
  readonly total: number
  readonly tested: number
  readonly passed: number
  /** Those that the run could have tested, and did not. */
  readonly leftOut: number
  /** Those for which the suite could make no request. */
  readonly unsupported: number
}

const leftOutCauses: readonly UntestedCause[] = [
  'selection',
  'budget',
  'time',
  'bail',
  'interrupt',
  'shard',
  'access',
  'fixture',
]

/** Whether a run left an obligation out that it could have tested: such a run is partial. */
export const isLeftOut = (verdict: Verdict): boolean =>
  verdict.kind === 'untested' && leftOutCauses.includes(verdict.cause)

/** Whether a partial run tested the share of what counts that it has to; 1: a partial run never does. */
export const isTestedBy = (ledger: Ledger, share: number): boolean => {
  const { tested, total } = coverageOf(ledger)
  return share < 1 && tested >= share * total
}

/** The same, by what the run itself was told to accept. */
export const isAcceptedPart = (ledger: Ledger): boolean =>
  ledger.end?.conclusion === 'partial' && isTestedBy(ledger, Number(ledger.start.policies['min-tested'] ?? 1))

export const coverageOf = ({ start, entries }: Ledger): Coverage => {
  const counted = entries.filter(({ obligation }) =>
    isCounted(obligation.level, start.policies.strict === 'true'),
  )
  const isUnsupported = ({ verdict }: Entry): boolean =>
    verdict.kind === 'untested' && verdict.cause === 'unsupported'
  return {
    ...tallyOf(counted),
    leftOut: counted.filter(({ verdict }) => isLeftOut(verdict)).length,
    unsupported: counted.filter(isUnsupported).length,
  }
}

/** How many obligations of a level a run had, tested, and saw passed. */
export type Tally = { readonly total: number; readonly tested: number; readonly passed: number }

export const levelTally = ({ entries }: Ledger, level: Level): Tally =>
  tallyOf(entries.filter(({ obligation }) => obligation.level === level))

/**
 * The conformance score: the percentage of all MUST obligations of the contract that were tested and passed, rounded down, so that
 * 100 means all. What was left out, is inconclusive, waived or in the baseline has not passed; SHOULD never counts. 0 if there are none.
 */
export const scoreOf = (ledger: Ledger): number => {
  const { total, passed } = levelTally(ledger, 'MUST')
  return total === 0 ? 0 : Math.floor((100 * passed) / total)
}

const tallyOf = (entries: readonly Entry[]): Tally => {
  const numberOf = (is: (kind: Verdict['kind']) => boolean): number =>
    entries.filter(({ verdict }) => is(verdict.kind)).length
  return {
    total: entries.length,
    tested: numberOf(kind => kind !== 'untested'),
    passed: numberOf(kind => kind === 'passed' || kind === 'fixed'),
  }
}
