import type { Conclusion, Entry, Finding, Ledger } from '../spec/index.ts'
import { type Counts, count, isStrict } from './count.ts'

export type Reason = { readonly because: string; readonly entries: readonly Entry[] }

/** What a run says as a whole, for every report alike. */
export type Summary = {
  readonly conclusion: Conclusion
  readonly verdict: 'CONFORMANT' | 'NOT CONFORMANT' | 'INCONCLUSIVE'
  readonly strict: boolean
  readonly counts: Counts
  /** Findings that count against the server, and those that only warn. */
  readonly failing: readonly Finding[]
  readonly warning: readonly Finding[]
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
  const counted = (finding: Finding): boolean => strict || finding.level === 'MUST'
  return {
    conclusion,
    verdict: verdicts[conclusion],
    strict,
    counts,
    failing: ledger.findings.filter(counted),
    warning: ledger.findings.filter(finding => !counted(finding)),
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

const reasons = (entries: readonly Entry[], kind: 'untested' | 'inconclusive'): readonly Reason[] => {
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) {
    if (entry.verdict.kind !== kind) continue
    const group = groups.get(entry.verdict.because)
    if (group === undefined) groups.set(entry.verdict.because, [entry])
    else group.push(entry)
  }
  return [...groups]
    .map(([because, members]) => ({ because, entries: members }))
    .sort((a, b) => b.entries.length - a.entries.length)
}
