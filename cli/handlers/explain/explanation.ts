import { outcomeLine, requestLine } from '../../../reports/index.ts'
import {
  type Excerpt,
  type Obligation,
  plural,
  type RecordedClause,
  type RecordedOutcome,
  type RecordedRequest,
  safeText,
  whereText,
} from '../../../spec/index.ts'

/** A request and its outcome. */
export type Example = { readonly request: RecordedRequest; readonly outcome: RecordedOutcome }

/** One obligation, explained. */
export type Explanation = {
  readonly obligation: Omit<Obligation, 'subject'>
  readonly excerpt: Excerpt
  /** The clauses that it covers. */
  readonly clauses: readonly RecordedClause[]
  readonly method: string
  /** Test cases, or judged responses, in a run of the default size. */
  readonly cases: number
  readonly defaultCases: number
  /** How many different test cases there are; null: without limit. */
  readonly differentCases: number | null
  readonly requests: readonly RecordedRequest[]
  readonly passed: (Example & { readonly observation: string | null }) | null
  readonly failed: (Example & { readonly expected: string; readonly actual: string }) | null
  /** Why no response fails. */
  readonly reason: string | null
}

const longestLine = 300

/** An explanation as text for a terminal. */
export const explanationText = (explanation: Explanation): string => {
  const { obligation, excerpt, clauses, method, requests, passed, failed, reason } = explanation
  const { place, rule } = obligation.clause
  const rows: readonly (readonly [label: string, lines: readonly string[]])[] = [
    ['requirement', [obligation.requirement]],
    ['clause', [`${whereText(place)}${rule === null ? '' : ` · ${rule}`}`, ...excerptLines(excerpt)]],
    ['source', clauses.flatMap(({ id, at, text }) => [`${id} · ${at}`, `  “${text}”`])],
    ['test', [method, caseCount(explanation)]],
    ['examples', requests.map(request => requestLine(request, longestLine))],
    ['passed', passedLines(passed)],
    ['failed', failed === null ? [reason ?? 'no failing response could be shown'] : failedLines(failed)],
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

const caseCount = ({ cases, defaultCases, differentCases, obligation }: Explanation): string => {
  const { family } = obligation
  const what = family === 'response' ? plural(cases, 'judged response') : plural(cases, 'test case')
  const text = `${what} in a run of ${plural(defaultCases, 'case')} (the default)`
  if (family === 'response' || family === 'stability') return `${text}.`
  return differentCases === null
    ? `${text}, of an unlimited number.`
    : `${text}; there ${differentCases === 1 ? 'is only one' : `are ${differentCases} different ones`}.`
}

const passedLines = (passed: Explanation['passed']): readonly string[] =>
  passed === null
    ? ['the mock never sends such a response']
    : [
        ...(passed.observation === null ? [] : [`the mock: ${passed.observation}`]),
        outcomeLine(passed.outcome, longestLine),
        `to ${requestLine(passed.request, longestLine)}`,
      ]

const failedLines = ({
  request,
  outcome,
  expected,
  actual,
}: NonNullable<Explanation['failed']>): readonly string[] => [
  outcomeLine(outcome, longestLine),
  `to ${requestLine(request, longestLine)}`,
  `expected ${expected}`,
  `actual ${actual}`,
]
