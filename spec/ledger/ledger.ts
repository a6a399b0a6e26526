import type { StatusPolicy } from '../obligations/obligation.ts'
import type {
  EndEvent,
  ExchangeEvent,
  Finding,
  NoteEvent,
  RecordedObligation,
  RunEvent,
  StartEvent,
  Verdict,
} from './event.ts'

export type Entry = { readonly obligation: RecordedObligation; readonly verdict: Verdict }

/** A whole run: its obligations with their verdicts, and the evidence. */
export type Ledger = {
  readonly start: StartEvent
  /** Each obligation with its verdict, in the order of the contract. */
  readonly entries: readonly Entry[]
  readonly findings: readonly Finding[]
  readonly notes: readonly NoteEvent[]
  readonly exchanges: readonly ExchangeEvent[]
  /** Null if the run was cut off before its end. */
  readonly end: EndEvent | null
}

const missing: Verdict = {
  kind: 'untested',
  cause: 'interrupt',
  reason: 'the run was cut off before it reached this obligation',
}

/** Puts the events of one run together. Throws if there is no start event. */
export const foldLedger = (events: Iterable<RunEvent>): Ledger => {
  let start: StartEvent | null = null
  let end: EndEvent | null = null
  const verdicts = new Map<string, Verdict>()
  const findings: Finding[] = []
  const notes: NoteEvent[] = []
  const exchanges: ExchangeEvent[] = []
  for (const event of events) {
    switch (event.type) {
      case 'start':
        start = event
        break
      case 'exchange':
        exchanges.push(event)
        break
      case 'note':
        notes.push(event)
        break
      case 'finding':
        findings.push(event)
        break
      case 'verdict':
        verdicts.set(event.obligation, event.verdict)
        break
      case 'end':
        end = event
        break
      default:
        event satisfies never
    }
  }
  if (start === null) throw new Error('the ledger has no start event, so it is not the ledger of a run')
  const entries = start.obligations.map(obligation => ({
    obligation,
    verdict: verdicts.get(obligation.id) ?? missing,
  }))
  return { start, entries, findings, notes, exchanges, end }
}

export type VerdictCounts = Readonly<Record<Verdict['kind'], number>>

/** Counts verdicts; every report uses these counts. */
export const countVerdicts = (entries: readonly Entry[]): VerdictCounts => {
  const counts = {
    passed: 0,
    failed: 0,
    waived: 0,
    baselined: 0,
    fixed: 0,
    observed: 0,
    inconclusive: 0,
    untested: 0,
  }
  for (const { verdict } of entries) counts[verdict.kind] += 1
  return counts
}

/** Whether all failed obligations of a finding are waived or in the baseline. */
export const isWaivedOrBaselined = (ledger: Ledger): ((finding: Finding) => boolean) => {
  const waived = new Set(
    ledger.entries
      .filter(({ verdict }) => verdict.kind === 'waived' || verdict.kind === 'baselined')
      .map(({ obligation }) => obligation.id),
  )
  return ({ obligation, also }) => [obligation, ...also].every(id => waived.has(id))
}

/** The number of test cases behind a verdict. */
export const casesOf = (verdict: Verdict): number => (verdict.kind === 'untested' ? 0 : verdict.cases)

/** How a run judged statuses that the document does not declare. */
export const statusPolicyOf = ({ start: { policies } }: Ledger): StatusPolicy => ({
  unauthenticated: (policies.unauthenticated ?? 'declared') as StatusPolicy['unauthenticated'],
  undeclaredFailures: (policies['undeclared-failures'] ?? 'gap') as StatusPolicy['undeclaredFailures'],
})

/**
 * The findings with ids of which no two are the same, as users, reports and verdicts ask for them by it: one case may show several faults, and operations
 * count the requests beyond the plan each for itself.
 */
export const withOwnIds = (findings: readonly Finding[]): readonly Finding[] => {
  const counts = new Map<string, number>()
  return findings.map(finding => {
    const { id } = finding
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return count === 1 ? finding : { ...finding, id: `${id}-${count}` }
  })
}
