import type { NoteEvent, UntestedReason } from '../../spec/index.ts'
import { verifyDefaults } from '../defaults.ts'
import type { Need } from './budget.ts'

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
      `the contract has ${counted(need.obligations)} requirements to test, and this run ${counted(cases)} cases: each of the ${counted(need.operations)} operations gets about ${each}, those first that tell most (at the pace of the first requests, ${time})`,
    ),
  ]
}

/** After the cases: what a deeper run would add, and how long it would take. */
export const restNotes = (
  untested: ReadonlyMap<string, UntestedReason>,
  need: Need,
  pace: Pace,
): readonly NoteEvent[] => {
  const left = [...untested.values()].filter(({ cause }) => cause === 'budget').length
  if (left === 0 || need.obligations <= verifyDefaults.cases || pace.requests === 0) return []
  return [
    info(
      `${counted(left)} requirements got no case: --cases ${need.cases} gives each one, at the pace of this run in ${timeFor(need.cases, pace)}`,
    ),
  ]
}

const counted = (number: number): string => number.toLocaleString('en-US')

const timeFor = (cases: number, { requests, ms }: Pace): string => {
  const seconds = Math.ceil((cases * ms) / requests / 1000)
  return seconds < 100 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`
}

const info = (message: string): NoteEvent => ({ type: 'note', level: 'info', message })
