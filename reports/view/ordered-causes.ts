import type { Cause } from './causes.ts'
import type { Summary } from './summary.ts'

export type CauseStatus = 'failed' | 'warning' | 'waived' | 'baselined'

/** Every cause with its status, what counts first: the order that links and numbers go by. */
export const orderedCauses = ({
  causes,
  baselined,
}: Summary): readonly { readonly cause: Cause; readonly status: CauseStatus }[] => {
  const inBaseline = new Set(
    baselined.flatMap(({ entries }) => entries.map(({ obligation }) => obligation.id)),
  )
  return [
    ...causes.failing.map(cause => ({ cause, status: 'failed' as const })),
    ...causes.warning.map(cause => ({ cause, status: 'warning' as const })),
    ...causes.excused.map(cause => ({
      cause,
      status: inBaseline.has(cause.findings[0].obligation) ? ('baselined' as const) : ('waived' as const),
    })),
  ]
}
