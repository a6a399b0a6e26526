import { type Conclusion, isCounted, isLeftOut, type Obligation, type Verdict } from '../../spec/index.ts'
import type { RunResults } from '../execute/evidence.ts'
import type { Scope } from '../options/scope.ts'

/** An obligation and what became of it. */
export type Verdicts = readonly { readonly obligation: Obligation; readonly verdict: Verdict }[]

/**
 * What the verdicts say about the server as a whole. A waiver or an entry of the baseline that has to go fails a run just as a
 * failed obligation does. A run that left something out that counts is never conformant.
 */
export const conclusionOf = (
  verdicts: Verdicts,
  { stopped, cases }: Pick<RunResults, 'stopped' | 'cases'>,
  { waivers, rules }: Scope,
): Conclusion => {
  const counted = verdicts.filter(({ obligation }) => isCounted(obligation.level, rules.strict))
  if (
    waivers.expired.length > 0 ||
    verdicts.some(({ verdict }) => verdict.kind === 'fixed') ||
    counted.some(({ verdict }) => verdict.kind === 'failed')
  )
    return 'nonconformant'
  if (stopped === 'unreachable' || stopped === 'access' || stopped === 'fault' || cases === 0)
    return 'inconclusive'
  const isCut = stopped === 'interrupt' || stopped === 'shard' || stopped === 'bail'
  return isCut || counted.some(({ verdict }) => isLeftOut(verdict)) ? 'partial' : 'conformant'
}
