import type { Contract } from '../contract/contract.ts'
import { BaselineError, SelectionError } from '../errors.ts'
import type { Obligation } from '../obligations/obligation.ts'
import { pathOf } from '../obligations/obligation-id.ts'
import { answeredQuestion } from '../obligations/rejection-question.ts'
import { matchingIds } from '../obligations/selection.ts'
import { traceOf } from '../traceability/trace.ts'
import type { Finding, StartEvent } from './event.ts'
import type { Ledger } from './ledger.ts'

/** A failure that is known and accepted as long as its cause stays the same. */
export type BaselineEntry = {
  /** The whole id of an obligation. */
  readonly obligation: string
  /** What the server did, in short: see `causeOf`. With a comma between them if there are several. */
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

/** What the server did, in short, the same for every seed: `answered 500`, `answered 200 (absent)`, `reset`. */
export const causeOf = ({ outcome, kind }: Finding): string => {
  const answer = outcome.kind === 'response' ? `answered ${outcome.status}` : outcome.failure
  return kind === undefined ? answer : `${answer} (${kind.replaceAll(', ', ' ')})`
}

/** Whether an entry accepts what a finding shows. */
export const isAccepted = (accepted: BaselineEntry, finding: Finding): boolean =>
  causesIn(accepted.cause).includes(causeOf(finding))

/** Whether an entry accepts all that another one says. */
export const isCovered = (entry: BaselineEntry, accepted: BaselineEntry | undefined): boolean =>
  accepted !== undefined && causesIn(entry.cause).every(cause => causesIn(accepted.cause).includes(cause))

/** The causes that an entry or a waiver names. */
export const causesIn = (cause: string): readonly string[] => cause.split(', ')

/** The findings by the obligations that they show failed, in their order. */
export const findingsByObligation = (
  findings: readonly Finding[],
): ReadonlyMap<string, readonly [Finding, ...Finding[]]> => {
  const byId = new Map<string, [Finding, ...Finding[]]>()
  for (const finding of findings)
    for (const id of [finding.obligation, ...finding.also]) {
      const known = byId.get(id)
      if (known === undefined) byId.set(id, [finding])
      else known.push(finding)
    }
  return byId
}

/** The failures of a run as a baseline; entries that were in the baseline before keep their day. */
export const baselineEntriesOf = ({ start, entries, findings }: Ledger): readonly BaselineEntry[] => {
  const byId = findingsByObligation(findings)
  return entries.flatMap(({ obligation: { id }, verdict }) => {
    if (verdict.kind !== 'failed' && verdict.kind !== 'baselined') return []
    // A finding of another obligation may tell its failures.
    const ofObligation = byId.get(id) ?? findings.filter(finding => finding.id === verdict.finding)
    if (ofObligation.length === 0) return []
    const since = verdict.kind === 'baselined' ? verdict.since : start.at.slice(0, 10)
    const causes = [...new Set(ofObligation.map(causeOf))].sort()
    const flaky = ofObligation.every(({ repeat }) => repeat === 'flaky') ? { flaky: true } : {}
    return [{ obligation: id, cause: causes.join(', '), since, ...flaky }]
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

/** The part of a start event that follows from the contract and its pins. */
export const contractPart = (
  contract: Contract,
  obligations: readonly Obligation[],
): Pick<StartEvent, 'operations' | 'obligations' | 'clauses'> => ({
  operations: contract.operations.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
  obligations: obligations.map(obligation => {
    const { id, operation, family, level, requirement, clause, subject, pin } = obligation
    const question = subject.kind === 'unspecified' ? subject.name : answeredQuestion(obligation)
    return {
      id,
      operation,
      names: pathOf(subject),
      family,
      level,
      requirement,
      clause,
      ...(question === null ? {} : { question }),
      ...(pin?.obligation === id ? { pinned: pin.answers } : {}),
    }
  }),
  clauses: traceOf(contract, obligations),
})

const ofClients = 'the requests of clients, '

/** The policy `requests` of a run that judged what others sent: through the proxy, or as a file has it. */
export const trafficPolicy = (file: string | null): string =>
  ofClients + (file === null ? 'through the proxy' : `in ${file}`)

/** The file of such a run; null: it was the proxy. Undefined: it is no such run. */
export const trafficFile = (policy: string | undefined): string | null | undefined =>
  policy?.startsWith(ofClients) === true
    ? policy === trafficPolicy(null)
      ? null
      : policy.slice(`${ofClients}in `.length)
    : undefined
