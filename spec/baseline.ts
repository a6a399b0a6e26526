import type { Finding } from './event.ts'
import type { Ledger } from './ledger.ts'
import type { Obligation } from './obligation.ts'
import { matchesOf, SelectionError } from './selection.ts'

/** A promise that was broken when its server was adopted, and is accepted as long as it breaks for the same cause. */
export type Accepted = {
  /** The whole id of an obligation. */
  readonly obligation: string
  /** What was got, in short: see `causeOf`. */
  readonly cause: string
  /** The day on which it was accepted, `2027-01-31`. */
  readonly since: string
  /** It came now and then only: that it is kept once does not show it mended. */
  readonly flaky?: boolean
}

/** A baseline that cannot be used; the message is one line and says which of it and why. */
export class BaselineError extends Error {
  override readonly name = 'BaselineError'
}

export type Baseline = {
  readonly of: (id: string) => Accepted | null
  /** Whether what is mended leaves the baseline by itself, instead of making the run fail. */
  readonly shrinks: boolean
}

/**
 * Holds a baseline against a contract's obligations. Throws BaselineError where it names one twice, or one that the
 * contract does not have; where it `shrinks` the latter just leave it.
 */
export const createBaseline = (
  obligations: readonly Obligation[],
  accepted: readonly Accepted[],
  shrinks: boolean,
): Baseline => {
  const ids = obligations.map(({ id }) => id)
  const known = new Set(ids)
  const own = new Map<string, Accepted>()
  for (const one of accepted) {
    if (own.has(one.obligation)) throw new BaselineError(`the baseline names ${one.obligation} twice`)
    if (!known.has(one.obligation) && !shrinks) throw new BaselineError(unknown(one, ids))
    own.set(one.obligation, one)
  }
  return { of: id => own.get(id) ?? null, shrinks }
}

const unknown = ({ obligation }: Accepted, ids: readonly string[]): string => {
  try {
    const [first] = matchesOf(ids, obligation)
    return `the baseline names whole obligations only, and ${obligation} is a pattern: name ${first} and the like`
  } catch (error) {
    if (!(error instanceof SelectionError)) throw error
    return `the baseline matches nothing: ${error.message}; --update-baseline takes it out`
  }
}

/** What came, in short, the same for every seed: `answered 500`, `reset`. */
export const causeOf = ({ outcome }: Finding): string =>
  outcome.kind === 'answer' ? `answered ${outcome.status}` : outcome.failure

/** What a run found broken, as a baseline of it; what was accepted before keeps its day. */
export const acceptedIn = ({ start, entries, findings }: Ledger): readonly Accepted[] => {
  const told = new Map(findings.map(finding => [finding.id, finding]))
  return entries.flatMap(({ obligation: { id }, verdict }) => {
    if (verdict.kind !== 'broken' && verdict.kind !== 'accepted') return []
    const finding = told.get(verdict.finding)
    if (finding === undefined) return []
    const since = verdict.kind === 'accepted' ? verdict.since : start.at.slice(0, 10)
    const flaky = finding.repeat === 'flaky' ? { flaky: true } : {}
    return [{ obligation: id, cause: causeOf(finding), since, ...flaky }]
  })
}

/** A baseline without what a run shows to be mended, and what its contract does not have any more. */
export const shrunk = (accepted: readonly Accepted[], { entries }: Ledger): readonly Accepted[] => {
  const verdicts = new Map(entries.map(({ obligation, verdict }) => [obligation.id, verdict.kind]))
  return accepted.filter(({ obligation, flaky }) => {
    const kind = verdicts.get(obligation)
    return kind !== undefined && kind !== 'mended' && (kind !== 'kept' || flaky === true)
  })
}
