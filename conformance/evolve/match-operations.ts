import { type Contract, type Operation, type Place, pathOf } from '../../spec/index.ts'
import type { Counterexample } from './counterexample.ts'
import type { Difference, DifferenceLevel, SideOutcome } from './difference.ts'

/** The operations of two documents by method and path; the names of path parameters do not matter. */
export type Matched = {
  readonly pairs: readonly (readonly [old: Operation, now: Operation])[]
  readonly gone: readonly Operation[]
  readonly added: readonly Operation[]
  /** Those that one of the documents describes in a way that cannot be used. */
  readonly unusable: readonly {
    readonly operation: string
    readonly contract: Contract
    readonly reason: string
  }[]
}

export const matchOperations = (old: Contract, now: Contract): Matched => {
  const unusable = [old, now].flatMap(contract =>
    contract.leftOut.map(({ method, path, problems: [problem] }) => ({
      operation: method === '*' ? path : `${method} ${path}`,
      contract,
      reason: problem?.message ?? 'the document describes it in a way that cannot be used',
    })),
  )
  const leftOut = new Set([old, now].flatMap(({ leftOut: all }) => all.map(shapeOf)))
  const isLeftOut = (operation: Operation): boolean =>
    leftOut.has(shapeOf(operation)) || leftOut.has(shapeOf({ ...operation, method: '*' }))
  const byShape = new Map(now.operations.map(operation => [shapeOf(operation), operation]))
  const shapes = new Set(old.operations.map(shapeOf))
  return {
    pairs: old.operations.flatMap(operation => {
      const other = byShape.get(shapeOf(operation))
      return other === undefined ? [] : [[operation, other] as const]
    }),
    gone: old.operations.filter(operation => !byShape.has(shapeOf(operation)) && !isLeftOut(operation)),
    added: now.operations.filter(operation => !shapes.has(shapeOf(operation)) && !isLeftOut(operation)),
    unusable,
  }
}

const shapeOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string =>
  `${method} ${path.replaceAll(/\{[^{}]*\}/g, '{}')}`

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
