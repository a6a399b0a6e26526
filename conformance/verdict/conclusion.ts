import { type Conclusion, isCounted, isLeftOut, type Obligation, type Verdict } from '../../spec/index.ts'
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
  if (stopped === 'unreachable' || stopped === 'access' || stopped === 'fault' || cases === 0)
    return 'inconclusive'
  if (waivers.expired.length > 0 || verdicts.some(({ verdict }) => verdict.kind === 'fixed'))
    return 'outdated'
  if (counted.some(({ verdict }) => isUndecided(verdict))) return 'inconclusive'
  const isCut = stopped === 'interrupt' || stopped === 'shard' || stopped === 'bail'
  if (isCut || isShort || counted.some(({ verdict }) => isLeftOut(verdict))) return 'partial'
  return isAny('waived') || isAny('baselined') ? 'accepted' : 'conformant'
}

/** Whether a run could have told whether a requirement is met, but did not. */
const isUndecided = (verdict: Verdict): boolean =>
  verdict.kind === 'inconclusive' && verdict.reason !== duplicateReason
