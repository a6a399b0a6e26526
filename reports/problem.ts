import type { Entry, Finding, Ledger, RecordedObligation } from '../spec/index.ts'
import { type Answers, answersOf } from './answers.ts'
import { nameFrom } from './name-from.ts'
import { safeText } from './safe-text.ts'
import { becauseOf, summarise } from './summary.ts'

/** Something for a reader of the document, at the place that it rests on: all text is safe to print. */
export type Problem = {
  /** The obligation's id. */
  readonly rule: string
  /** `error`: it counts against the server; `note`: it is waived, or in the baseline. */
  readonly level: 'error' | 'warning' | 'note'
  readonly promise: string
  /** What was promised, as a sentence of its own; then what was wanted and got. */
  readonly message: string
  readonly file: string
  /** From 1. */
  readonly line: number
  /** Null where nothing is broken, but a waiver or a line of the baseline has to go. */
  readonly finding: { readonly answers: Answers; readonly cases: number } | null
  /** Why it is accepted for now; null where it is not. */
  readonly waiver: string | null
  /** Stays the same from run to run, also where the document's lines move. */
  readonly fingerprint: string
}

/** A document that has no name is still one. */
const fileOf = (file: string): string => safeText(file).replace(/^(?:\.\/)+/, '') || 'document'

/** What a run has to say of places of the document: what counts first, then warnings, then what is accepted for now. */
export const problemsOf = (ledger: Ledger): readonly Problem[] => {
  const { failing, warning, excused } = summarise(ledger)
  const obligations = new Map(ledger.start.obligations.map(obligation => [obligation.id, obligation]))
  const waived = new Map(
    ledger.entries.flatMap(({ obligation, verdict }) =>
      verdict.kind === 'waived' || verdict.kind === 'accepted'
        ? [[obligation.id, safeText(becauseOf(verdict) ?? '')] as const]
        : [],
    ),
  )
  const answers = answersOf(ledger, 'ledger.ndjson')
  const times = new Map<string, number>()
  const placed = (rule: string, obligation: RecordedObligation | undefined) => {
    const time = times.get(rule) ?? 0
    times.set(rule, time + 1)
    return {
      rule: safeText(rule),
      promise: safeText(obligation?.promise ?? 'an obligation that this ledger does not list'),
      file: fileOf(obligation?.clause.place.file ?? ledger.start.contract.source),
      line: Math.max(1, Math.floor(obligation?.clause.place.line ?? 1)),
      fingerprint: nameFrom(
        rule,
        obligation?.clause.place.pointer ?? '',
        ...(time === 0 ? [] : [String(time)]),
      ),
    }
  }
  const broken =
    (level: Problem['level']) =>
    (finding: Finding): Problem => {
      const obligation = obligations.get(finding.obligation)
      const told = answers(finding)
      const own = placed(finding.obligation, obligation)
      return {
        ...own,
        level,
        message: `${own.promise}. Wanted ${told.wanted}; got ${told.got}`,
        finding: { answers: told, cases: finding.cases },
        waiver: level === 'note' ? (waived.get(finding.obligation) ?? 'waived') : null,
      }
    }
  const mended = ({ obligation, verdict }: Entry): Problem => {
    const own = placed(obligation.id, obligation)
    const message = `${own.promise}. It is ${safeText(becauseOf(verdict) ?? '')}`
    return { ...own, level: 'error', message, finding: null, waiver: null }
  }
  return [
    ...failing.map(broken('error')),
    ...ledger.entries.filter(({ verdict }) => verdict.kind === 'mended').map(mended),
    ...warning.map(broken('warning')),
    ...excused.map(broken('note')),
  ]
}
