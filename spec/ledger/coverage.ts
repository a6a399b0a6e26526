import { isCounted } from '../obligations/obligation.ts'
import type { UntestedCause, Verdict } from './event.ts'
import type { Ledger } from './ledger.ts'

/** How much of the obligations that count (MUST, and SHOULD in a strict run) a run tested. */
export type Coverage = {
  readonly total: number
  readonly tested: number
  readonly passed: number
  /** Those that the run could have tested, and did not. */
  readonly leftOut: number
}

const leftOutCauses: readonly UntestedCause[] = [
  'selection',
  'budget',
  'time',
  'bail',
  'interrupt',
  'shard',
  'access',
]

/** Whether a run left an obligation out that it could have tested: such a run is partial. */
export const isLeftOut = (verdict: Verdict): boolean =>
  verdict.kind === 'untested' && leftOutCauses.includes(verdict.cause)

/** Whether a partial run tested the share of what counts that it has to; 1: a partial run never does. */
export const isTestedBy = (ledger: Ledger, share: number): boolean => {
  const { tested, total } = coverageOf(ledger)
  return share < 1 && tested >= share * total
}

export const coverageOf = ({ start, entries }: Ledger): Coverage => {
  const counted = entries.filter(({ obligation }) =>
    isCounted(obligation.level, start.policies.strict === 'true'),
  )
  const numberOf = (is: (verdict: Verdict) => boolean): number =>
    counted.filter(({ verdict }) => is(verdict)).length
  return {
    total: counted.length,
    tested: numberOf(({ kind }) => kind !== 'untested'),
    passed: numberOf(({ kind }) => kind === 'passed' || kind === 'fixed'),
    leftOut: numberOf(isLeftOut),
  }
}
