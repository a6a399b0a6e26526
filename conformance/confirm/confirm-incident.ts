import { beyondPlan } from '../cases/case.ts'
import { signature } from '../judge/observation-text.ts'
import type { Incident } from '../judge/run-stats.ts'
import { minimise } from './minimise.ts'
import { type ConfirmOptions, isCostly, resend } from './resend.ts'

/** An incident that was sent again. */
export type Confirmed = {
  readonly incident: Incident
  /** `steady`: it came every time, and was minimised. */
  readonly repeat: 'steady' | 'flaky'
  /** Equal for incidents of one cause. */
  readonly key: string
}

const repeats = 2
const candidates = 3

/**
 * Planned cases come before others, then those with a smaller body: they are minimised faster and say more. Of equal ones the first
 * of the plan, whichever was sent first.
 */
export const smallestFirst = (left: Incident, right: Incident): number =>
  Number(left.testCase.number >= beyondPlan) - Number(right.testCase.number >= beyondPlan) ||
  (left.testCase.request.body?.length ?? 0) - (right.testCase.request.body?.length ?? 0) ||
  left.testCase.number - right.testCase.number

/** Sends incidents again until one violates the obligation every time; then minimises it. Null if there are none. */
export const confirmIncidents = async (
  obligation: string,
  incidents: readonly Incident[],
  options: ConfirmOptions,
): Promise<Confirmed | null> => {
  const sorted = [...incidents].sort(smallestFirst)
  for (const incident of sorted.slice(0, candidates)) {
    const repeated = await repeat(obligation, incident, options)
    if (repeated !== null) return { repeat: 'steady', ...(await minimise(obligation, repeated, options)) }
  }
  return unconfirmed(sorted)
}

/** The first incident, which did not come again or was not sent again. */
export const unconfirmed = ([first]: readonly Incident[]): Confirmed | null =>
  first === undefined ? null : { incident: first, repeat: 'flaky', key: `flaky ${signature(first.outcome)}` }

const repeat = async (
  obligation: string,
  { testCase, outcome }: Incident,
  options: ConfirmOptions,
): Promise<Incident | null> => {
  let last: Incident | null = null
  const times = isCostly(outcome) ? 1 : repeats
  for (let time = 0; time < times; time++) {
    last = await resend(obligation, testCase, testCase.spec, options)
    if (last === null) return null
  }
  return last
}
