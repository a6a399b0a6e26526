import { outcomeLine, plural, requestLine, safeText } from '../../../reports/index.ts'
import type {
  Excerpt,
  Obligation,
  RecordedClause,
  RecordedOutcome,
  RecordedRequest,
} from '../../../spec/index.ts'

/** A request with what came of it. */
export type Shown = { readonly request: RecordedRequest; readonly outcome: RecordedOutcome }

/** All that is told of one obligation. */
export type Explanation = {
  readonly obligation: Omit<Obligation, 'subject'>
  readonly excerpt: Excerpt
  /** The clauses that it covers. */
  readonly clauses: readonly RecordedClause[]
  readonly how: string
  /** Cases, or answers judged, in a run of the default size; and how many different ones there are: null, no end. */
  readonly cases: number
  readonly defaultCases: number
  readonly different: number | null
  readonly requests: readonly RecordedRequest[]
  readonly passed: (Shown & { readonly said: string | null }) | null
  readonly failed: (Shown & { readonly wanted: string; readonly got: string }) | null
  /** Why there is no broken answer to show. */
  readonly reason: string | null
}

const widest = 300

/** An explanation as text for a terminal. */
export const explanationText = (told: Explanation): string => {
  const { obligation, excerpt, clauses, how, requests, passed, failed, reason } = told
  const { place, rule } = obligation.clause
  const rows: readonly (readonly [label: string, lines: readonly string[]])[] = [
    ['promise', [obligation.requirement]],
    ['clause', [`${place.file}:${place.line}${rule === null ? '' : ` · ${rule}`}`, ...excerptLines(excerpt)]],
    ['rests on', clauses.flatMap(({ id, at, text }) => [`${id} · ${at}`, `  “${text}”`])],
    ['tested', [how, amount(told)]],
    ['for example', requests.map(request => requestLine(request, widest))],
    ['passed', keptLines(passed)],
    ['failed', failed === null ? [reason ?? 'no answer that breaks it could be shown'] : brokenLines(failed)],
  ]
  return [
    `${obligation.id}`,
    `${obligation.level} · ${obligation.family}`,
    ...rows
      .filter(([, lines]) => lines.length > 0)
      .flatMap(([label, lines]) => [
        '',
        ...lines.map((line, index) => `  ${(index === 0 ? label : '').padEnd(13)}${safeText(line)}`),
      ]),
  ]
    .map(line => line.trimEnd())
    .join('\n')
}

const excerptLines = ({ from, line, lines }: Excerpt): readonly string[] =>
  lines.map(
    (text, index) =>
      `${from + index === line ? '>' : ' '} ${String(from + index).padStart(String(from + lines.length).length)} | ${text}`,
  )

const amount = ({ cases, defaultCases, different, obligation }: Explanation): string => {
  const { family } = obligation
  const what =
    family === 'response' ? plural(cases, 'answer judged', 'answers judged') : plural(cases, 'case')
  const told = `${what} in a run of ${plural(defaultCases, 'case')} (the default)`
  if (family === 'response' || family === 'stability') return `${told}.`
  return different === null
    ? `${told}; there is no end of different ones.`
    : `${told}; there ${different === 1 ? 'is one alone' : `are ${different} different ones`}.`
}

const keptLines = (passed: Explanation['passed']): readonly string[] =>
  passed === null
    ? ['the mock gives no such answer: it keeps the promise by never having to']
    : [
        ...(passed.said === null ? [] : [`the mock: ${passed.said}`]),
        outcomeLine(passed.outcome, widest),
        `for ${requestLine(passed.request, widest)}`,
      ]

const brokenLines = ({
  request,
  outcome,
  wanted,
  got,
}: NonNullable<Explanation['failed']>): readonly string[] => [
  outcomeLine(outcome, widest),
  `for ${requestLine(request, widest)}`,
  `wanted ${wanted}`,
  `got ${got}`,
]
