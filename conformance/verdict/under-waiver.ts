import { causeOf, causesIn, type Finding, type Verdict, type Waiver } from '../../spec/index.ts'

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
