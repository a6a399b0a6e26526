import { outcomeLine, plural, requestLine, safeText } from '../reports/index.ts'
import type { Excerpt, Obligation, RecordedClause, RecordedOutcome, RecordedRequest } from '../spec/index.ts'

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
  readonly kept: (Shown & { readonly said: string | null }) | null
  readonly broken: (Shown & { readonly wanted: string; readonly got: string }) | null
  /** Why there is no broken answer to show. */
  readonly because: string | null
}

const widest = 300

/** An explanation as text for a terminal. */
export const explanationText = (told: Explanation): string => {
  const { obligation, excerpt, clauses, how, requests, kept, broken, because } = told
  const { place, rule } = obligation.clause
  const rows: readonly (readonly [label: string, lines: readonly string[]])[] = [
    ['promise', [obligation.promise]],
    ['clause', [`${place.file}:${place.line}${rule === null ? '' : ` · ${rule}`}`, ...excerptLines(excerpt)]],
    ['rests on', clauses.flatMap(({ id, at, text }) => [`${id} · ${at}`, `  “${text}”`])],
    ['tested', [how, amount(told)]],
    ['for example', requests.map(request => requestLine(request, widest))],
    ['kept', keptLines(kept)],
    [
      'broken',
      broken === null ? [because ?? 'no answer that breaks it could be shown'] : brokenLines(broken),
    ],
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
  const what = family === 'answer' ? plural(cases, 'answer judged', 'answers judged') : plural(cases, 'case')
  const told = `${what} in a run of ${plural(defaultCases, 'case')} (the default)`
  if (family === 'answer' || family === 'load') return `${told}.`
  return different === null
    ? `${told}; there is no end of different ones.`
    : `${told}; there ${different === 1 ? 'is one alone' : `are ${different} different ones`}.`
}

const keptLines = (kept: Explanation['kept']): readonly string[] =>
  kept === null
    ? ['the mock gives no such answer: it keeps the promise by never having to']
    : [
        ...(kept.said === null ? [] : [`the mock: ${kept.said}`]),
        outcomeLine(kept.outcome, widest),
        `for ${requestLine(kept.request, widest)}`,
      ]

const brokenLines = ({
  request,
  outcome,
  wanted,
  got,
}: NonNullable<Explanation['broken']>): readonly string[] => [
  outcomeLine(outcome, widest),
  `for ${requestLine(request, widest)}`,
  `wanted ${wanted}`,
  `got ${got}`,
]
