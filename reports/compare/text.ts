import { createPaint, type Ledger, type Paint, plural, safeText, thousands } from '../../spec/index.ts'
import { brand, htmlDocument, themeButton } from '../formats/html/document.ts'
import { outcomeBlock, requestBlock } from '../formats/html/exchange.ts'
import { html, type Markup, nothing, prose } from '../formats/html/markup.ts'
import { headline, passedText } from '../view/conclusion.ts'
import { outcomeLine, requestLine } from '../view/exchange-text.ts'
import { summarise } from '../view/summary.ts'
import { type ComparedRow, type Comparison, isAlike, type Shown, type Sides } from './comparison.ts'

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

type Section = {
  readonly id: string
  readonly title: string
  readonly rows: readonly ComparedRow[]
  readonly isShort: boolean
}

const comparisonSections = ({
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
const comparisonTitle = (comparison: Comparison): string => {
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
const casesText = ({ cases, obligations }: ComparedRow): string => {
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

// So many differences are open from the start.
const openRows = 20

/** Two servers beside each other as one HTML file, in two columns. */
export const comparisonPage = (comparison: Comparison): string => {
  const { ledgers, problems, verdicts } = comparison
  const sections = comparisonSections(comparison)
  const tone = verdicts.length > 0 ? 'nonconformant' : isAlike(comparison) ? 'conformant' : 'partial'
  const [{ start }] = ledgers
  const body = html`<a class="skip" href="#verdict">Skip to the result</a>
<header class="top">${brand}
<nav aria-label="Sections">
<a href="#verdict">Result</a>
${sections.map(({ id, title, rows }) => html`<a href="#${id}">${title} <span class="count">${thousands(rows.length)}</span></a>`)}
</nav>
${themeButton}</header>
<main>
<section class="verdict ${tone}" id="verdict" aria-labelledby="verdict-title">
<p class="eyebrow">${start.contract.title} ${start.contract.version} <span class="dot">·</span> seed <code>${start.seed}</code></p>
<h1 id="verdict-title">${comparisonTitle(comparison)}</h1>
${problems.map(problem => html`<p class="callout warning"><b>Not compared:</b> ${problem}.</p>`)}
<div class="columns">${ledgers.map(serverFacts)}</div>
</section>
${sections.map(sectionMarkup)}
</main>
<footer><p>Both servers got the requests of one plan. Reports never contain tokens; <code>{{token}}</code> stands in their place.</p></footer>`
  const targets = ledgers.map(each => each.start.target).join(' and ')
  return [...htmlDocument(`${comparisonTitle(comparison)} · ${targets}`, [body])].join('')
}

const names = ['A', 'B'] as const

const serverFacts = (ledger: Ledger, index: number): Markup => {
  const summary = summarise(ledger)
  return html`<div><h2>${names[index] ?? ''} <code>${ledger.start.target}</code></h2><ul class="facts">
<li><b>${headline(summary)}</b></li>
<li>${thousands(summary.tested)} of ${thousands(summary.total)} requirements tested, ${passedText(summary)}</li>
<li>${thousands(summary.counts.failed + summary.counts.warning)} failed, ${thousands(summary.counts.observed)} observed, ${thousands(summary.cases)} cases</li>
</ul></div>`
}

const sectionMarkup = ({ id, title, rows, isShort }: Section): Markup =>
  html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title} <span class="count">${thousands(rows.length)}</span></h2>
${rows.map((row, index) => article(row, !isShort && index < openRows))}
</section>`

const article = (row: ComparedRow, isOpen: boolean): Markup => {
  const { kind, about, aspect, answers, level, requirement, exchanges } = row
  const status = {
    verdict: 'failed',
    waived: 'waived',
    cause: 'warning',
    question: 'observed',
    unjudged: 'untested',
  }[kind]
  return html`<article class="finding ${status}">
<details${isOpen ? html` open` : nothing}>
<summary><h3><code>${about}</code></h3>
<span class="tags"><span class="level">${kind === 'question' ? aspect : level}</span></span></summary>
<p class="requirement">${prose(requirement)}<span class="soft">${casesText(row)}</span></p>
<div class="columns">${names.map((name, index) => column(name, answers[index] ?? '', exchanges, index))}</div>
</details>
</article>`
}

const column = (name: string, answer: string, exchanges: Sides<Shown | null>, index: number): Markup => {
  const shown = exchanges[index] ?? null
  return html`<div><h4>${name}: ${answer}</h4>${
    shown === null
      ? html`<p class="soft">No such exchange is recorded.</p>`
      : html`<h5>Request</h5>${requestBlock(shown.request)}<h5>Response</h5>${outcomeBlock(shown.outcome)}`
  }</div>`
}
