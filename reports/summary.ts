import {
  type Conclusion,
  type Entry,
  type Finding,
  isWaived,
  type Ledger,
  type Verdict,
} from '../spec/index.ts'
import { type Counts, count, isStrict } from './count.ts'

export type Reason = { readonly because: string; readonly entries: readonly Entry[] }

/** What a run says as a whole, for every report alike. */
export type Summary = {
  readonly conclusion: Conclusion
  readonly verdict: 'CONFORMANT' | 'NOT CONFORMANT' | 'INCONCLUSIVE'
  readonly strict: boolean
  readonly counts: Counts
  /** Findings that count against the server, those that only warn, and those that are waived or in the baseline. */
  readonly failing: readonly Finding[]
  readonly warning: readonly Finding[]
  readonly excused: readonly Finding[]
  readonly mended: readonly Reason[]
  readonly waived: readonly Reason[]
  readonly accepted: readonly Reason[]
  readonly untested: readonly Reason[]
  readonly inconclusive: readonly Reason[]
  readonly observed: readonly Entry[]
  readonly cases: number
  /** Null where the run was cut off. */
  readonly requests: number | null
  readonly ms: number | null
  /** Why the run did not end by itself; null where it did. */
  readonly stopped: string | null
}

const verdicts = { conformant: 'CONFORMANT', broken: 'NOT CONFORMANT', inconclusive: 'INCONCLUSIVE' } as const

const stops = {
  time: 'the time for it was up',
  bail: 'it was told to stop at the first broken promise',
  interrupt: 'it was interrupted',
  unreachable: 'the target could not be reached',
  fault: 'the suite itself failed',
  cut: 'its ledger ends before the run did',
} as const

export const summarise = (ledger: Ledger): Summary => {
  const strict = isStrict(ledger)
  const counts = count(ledger.entries, strict)
  const conclusion = ledger.end?.conclusion ?? (counts.broken > 0 ? 'broken' : 'inconclusive')
  const waived = isWaived(ledger)
  const counted = (finding: Finding): boolean => strict || finding.level === 'MUST'
  return {
    conclusion,
    verdict: verdicts[conclusion],
    strict,
    counts,
    failing: ledger.findings.filter(finding => counted(finding) && !waived(finding)),
    warning: ledger.findings.filter(finding => !counted(finding) && !waived(finding)),
    excused: ledger.findings.filter(waived),
    mended: reasons(ledger.entries, 'mended'),
    waived: reasons(ledger.entries, 'waived'),
    accepted: reasons(ledger.entries, 'accepted'),
    untested: reasons(ledger.entries, 'untested'),
    inconclusive: reasons(ledger.entries, 'inconclusive'),
    observed: ledger.entries.filter(({ verdict }) => verdict.kind === 'observed'),
    cases: ledger.end?.cases ?? ledger.exchanges.length,
    requests: ledger.end?.requests ?? null,
    ms: ledger.end?.ms ?? null,
    stopped: whyStopped(ledger),
  }
}

const whyStopped = ({ end }: Ledger): string | null => {
  const stop = end?.stopped ?? 'cut'
  if (stop === 'done') return null
  return end?.why ? `${stops[stop]}: ${end.why}` : stops[stop]
}

/** Verdicts that come with a reason. */
export type Reasoned = 'mended' | 'waived' | 'accepted' | 'inconclusive' | 'untested'

/** Why a verdict is not a plain one; null where it is. */
export const becauseOf = (verdict: Verdict): string | null => {
  if ('because' in verdict) return verdict.because
  if (verdict.kind === 'accepted') return `in the baseline since ${verdict.since}`
  if (verdict.kind !== 'waived' && verdict.kind !== 'mended') return null
  if (verdict.waiver === null) return 'kept again, so that it has to leave the baseline: --update-baseline'
  const { reason, owner, expires } = verdict.waiver
  const told = `waived by ${owner} until ${expires}: ${reason}`
  return verdict.kind === 'mended' ? `kept again, so that its waiver has to go (${told})` : told
}

const reasons = (entries: readonly Entry[], kind: Reasoned): readonly Reason[] => {
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) {
    const because = entry.verdict.kind === kind ? becauseOf(entry.verdict) : null
    if (because === null) continue
    const group = groups.get(because)
    if (group === undefined) groups.set(because, [entry])
    else group.push(entry)
  }
  return [...groups]
    .map(([because, members]) => ({ because, entries: members }))
    .sort((a, b) => b.entries.length - a.entries.length)
}
