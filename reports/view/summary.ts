import {
  type Conclusion,
  type Coverage,
  coverageOf,
  type Entry,
  type Finding,
  isWaivedOrBaselined,
  type Ledger,
  levelTally,
  plural,
  scoreOf,
  stopText,
  type Tally,
  type Verdict,
} from '../../spec/index.ts'
import { type Cause, causesOf, joiningOf, tellingApart } from './causes.ts'
import { countStatuses, isStrict, type StatusCounts } from './status.ts'

/** The entries that share a reason. */
export type ReasonGroup = { readonly reason: string; readonly entries: readonly Entry[] }

/** What a run says as a whole, for every report alike. */
export type Summary = {
  readonly conclusion: Conclusion
  readonly strict: boolean
  readonly counts: StatusCounts
  /** Obligations of the run, and those of them that were tested. */
  readonly total: number
  readonly tested: number
  /** The same of those that count. */
  readonly coverage: Coverage
  /** The percentage of the MUST obligations that passed, rounded down. */
  readonly score: number
  readonly must: Tally
  readonly should: Tally
  /** Findings that count against the server, those that only warn, and those that are waived or in the baseline. */
  readonly failing: readonly Finding[]
  readonly warning: readonly Finding[]
  readonly excused: readonly Finding[]
  /** The same by cause: findings of several operations can have one. */
  readonly causes: {
    readonly failing: readonly Cause[]
    readonly warning: readonly Cause[]
    readonly excused: readonly Cause[]
  }
  readonly fixed: readonly ReasonGroup[]
  readonly waived: readonly ReasonGroup[]
  readonly baselined: readonly ReasonGroup[]
  readonly untested: readonly ReasonGroup[]
  readonly inconclusive: readonly ReasonGroup[]
  readonly observed: readonly Entry[]
  readonly cases: number
  /** The cases that the contract needs, if it is only for want of them that the run is partial. */
  readonly needed: number | null
  /** Null if the run was cut off. */
  readonly requests: number | null
  readonly ms: number | null
  /** Why the run did not end by itself; null if it did. */
  readonly stopped: string | null
}

export const summarise = (ledger: Ledger): Summary => {
  const summary = known.get(ledger) ?? summaryOf(ledger)
  known.set(ledger, summary)
  return summary
}

// Every report asks for it, most of them several times.
const known = new WeakMap<Ledger, Summary>()

const summaryOf = (ledger: Ledger): Summary => {
  const strict = isStrict(ledger)
  const counts = countStatuses(ledger.entries, strict)
  const coverage = coverageOf(ledger)
  const isExcused = isWaivedOrBaselined(ledger)
  const isCounted = (finding: Finding): boolean => strict || finding.level === 'MUST'
  const total = ledger.entries.length
  const failing = ledger.findings.filter(finding => isCounted(finding) && !isExcused(finding))
  const warning = ledger.findings.filter(finding => !isCounted(finding) && !isExcused(finding))
  const excused = ledger.findings.filter(isExcused)
  const kinds = new Map(ledger.entries.map(({ obligation, verdict }) => [obligation.id, verdict.kind]))
  const causes = {
    failing: causesOf(failing, ledger),
    warning: causesOf(warning, ledger),
    excused: causesOf(excused, ledger, ({ obligation }) => kinds.get(obligation) ?? ''),
  }
  const join = joiningOf(Object.values(causes))
  const joined = {
    failing: join(causes.failing),
    warning: join(causes.warning),
    excused: join(causes.excused),
  }
  const tellApart = tellingApart(Object.values(joined))
  return {
    conclusion: ledger.end?.conclusion ?? (counts.failed > 0 ? 'nonconformant' : 'inconclusive'),
    strict,
    counts,
    total,
    tested: total - counts.untested,
    coverage,
    score: scoreOf(ledger),
    must: levelTally(ledger, 'MUST'),
    should: levelTally(ledger, 'SHOULD'),
    failing,
    warning,
    excused,
    causes: {
      failing: tellApart(joined.failing),
      warning: tellApart(joined.warning),
      excused: tellApart(joined.excused),
    },
    fixed: reasonGroups(ledger.entries, 'fixed'),
    waived: reasonGroups(ledger.entries, 'waived'),
    baselined: reasonGroups(ledger.entries, 'baselined'),
    untested: reasonGroups(ledger.entries, 'untested'),
    inconclusive: reasonGroups(ledger.entries, 'inconclusive'),
    observed: ledger.entries.filter(({ verdict }) => verdict.kind === 'observed'),
    cases: ledger.end?.cases ?? ledger.exchanges.length,
    needed: neededBy(ledger, coverage),
    requests: ledger.end?.requests ?? null,
    ms: ledger.end?.ms ?? null,
    stopped: whyStopped(ledger),
  }
}

const neededBy = ({ start, end }: Ledger, { leftOut }: Coverage): number | null => {
  const isCut = end?.stopped !== 'done' && end?.stopped !== 'time'
  if (end?.conclusion !== 'partial' || isCut || leftOut > 0 || end.cases >= start.budget.needed) return null
  return start.budget.needed
}

const whyStopped = ({ end }: Ledger): string | null => {
  if (end === null) return 'the ledger ends before the run did'
  if (end.stopped === 'done') return null
  if (end.stopped === 'access' && end.reason) return end.reason
  return end.reason ? `${stopText[end.stopped]}: ${end.reason}` : stopText[end.stopped]
}

/** Statuses that come with a reason. */
export type ReasonedStatus = 'fixed' | 'waived' | 'baselined' | 'inconclusive' | 'untested'

/** Why a verdict is neither passed, failed nor observed; null if it is one of these. */
export const reasonOf = (verdict: Verdict): string | null => {
  if ('reason' in verdict) return verdict.reason
  if (verdict.kind === 'baselined') return `in the baseline since ${verdict.since}`
  if (verdict.kind !== 'waived' && verdict.kind !== 'fixed') return null
  if (verdict.waiver === null) return 'passed again; remove it from the baseline with --update-baseline'
  const { reason, owner, expires } = verdict.waiver
  const waiver = `waived by ${owner} until ${expires}: ${reason}`
  return verdict.kind === 'fixed' ? `passed again; remove its waiver (${waiver})` : waiver
}

/** `3 more cases failed: see finding 7f3`, for what passed except in cases that another finding tells; null for all else. */
export const exceptionOf = (verdict: Verdict): string | null =>
  verdict.kind === 'passed' && verdict.except !== undefined
    ? `${plural(verdict.except.cases, 'more case')} failed: see finding ${verdict.except.finding}`
    : null

/** The largest group first. */
const reasonGroups = (entries: readonly Entry[], kind: ReasonedStatus): readonly ReasonGroup[] => {
  const byReason = Map.groupBy(
    entries.filter(({ verdict }) => verdict.kind === kind),
    ({ verdict }) => reasonOf(verdict) ?? '',
  )
  return [...byReason]
    .map(([reason, members]) => ({ reason, entries: members }))
    .sort((left, right) => right.entries.length - left.entries.length)
}
