import { type Contract, type Ledger, type Level, stopText } from '../../spec/index.ts'
import { type Difference, differencesBetween, type Shown, type Sides } from './differences.ts'
import { type Seen, seenIn } from './observe.ts'

/** Cases that differ alike, told as one. */
export type ComparedRow = Pick<Difference, 'kind' | 'about' | 'aspect' | 'answers' | 'exchanges'> & {
  readonly level: Level
  readonly requirement: string
  /** How many cases show it; 0: it is about all of them. */
  readonly cases: number
  /** The obligations whose cases show it. */
  readonly obligations: readonly string[]
}

/** Two servers beside each other. */
export type Comparison = {
  readonly ledgers: Sides<Ledger>
  /** One server fails what the other does not. */
  readonly verdicts: readonly ComparedRow[]
  /** The same, where a waiver accepts the failure. */
  readonly waived: readonly ComparedRow[]
  /** What the contract leaves open, and they answer differently; also what both fail, differently. */
  readonly questions: readonly ComparedRow[]
  /** Judged of one server only, as the other gave no occasion. */
  readonly unjudged: readonly ComparedRow[]
  /** What was left out, as a server differs from itself in it. */
  readonly unsteady: readonly ComparedRow[]
  /** Why a server could not be judged, one line each; then nothing is compared. */
  readonly problems: readonly string[]
}

/** Runs of both servers by one plan; a second run of each shows in what a server differs from itself. */
export type ComparedRuns = { readonly a: readonly Ledger[]; readonly b: readonly Ledger[] }

/**
 * Compares two servers by runs with the same contract, seed, budget and policies. A difference counts if the second runs show it
 * as well, and neither server differs from itself in it.
 */
export const comparisonOf = (contract: Contract, { a, b }: ComparedRuns): Comparison => {
  const [first, second] = [a[0], b[0]]
  if (first === undefined || second === undefined) throw new TypeError('each server needs a run')
  const problems = [...a.flatMap(problemsOf('A')), ...b.flatMap(problemsOf('B'))]
  const ledgers: Sides<Ledger> = [first, second]
  if (problems.length > 0)
    return { ledgers, problems, verdicts: [], waived: [], questions: [], unjudged: [], unsteady: [] }
  const [seenOfA, seenOfB] = [a.map(each => seenIn(contract, each)), b.map(each => seenIn(contract, each))]
  const all = differencesBetween(seenOfA[0] as Seen, seenOfB[0] as Seen)
  const isSteady = steadyIn(seenOfA, seenOfB)
  const steady = all.filter(isSteady)
  const rows = rowsOf(first, steady)
  return {
    ledgers,
    problems,
    verdicts: rows.filter(({ kind }) => kind === 'verdict'),
    waived: rows.filter(({ kind }) => kind === 'waived'),
    questions: rows.filter(({ kind }) => kind === 'question' || kind === 'cause'),
    unjudged: rows.filter(({ kind }) => kind === 'unjudged'),
    unsteady: rowsOf(
      first,
      all.filter(each => !isSteady(each)),
    ),
  }
}

/** Compares two servers; each function runs the plan against one of them. Both run again only if anything differs. */
export const compareServers = async (
  contract: Contract,
  [runA, runB]: Sides<() => Promise<Ledger>>,
): Promise<Comparison> => {
  const [a, b] = [[await runA()], [await runB()]]
  const first = comparisonOf(contract, { a, b })
  if (isAlike(first) || first.problems.length > 0) return first
  return comparisonOf(contract, { a: [...a, await runA()], b: [...b, await runB()] })
}

/** Whether nothing differs that counts: then there is no need for second runs. */
export const isAlike = ({ verdicts, questions, unjudged, problems }: Comparison): boolean =>
  verdicts.length + questions.length + unjudged.length + problems.length === 0

const steadyIn = (a: readonly Seen[], b: readonly Seen[]): ((difference: Difference) => boolean) => {
  const [, nextOfA] = a
  const [, nextOfB] = b
  if (nextOfA === undefined || nextOfB === undefined) return () => true
  const own = [...differencesBetween(a[0] as Seen, nextOfA), ...differencesBetween(b[0] as Seen, nextOfB)]
  const unsteady = new Set(own.map(({ steadiness }) => steadiness))
  const again = new Set(differencesBetween(nextOfA, nextOfB).map(identityOf))
  return difference => !unsteady.has(difference.steadiness) && again.has(identityOf(difference))
}

const identityOf = ({ kind, about, aspect, answers, shownBy }: Difference): string =>
  JSON.stringify(
    kind === 'verdict' || kind === 'waived' ? [kind, about] : [kind, about, aspect, answers, shownBy],
  )

const problemsOf =
  (name: string) =>
  ({ end }: Ledger): readonly string[] => {
    if (end === null) return [`${name}: the run was cut off`]
    const { stopped, reason, cases } = end
    if (stopped !== 'done') return [`${name}: ${stopText[stopped]}${reason === null ? '' : `: ${reason}`}`]
    return cases === 0 ? [`${name}: no request could be sent`] : []
  }

const rowsOf = ({ start }: Ledger, differences: readonly Difference[]): readonly ComparedRow[] => {
  const obligations = new Map(start.obligations.map(each => [each.id, each]))
  const groups = Map.groupBy(differences, ({ kind, about, aspect, answers }) =>
    JSON.stringify([kind, about, aspect, answers]),
  )
  return [...groups.values()].map(group => {
    const [{ kind, about, aspect, answers, exchanges, obligation }] = group as [Difference]
    const described = obligations.get(about) ?? obligations.get(obligation)
    return {
      kind,
      about,
      aspect,
      answers,
      exchanges,
      level: described?.level ?? 'OBSERVE',
      requirement: described?.requirement ?? '',
      cases: group.filter(({ shownBy }) => shownBy !== '').length,
      obligations: [...new Set(group.map(each => each.obligation))],
    }
  })
}

export type { Shown, Sides }
