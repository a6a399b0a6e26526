import { BaselineError, SelectionError } from '../errors.ts'
import type { Obligation } from '../obligations/obligation.ts'
import { matchingIds } from '../obligations/selection.ts'
import type { Finding } from './event.ts'
import type { Ledger } from './ledger.ts'

/** A failure that is known and accepted as long as its cause stays the same. */
export type BaselineEntry = {
  /** The whole id of an obligation. */
  readonly obligation: string
  /** What the server did, in short: see `causeOf`. */
  readonly cause: string
  /** The day on which it was recorded, `2027-01-31`. */
  readonly since: string
  /** It fails only sometimes, so one pass does not show that it is fixed. */
  readonly flaky?: boolean
}

export type Baseline = {
  readonly of: (id: string) => BaselineEntry | null
  /** Whether fixed entries are dropped instead of failing the run. */
  readonly shrinks: boolean
}

/**
 * Checks a baseline against the obligations of a contract. Throws BaselineError if an obligation is named twice or unknown;
 * a baseline that `shrinks` drops unknown ones.
 */
export const createBaseline = (
  obligations: readonly Obligation[],
  accepted: readonly BaselineEntry[],
  shrinks: boolean,
): Baseline => {
  const ids = obligations.map(({ id }) => id)
  const known = new Set(ids)
  const entries = new Map<string, BaselineEntry>()
  for (const entry of accepted) {
    const { obligation } = entry
    if (entries.has(obligation)) throw new BaselineError(`the baseline names ${obligation} twice`)
    if (!known.has(obligation) && !shrinks) throw new BaselineError(unknown(entry, ids))
    entries.set(obligation, entry)
  }
  return { of: id => entries.get(id) ?? null, shrinks }
}

const unknown = ({ obligation }: BaselineEntry, ids: readonly string[]): string => {
  try {
    const [first] = matchingIds(ids, obligation)
    return `the baseline names ${obligation}, which is a pattern: name whole obligations, such as ${first}`
  } catch (error) {
    if (!(error instanceof SelectionError)) throw error
    return `the baseline matches nothing: ${error.message}; --update-baseline removes the entry`
  }
}

/** What the server did, in short, the same for every seed: `answered 500`, `reset`. */
export const causeOf = ({ outcome }: Finding): string =>
  outcome.kind === 'response' ? `answered ${outcome.status}` : outcome.failure

/** The failures of a run as a baseline; entries that were in the baseline before keep their day. */
export const baselineEntriesOf = ({ start, entries, findings }: Ledger): readonly BaselineEntry[] => {
  const byId = new Map(findings.map(finding => [finding.id, finding]))
  return entries.flatMap(({ obligation: { id }, verdict }) => {
    if (verdict.kind !== 'failed' && verdict.kind !== 'baselined') return []
    const finding = byId.get(verdict.finding)
    if (finding === undefined) return []
    const since = verdict.kind === 'baselined' ? verdict.since : start.at.slice(0, 10)
    const flaky = finding.repeat === 'flaky' ? { flaky: true } : {}
    return [{ obligation: id, cause: causeOf(finding), since, ...flaky }]
  })
}

/** A baseline without the entries that a run shows to be fixed, and those that the contract no longer has. */
export const withoutFixed = (
  accepted: readonly BaselineEntry[],
  { entries }: Ledger,
): readonly BaselineEntry[] => {
  const verdicts = new Map(entries.map(({ obligation, verdict }) => [obligation.id, verdict.kind]))
  return accepted.filter(({ obligation, flaky }) => {
    const kind = verdicts.get(obligation)
    return kind !== undefined && kind !== 'fixed' && (kind !== 'passed' || flaky === true)
  })
}
