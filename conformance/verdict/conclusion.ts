import {
  type Conclusion,
  causeOf,
  causesIn,
  type Finding,
  isCounted,
  isLeftOut,
  type Obligation,
  type Stop,
  type Verdict,
  type Waiver,
} from '../../spec/index.ts'
import { duplicateReason } from '../diagnose/diagnose.ts'
import type { RunResults } from '../execute/evidence.ts'
import type { Scope } from '../options/scope.ts'

/** An obligation and what became of it; `note`: why its waiver does not hold. */
export type Verdicts = readonly {
  readonly obligation: Obligation
  readonly verdict: Verdict
  readonly note: string | null
}[]

/**
 * What the verdicts say about the server as a whole. A run is conformant only if it had the cases that the contract needs, and nothing
 * that counts was left out or is accepted by a waiver or the baseline. An outdated waiver or baseline entry says nothing about the
 * server, but keeps a run from success.
 */
export const conclusionOf = (
  verdicts: Verdicts,
  { stopped, cases, isShort }: Pick<RunResults, 'stopped' | 'cases' | 'isShort'>,
  { waivers, rules }: Scope,
): Conclusion => {
  const counted = verdicts.filter(({ obligation }) => isCounted(obligation.level, rules.strict))
  const isAny = (kind: Verdict['kind']): boolean => counted.some(({ verdict }) => verdict.kind === kind)
  if (isAny('failed')) return 'nonconformant'
  if (isServerGone(stopped) || stopped === 'fault' || cases === 0) return 'inconclusive'
  if (waivers.expired.length > 0 || verdicts.some(({ verdict }) => verdict.kind === 'fixed'))
    return 'outdated'
  if (counted.some(({ verdict }) => isUndecided(verdict))) return 'inconclusive'
  const isCut = stopped === 'interrupt' || stopped === 'shard' || stopped === 'bail'
  if (isCut || isShort || counted.some(({ verdict }) => isLeftOut(verdict))) return 'partial'
  return isAny('waived') || isAny('baselined') ? 'accepted' : 'conformant'
}

/** Whether the server serves nothing any more, or not to this run, so that nothing could be sent again. */
export const isServerGone = (stopped: Stop): boolean => stopped === 'unreachable' || stopped === 'access'

/** Whether a run could have told whether a requirement is met, but did not. */
const isUndecided = (verdict: Verdict): boolean =>
  verdict.kind === 'inconclusive' && verdict.reason !== duplicateReason

/** A verdict under a waiver, and why the waiver does not hold a failure; null if it does, or nothing failed. */
export type Waived = { readonly verdict: Verdict; readonly note: string | null }

/**
 * `isNeeded`: the waiver holds a failure of some obligation. `share`: of the cases of this obligation, how many failed.
 */
export const underWaiver = (
  verdict: Verdict,
  waiver: Waiver,
  {
    id,
    findings,
    share,
    isNeeded,
  }: {
    readonly id: string
    readonly findings: readonly Finding[]
    readonly share: number
    readonly isNeeded: boolean
  },
): Waived => {
  if (verdict.kind === 'passed') {
    // What fails now and then may pass by chance.
    const isFixed = !isNeeded && waiver.rate === undefined
    return { verdict: isFixed ? { ...verdict, kind: 'fixed', waiver } : verdict, note: null }
  }
  if (verdict.kind !== 'failed') return { verdict, note: null }
  const other = findings.find(finding => !isOfCause(waiver, finding))
  if (other !== undefined)
    return {
      verdict: { ...verdict, finding: other.id },
      note: `${id} fails for another cause than its waiver has («${causeOf(other)}», not «${waiver.cause}»), so it counts`,
    }
  if (waiver.rate !== undefined && share > waiver.rate)
    return {
      verdict,
      note: `${id} fails in ${percent(share)} of its cases, and its waiver allows ${percent(waiver.rate)}, so it counts`,
    }
  return { verdict: { ...verdict, kind: 'waived', waiver }, note: null }
}

const isOfCause = ({ cause }: Waiver, finding: Finding): boolean =>
  cause === undefined || causesIn(cause).includes(causeOf(finding))

const percent = (share: number): string => `${Number((100 * share).toPrecision(2))} %`
