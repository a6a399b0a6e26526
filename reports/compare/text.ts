import { createPaint, type Paint, plural, safeText } from '../../spec/index.ts'
import { headline } from '../view/conclusion.ts'
import { outcomeLine, requestLine } from '../view/exchange-line.ts'
import { summarise } from '../view/summary.ts'
import { type ComparedRow, type Comparison, isAlike, type Shown } from './comparison.ts'

// So many differences of each kind are listed, unless all are asked for.
const listed = 30
const bodyShown = 200

export type CompareTextOptions = { readonly colour: boolean; readonly all: boolean }

/** Two servers beside each other, for people. */
export const comparisonText = (comparison: Comparison, { colour, all }: CompareTextOptions): string => {
  const paint = createPaint(colour)
  const names = ['A', 'B'] as const
  const blocks = [
    comparison.ledgers.map(
      (ledger, index) =>
        `${paint('bold', names[index] ?? '')}  ${safeText(ledger.start.target)}  ${headline(summarise(ledger))}`,
    ),
    comparison.problems.map(problem => `  ${paint('yellow', 'not compared')}  ${safeText(problem)}`),
    ...comparisonSections(comparison).map(({ title, rows, isShort }) => [
      `  ${paint('bold', `${title}: ${rows.length}`)}`,
      ...(all ? rows : rows.slice(0, listed)).flatMap(row => rowLines(row, isShort, paint)),
      ...(!all && rows.length > listed ? [`    and ${rows.length - listed} more (--verbose)`] : []),
    ]),
    [paint(['bold', verdictStyle(comparison)], comparisonTitle(comparison).toUpperCase())],
  ]
  return `${blocks
    .filter(lines => lines.length > 0)
    .map(lines => lines.join('\n'))
    .join('\n\n')}\n`
}

/** The same as one JSON object: `plantstore-compare` version 1. */
export const comparisonJson = ({ ledgers, ...comparison }: Comparison): string =>
  `${JSON.stringify(
    {
      format: 'plantstore-compare',
      version: 1,
      servers: ledgers.map(ledger => ({
        target: ledger.start.target,
        conclusion: ledger.end?.conclusion ?? null,
        cases: ledger.end?.cases ?? null,
      })),
      seed: ledgers[0].start.seed,
      alike: isAlike({ ledgers, ...comparison }),
      ...comparison,
    },
    null,
    2,
  )}\n`

export type Section = {
  readonly id: string
  readonly title: string
  readonly rows: readonly ComparedRow[]
  readonly isShort: boolean
}

export const comparisonSections = ({
  verdicts,
  waived,
  questions,
  unjudged,
  unsteady,
}: Comparison): readonly Section[] =>
  [
    { id: 'verdicts', title: 'Verdicts that differ', rows: verdicts, isShort: false },
    { id: 'waived', title: 'Verdicts that differ, and are waived', rows: waived, isShort: true },
    {
      id: 'questions',
      title: 'Answered differently: questions that the contract leaves open',
      rows: questions,
      isShort: false,
    },
    { id: 'unjudged', title: 'Judged of one server only', rows: unjudged, isShort: true },
    {
      id: 'unsteady',
      title: 'Left out, as a server differs from itself in it',
      rows: unsteady,
      isShort: true,
    },
  ].filter(({ rows }) => rows.length > 0)

/** `The servers differ: 1 verdict, 3 open questions` */
export const comparisonTitle = (comparison: Comparison): string => {
  const { verdicts, waived, questions, unjudged, problems } = comparison
  if (problems.length > 0) return 'Not compared: a server could not be tested'
  if (isAlike(comparison)) return `No difference${waived.length > 0 ? `, but ${waived.length} waived` : ''}`
  const parts = [
    ...(verdicts.length > 0 ? [plural(verdicts.length, 'verdict')] : []),
    ...(questions.length > 0 ? [plural(questions.length, 'open question')] : []),
    ...(unjudged.length > 0 ? [`${plural(unjudged.length, 'requirement')} judged of one only`] : []),
  ]
  return `${verdicts.length > 0 ? 'Verdicts differ' : 'No verdict differs'}: ${parts.join(', ')}`
}

const verdictStyle = ({ verdicts, questions, problems }: Comparison): 'red' | 'yellow' | 'green' => {
  if (verdicts.length > 0) return 'red'
  return questions.length + problems.length > 0 ? 'yellow' : 'green'
}

const rowLines = (row: ComparedRow, isShort: boolean, paint: Paint): readonly string[] => {
  const { about, aspect, answers, level, requirement, exchanges } = row
  const shown = isShort
    ? []
    : [
        ...(row.kind === 'question' ? [] : [`      requirement  ${safeText(requirement)}`]),
        ...exchangeLines(exchanges),
      ]
  return [
    `    ${paint(row.kind === 'verdict' ? 'red' : 'bold', safeText(about))}   ${row.kind === 'question' ? safeText(aspect) : level}${casesText(row)}`,
    `      ${paint('dim', 'A')} ${safeText(answers[0])}   ${paint('dim', 'B')} ${safeText(answers[1])}`,
    ...shown,
  ]
}

/** ` · 17 cases of 5 requirements` */
export const casesText = ({ cases, obligations }: ComparedRow): string => {
  if (cases === 0) return ''
  const of = obligations.length > 1 ? ` of ${plural(obligations.length, 'requirement')}` : ''
  return ` · ${plural(cases, 'case')}${of}`
}

const exchangeLines = ([a, b]: ComparedRow['exchanges']): readonly string[] => {
  const request = (shown: Shown): string => requestLine(shown.request, bodyShown)
  const response = (name: string, shown: Shown | null): readonly string[] =>
    shown === null ? [] : [`      → ${name} ${outcomeLine(shown.outcome, bodyShown)}`]
  if (a === null || b === null || request(a) === request(b)) {
    const first = a ?? b
    return first === null ? [] : [`      ${request(first)}`, ...response('A', a), ...response('B', b)]
  }
  return [`      A ${request(a)}`, ...response('A', a), `      B ${request(b)}`, ...response('B', b)]
}
