import {
  type Entry,
  type Finding,
  isAcceptedPart,
  type Ledger,
  type Level,
  plural,
  type RecordedObligation,
  safeText,
  whereText,
} from '../../spec/index.ts'
import { nameFrom } from '../text/stable-name.ts'
import { type Cause, recordedObligations } from './causes.ts'
import { conclusionText, headline } from './conclusion.ts'
import { causeTexts, clauseText, type FindingText, findingLines, inColumns } from './finding-text.ts'
import { reasonOf, type Summary, summarise } from './summary.ts'

/** Something for a reader of the document, at the place that it is about; all text is safe to print. */
export type Problem = {
  /** The obligation's id. */
  readonly rule: string
  /** `error`: it counts against the server; `note`: it is waived or in the baseline. */
  readonly severity: 'error' | 'warning' | 'note'
  /** What went wrong. */
  readonly title: string
  /** What stands under the title: the requirement first, then the evidence. */
  readonly lines: readonly string[]
  readonly requirement: string
  readonly level: Level
  readonly file: string
  /** From 1. */
  readonly line: number
  /** File and line, and the pointer where a line says little. */
  readonly where: string
  /** Null if nothing failed, but a waiver or a baseline entry has to go. */
  readonly finding: { readonly text: FindingText; readonly cases: number } | null
  /** The places of the other findings of its cause: the first of them, without doubles. */
  readonly others: readonly Pick<Problem, 'file' | 'line'>[]
  /** Why it is accepted for now; null if it is not. */
  readonly waiver: string | null
  /** Stays the same from run to run, even if the lines of the document move. */
  readonly fingerprint: string
}

/** The rule of a problem with the run itself. */
export const runRule = 'run'

/** The path of a document as CI systems compare it; a document without a name is still one. */
export const fileOf = (file: string): string => safeText(file).replace(/^(?:\.\/)+/, '') || 'document'

/**
 * What a run has to say about places of the document: what counts first, then warnings, then what is accepted for now. One problem for each
 * cause, at the place of its first finding.
 */
export const problemsOf = (ledger: Ledger): readonly Problem[] => {
  const summary = summarise(ledger)
  const texts = causeTexts(ledger, 'ledger.ndjson')
  const obligations = recordedObligations(ledger.start)
  const excuses = new Map(
    ledger.entries.flatMap(({ obligation, verdict }) =>
      verdict.kind === 'waived' || verdict.kind === 'baselined'
        ? [[obligation.id, safeText(reasonOf(verdict) ?? '')] as const]
        : [],
    ),
  )
  const placeOf = createPlaces(ledger)
  const failed =
    (severity: Problem['severity']) =>
    (cause: Cause): Problem => {
      const { findings } = cause
      const [finding, ...others] = findings
      const text = texts(cause)
      return {
        ...placeOf(finding.obligation, obligations.get(finding.obligation)),
        severity,
        title: text.title,
        lines: inColumns(findingLines(text)),
        requirement: text.requirement,
        level: finding.level,
        finding: { text, cases: findings.reduce((sum, { cases }) => sum + cases, 0) },
        others: placesOf(ledger, others),
        waiver: severity === 'note' ? (excuses.get(finding.obligation) ?? 'waived') : null,
      }
    }
  const fixed = ({ obligation, verdict }: Entry): Problem => {
    const requirement = safeText(obligation.requirement)
    const source = `${obligation.level} · ${safeText(obligation.id)} · ${clauseText(obligation.clause)}`
    return {
      ...placeOf(obligation.id, obligation),
      severity: 'error',
      title: safeText(reasonOf(verdict) ?? ''),
      lines: inColumns([
        ['requirement', requirement],
        ['', source],
      ]),
      requirement,
      level: obligation.level,
      finding: null,
      others: [],
      waiver: null,
    }
  }
  const { failing, warning, excused } = summary.causes
  return [
    ...runProblems(runProblemOf(ledger, summary), placeOf),
    ...failing.map(failed('error')),
    ...ledger.entries.filter(({ verdict }) => verdict.kind === 'fixed').map(fixed),
    ...warning.map(failed('warning')),
    ...excused.map(failed('note')),
  ]
}

/** The run itself, if it is no success although no requirement failed: at the beginning of the document. */
const runProblems = (problem: RunProblem | null, placeOf: PlaceOf): readonly Problem[] => {
  if (problem === null) return []
  const { title, lines, isAccepted } = problem
  return [
    {
      ...placeOf(runRule, undefined),
      severity: isAccepted ? 'warning' : 'error',
      title,
      lines,
      requirement: 'the run tests every requirement, and ends by itself',
      level: 'MUST',
      finding: null,
      others: [],
      waiver: null,
    },
  ]
}

const mostPlaces = 50

const placesOf = ({ start }: Ledger, findings: readonly Finding[]): Problem['others'] => {
  const obligations = recordedObligations(start)
  const places = findings.flatMap(({ obligation }) => {
    const place = obligations.get(obligation)?.clause.place
    return place === undefined ? [] : [{ file: fileOf(place.file), line: lineOf(place.line) }]
  })
  return [...new Map(places.map(place => [`${place.file}:${place.line}`, place])).values()].slice(
    0,
    mostPlaces,
  )
}

const lineOf = (line: number): number => Math.max(1, Math.floor(line))

type PlaceOf = (
  rule: string,
  obligation: RecordedObligation | undefined,
) => Pick<Problem, 'rule' | 'file' | 'line' | 'where' | 'fingerprint'>

/** Places of problems. Two problems of one obligation have different fingerprints. */
const createPlaces = ({ start }: Ledger): PlaceOf => {
  const times = new Map<string, number>()
  return (rule, obligation) => {
    const time = times.get(rule) ?? 0
    times.set(rule, time + 1)
    const place = obligation?.clause.place ?? { file: start.contract.source, line: 1, pointer: '' }
    const file = fileOf(place.file)
    const line = lineOf(place.line)
    return {
      rule: safeText(rule),
      file,
      line,
      where: safeText(whereText({ ...place, file, line })),
      fingerprint: nameFrom(rule, place.pointer, ...(time === 0 ? [] : [String(time)])),
    }
  }
}

/** Why a run is no success although no requirement failed, so that no format is green; all text is safe to print. */
export type RunProblem = {
  readonly title: string
  readonly lines: readonly string[]
  /** Whether it is a partial run that was asked for: worth a warning, but no error. */
  readonly isAccepted: boolean
}

/** The name of a test for the run itself, in formats that have nothing but tests. */
export const runTestName = 'the run'

const reasonsShown = 3

export const runProblemOf = (ledger: Ledger, summary: Summary): RunProblem | null => {
  const { conclusion, counts, stopped, inconclusive, untested } = summary
  const isProblem =
    conclusion === 'inconclusive' ||
    conclusion === 'partial' ||
    // What is fixed is a problem by itself.
    (conclusion === 'outdated' && counts.fixed === 0)
  if (!isProblem) return null
  return {
    title: headline(summary),
    lines: [
      conclusionText(summary),
      ...(stopped === null ? [] : [`incomplete run: ${safeText(stopped)}`]),
      ...inconclusive
        .slice(0, reasonsShown)
        .map(
          ({ reason, entries }) =>
            `${plural(entries.length, 'requirement')} inconclusive: ${safeText(reason)}`,
        ),
      ...untested
        .slice(0, reasonsShown)
        .map(
          ({ reason, entries }) => `${plural(entries.length, 'requirement')} not tested: ${safeText(reason)}`,
        ),
    ],
    isAccepted: isAcceptedPart(ledger),
  }
}
