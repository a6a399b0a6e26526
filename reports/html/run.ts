import type { Ledger } from '../../spec/index.ts'
import { repeatCommand } from '../commands.ts'
import { duration, plural, thousands } from '../count.ts'
import type { Summary } from '../summary.ts'
import { createdLine, createdRanges } from '../terminal-notes.ts'
import { command } from './findings.ts'
import { html, type Markup, nothing } from './markup.ts'

/** All that is needed to make the same run again, and to clean up after it. */
export const runSection = (ledger: Ledger, summary: Summary): Markup => {
  const { start, end } = ledger
  const { budget, contract } = start
  const created = createdRanges(ledger)
  const budgets = [
    ...(budget.cases === null ? [] : [plural(budget.cases, 'case')]),
    ...(budget.seconds === null ? [] : [`${budget.seconds} s`]),
  ].join(' or ')
  return html`<section id="run" aria-labelledby="run-title"><h2 id="run-title">How it was run</h2>
${command('command', html`${repeatCommand(start)}`)}
<dl class="pairs">
${pair('Target', start.target)}
${pair('Began', start.at)}
${pair('Took', summary.ms === null ? 'cut off' : duration(summary.ms))}
${pair('Seed', String(start.seed))}
${pair('Budget', `${budgets}, ${thousands(budget.concurrency)} at a time`)}
${pair('Sent', `${plural(summary.cases, 'case')}${start.planned === null ? '' : ` of ${thousands(start.planned)} planned`}${summary.requests === null ? '' : `; ${plural(summary.requests, 'request')} with repeats and shrinking`}`)}
${pair('Contract', `${contract.title} ${contract.version}, OpenAPI ${contract.openapi}, ${contract.source}`)}
${pair('Contract digest', contract.digest)}
${pair('Request digest', end?.digest ?? 'none: the run was cut off')}
${pair('Made with', `${start.product.name} ${start.product.version}`)}
${created.length === 0 ? nothing : html`<div><dt>Created</dt><dd>${created.map(range => html`<code>${createdLine(range)}</code><br>`)}</dd></div>`}
</dl>
</section>`
}

const pair = (name: string, value: string): Markup =>
  html`<div><dt>${name}</dt><dd><code>${value}</code></dd></div>`
