import { type Place, pathOf } from '../../spec/index.ts'
import type { Counterexample } from './counterexample.ts'
import type { Difference, DifferenceLevel, SideOutcome } from './difference.ts'

const order: readonly DifferenceLevel[] = ['breaking', 'risky', 'safe']

/** A difference of one operation; `subject`: what its requirement is about, null if it has none. */
export type Found = Difference & { readonly subject: Counterexample['subject'] | null }

/** One difference for one cause: what several operations share has changed in one place. The breaking ones come first. */
export const grouped = (differences: readonly Found[]): readonly Difference[] => {
  const groups = Map.groupBy(differences, causeOf)
  return [...groups.values()].map(together).sort((left, right) => rank(left) - rank(right))
}

const rank = ({ level, concerns, witness }: Difference): number =>
  order.indexOf(level) * 4 + (concerns === 'old-clients' ? 0 : 2) + (witness === null ? 0 : 1)

const causeOf = (difference: Found): string => {
  const { level, concerns, part, subject, message, old, new: now } = difference
  // Of credentials only the document that requires them says anything.
  if (subject?.kind === 'credentials')
    return JSON.stringify([level, concerns, message.replace(/^.*: /, ''), [old, now].map(ruling)])
  // What an operation says itself has a place of its own.
  return JSON.stringify([
    level,
    concerns,
    part,
    subject === null ? message : keywordOf(subject),
    old.place ?? difference.operations,
    now.place ?? difference.operations,
  ])
}

const ruling = ({ violated, place }: SideOutcome): Place | null => (violated?.length === 0 ? null : place)

/** A value of any wrong type is one difference. */
const keywordOf = (subject: Counterexample['subject']): string =>
  subject.kind === 'keyword' && subject.keyword === 'type' ? subject.keyword : (pathOf(subject).at(-1) ?? '')

/** The one with the smallest example, for all operations. */
const together = (same: readonly Found[]): Difference => {
  const { subject: _, ...smallest } = same.reduce((best, each) =>
    (each.witness?.length ?? 0) < (best.witness?.length ?? 0) ? each : best,
  )
  const touches = same.flatMap(each => each.touches)
  return {
    ...smallest,
    operations: [...new Set(same.flatMap(({ operations }) => operations))],
    touches: [...new Map(touches.map(touch => [JSON.stringify(touch), touch])).values()],
  }
}
