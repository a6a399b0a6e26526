import { duration, type Ledger, plural, thousands } from '../../../spec/index.ts'
import { repeatCommand } from '../../view/commands.ts'
import { certificatePairs, givenPairs, seedText } from '../../view/run-record.ts'
import type { Summary } from '../../view/summary.ts'
import { createdLine, createdRanges } from '../terminal/terminal-notes.ts'
import { command } from './findings.ts'
import { html, type Markup, nothing } from './markup.ts'
import { moreLine } from './open-questions.ts'
import { mostRows } from './shown.ts'

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
