import { type Ledger, thousands } from '../../spec/index.ts'
import { brand, htmlDocument, themeButton } from '../formats/html/document.ts'
import { outcomeBlock, requestBlock } from '../formats/html/exchange.ts'
import { html, type Markup, nothing, prose } from '../formats/html/markup.ts'
import { headline, passedText } from '../view/conclusion.ts'
import { summarise } from '../view/summary.ts'
import { type ComparedRow, type Comparison, isAlike, type Shown, type Sides } from './comparison.ts'
import { casesText, comparisonSections, comparisonTitle, type Section } from './text.ts'

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
