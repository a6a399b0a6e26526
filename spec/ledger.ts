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
import type { Family, Level } from './obligation.ts'
import type { Unauthenticated } from './refusal.ts'

export type Entry = { readonly obligation: RecordedObligation; readonly verdict: Verdict }

/** A run as a whole: what was promised, and what became of each promise. */
export type Ledger = {
  readonly start: StartEvent
  /** Each obligation with its verdict, in the order of the contract. */
  readonly entries: readonly Entry[]
  readonly findings: readonly Finding[]
  readonly notes: readonly NoteEvent[]
  readonly exchanges: readonly ExchangeEvent[]
  /** Null where the run was cut off before it could say how it ended. */
  readonly end: EndEvent | null
}

const missing: Verdict = {
  kind: 'untested',
  because: 'the run was cut off before this obligation was reached',
}

/** Puts the events of one run together. Throws where they do not begin with a start event. */
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
  if (start === null) throw new Error('the ledger has no start event: it is not one of a run')
  const entries = start.obligations.map(obligation => ({
    obligation,
    verdict: verdicts.get(obligation.id) ?? missing,
  }))
  return { start, entries, findings, notes, exchanges, end }
}

export type Tally = Readonly<Record<Verdict['kind'], number>>

/** Counts verdicts; the only place where a run is counted. */
export const tally = (entries: readonly Entry[]): Tally => {
  const counts = {
    kept: 0,
    broken: 0,
    waived: 0,
    accepted: 0,
    mended: 0,
    observed: 0,
    inconclusive: 0,
    untested: 0,
  }
  for (const { verdict } of entries) counts[verdict.kind] += 1
  return counts
}

/** Broken promises of this level. */
export const broken = (ledger: Ledger, level: Level): readonly Entry[] =>
  ledger.entries.filter(({ obligation, verdict }) => verdict.kind === 'broken' && obligation.level === level)

export const entriesOf = (ledger: Ledger, operation: string, family: Family): readonly Entry[] =>
  ledger.entries.filter(
    ({ obligation }) => obligation.operation === operation && obligation.family === family,
  )

/** Whether all that a finding shows broken is waived, or in the baseline. */
export const isWaived = (ledger: Ledger): ((finding: Finding) => boolean) => {
  const waived = new Set(
    ledger.entries
      .filter(({ verdict }) => verdict.kind === 'waived' || verdict.kind === 'accepted')
      .map(({ obligation }) => obligation.id),
  )
  return ({ obligation, also }) => [obligation, ...also].every(id => waived.has(id))
}

/** Cases behind a verdict. */
export const casesOf = (verdict: Verdict): number => (verdict.kind === 'untested' ? 0 : verdict.cases)

/** The policy that a run was judged by; see `Unauthenticated`. */
export const unauthenticatedOf = ({ start }: Ledger): Unauthenticated =>
  (start.policies.unauthenticated ?? 'declared') as Unauthenticated
