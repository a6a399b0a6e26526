import { duration, type Ledger, plural, thousands } from '../../../spec/index.ts'
import { beginning } from '../../text/cut-text.ts'
import { repeatCommand } from '../../view/commands.ts'
import { conclusions, conclusionText, conclusionTitle, passedText } from '../../view/conclusion.ts'
import { causeHeading } from '../../view/finding-text.ts'
import {
  certificatePairs,
  givenPairs,
  isOfMock,
  mockText,
  seedText,
  testedName,
} from '../../view/run-record.ts'
import type { ReasonGroup, Summary } from '../../view/summary.ts'
import { createdLine, createdRanges } from '../terminal/terminal-notes.ts'
import { mostRows } from './exchange.ts'
import { command } from './findings.ts'
import { bar, html, type Markup, nothing, prose } from './markup.ts'
import { moreLine } from './open-questions.ts'

const leading = 6
const reasonsShown = 3

/** The first screen: the conclusion, the evidence for it, and the limits of the evidence. */
export const verdictSection = (ledger: Ledger, summary: Summary): Markup => {
  const words = conclusions[summary.conclusion]
  return html`<section class="verdict ${summary.conclusion}" id="verdict" aria-labelledby="verdict-title">
<p class="eyebrow">${testedName(ledger.start)} <span class="dot">·</span> <code>${ledger.start.target}</code> <span class="dot">·</span> <time datetime="${ledger.start.at}">${moment(ledger.start.at)}</time></p>
<h1 id="verdict-title"><span class="seal" aria-hidden="true">${words.sign}</span>${conclusionTitle(summary)}</h1>
<p class="lede">${conclusionText(summary)}</p>
${isOfMock(ledger.start) ? html`<p class="callout warning"><b>No product was tested:</b> ${mockText}</p>` : nothing}
${summary.stopped === null ? nothing : html`<p class="callout warning"><b>Incomplete run:</b> ${summary.stopped}.</p>`}
${bar(summary.counts)}
${leaders(summary)}
<div class="columns">
<div><h2>Evidence</h2><ul class="facts">${evidence(ledger, summary)}</ul></div>
<div><h2>Limits</h2><ul class="facts">${limits(summary)}</ul></div>
</div>
</section>`
}

/** `2026-11-21 09:30 UTC` */
export const moment = (at: string): string => at.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z$/, '$1 $2 UTC')

const leaders = ({ causes: { failing, warning } }: Summary): Markup => {
  const all = [...failing, ...warning]
  if (all.length === 0) return nothing
  const items = all.slice(0, leading).map((cause, index) => {
    const kind = index < failing.length ? 'failed' : 'warning'
    return html`<li class="${kind}"><a href="#finding/${index + 1}">${prose(causeHeading(cause))}</a> <code class="soft">${cause.findings[0].obligation}</code></li>`
  })
  const more =
    all.length > leading
      ? html`<li class="more"><a href="#findings">and ${thousands(all.length - leading)} more</a></li>`
      : nothing
  return html`<ol class="leaders">${items}${more}</ol>`
}

const evidence = (ledger: Ledger, summary: Summary): readonly Markup[] => {
  const { counts, tested, total, cases, requests, ms } = summary
  return [
    html`<li><b>${passedText(summary)}</b></li>`,
    html`<li><b>${thousands(tested)} of ${plural(total, 'requirement')}</b> tested, <b>${thousands(counts.passed)}</b> passed</li>`,
    html`<li><b>${plural(cases, 'test case')}</b>${requests === null ? '' : `, ${plural(requests, 'request')}`}${ms === null ? '' : `, ${duration(ms)}`}</li>`,
    html`<li>contract <code>${beginning(ledger.start.contract.digest, 8)}</code>, seed <code>${ledger.start.seed}</code>: <a href="#run">reproduce this run</a></li>`,
  ]
}

const limits = (summary: Summary): readonly Markup[] => [
  ...reasonItems(summary.fixed, 'fixed'),
  ...reasonItems(summary.waived, 'waived'),
  ...reasonItems(summary.baselined, 'in the baseline'),
  ...reasonItems(summary.untested, 'not tested'),
  ...reasonItems(summary.inconclusive, 'inconclusive'),
  summary.observed.length === 0
    ? nothing
    : html`<li><b>${thousands(summary.observed.length)} observed</b>, not judged: <a href="#questions">the contract does not say</a></li>`,
  html`<li>Test cases can show that a requirement fails, never that it always holds: <a href="#map">what they can have missed</a>.</li>`,
]

const reasonItems = (groups: readonly ReasonGroup[], word: string): readonly Markup[] => {
  const shown = groups
    .slice(0, reasonsShown)
    .map(({ reason, entries }) => html`<li><b>${thousands(entries.length)} ${word}:</b> ${reason}</li>`)
  const more = groups.length - shown.length
  return more > 0
    ? [...shown, html`<li><a href="#not-tested">and ${plural(more, 'more reason')}</a></li>`]
    : shown
}

/** Everything that is needed to reproduce a run, and to clean up after it. */
export const runSection = (ledger: Ledger, summary: Summary): Markup => {
  const { start, end } = ledger
  const { contract } = start
  const created = createdRanges(ledger)
  const planned = start.planned === null ? '' : ` of ${thousands(start.planned)} planned`
  const requests =
    summary.requests === null
      ? ''
      : `; ${plural(summary.requests, 'request')} including repeats and minimising`
  return html`<section id="run" aria-labelledby="run-title"><h2 id="run-title">Run</h2>
${command('command', html`${repeatCommand(start)}`)}
<dl class="pairs">
${givenPairs(start).map(([name, value]) => pair(name, value))}
${pair('Target', start.target)}
${pair('Started', start.at)}
${pair('Duration', summary.ms === null ? 'the run was cut off' : duration(summary.ms))}
${pair('Seed', seedText(start))}
${pair('Budget', `${budgetText(start.budget)}, ${thousands(start.budget.concurrency)} at a time`)}
${pair('Score', `${summary.score} %: ${thousands(summary.must.passed)} of ${thousands(summary.must.total)} MUST passed`)}
${pair('Sent', `${plural(summary.cases, 'case')}${planned}${requests}`)}
${certificatePairs(ledger).map(([name, value]) => pair(name, value))}
${pair('Contract', `${contract.title} ${contract.version}, OpenAPI ${contract.openapi}, ${contract.source}`)}
${pair('Contract digest', contract.digest)}
${pair('Request digest', end?.digest ?? 'none: the run was cut off')}
${pair('Written by', `${start.product.name} ${start.product.version}`)}
${created.length === 0 ? nothing : html`<div><dt>Test data</dt><dd>${created.slice(0, mostRows).map(range => html`<code>${createdLine(range)}</code><br>`)}${moreLine(created.length - mostRows, 'range')}</dd></div>`}
</dl>
</section>`
}

/** `1,000 cases or 30 s` */
export const budgetText = ({ cases, seconds }: Ledger['start']['budget']): string =>
  [...(cases === null ? [] : [plural(cases, 'case')]), ...(seconds === null ? [] : [`${seconds} s`])].join(
    ' or ',
  )

export const pair = (name: string, value: string): Markup =>
  html`<div><dt>${name}</dt><dd><code>${value}</code></dd></div>`
