import type { Finding, Ledger } from '../../spec/index.ts'
import { type Answers, answersOf, inexact } from '../answers.ts'
import { thousands } from '../count.ts'
import type { Summary } from '../summary.ts'
import { outcomeBlock, requestBlock } from './exchange.ts'
import { html, lines, type Markup, nothing } from './markup.ts'
import { chip } from './standing.ts'

// Findings that stand open; of more than these, a reader opens what matters.
const open = 20

/** Every finding with its five answers and its hint: what counts first, then warnings, then what is waived or in the baseline. */
export const findingsSection = (ledger: Ledger, { failing, warning, excused, accepted }: Summary): Markup => {
  const inBaseline = new Set(
    accepted.flatMap(({ entries }) => entries.map(({ obligation }) => obligation.id)),
  )
  const all = [
    ...failing.map(finding => ({ finding, kind: 'broken' as const })),
    ...warning.map(finding => ({ finding, kind: 'warning' as const })),
    ...excused.map(finding => ({
      finding,
      kind: inBaseline.has(finding.obligation) ? ('accepted' as const) : ('waived' as const),
    })),
  ]
  if (all.length === 0) return nothing
  const answers = answersOf(ledger, 'ledger.ndjson')
  return html`<section id="findings" aria-labelledby="findings-title">
<h2 id="findings-title">Findings <span class="count">${thousands(all.length)}</span></h2>
${all.map(({ finding, kind }, index) => article(finding, answers(finding), index, kind))}
</section>`
}

const article = (
  finding: Finding,
  answers: Answers,
  index: number,
  kind: 'broken' | 'warning' | 'waived' | 'accepted',
): Markup => html`<article class="finding ${kind}" id="finding/${index + 1}">
<details${index < open ? html` open` : nothing}>
<summary><span class="number" aria-hidden="true">${index + 1}</span>
<h3>${answers.promise}</h3>
<span class="tags">${chip(kind)}<span class="level">${answers.level}</span>${answers.flaky ? html`<span class="chip inconclusive">flaky</span>` : nothing}</span></summary>
<p class="where"><a href="#${answers.id}"><code>${answers.id}</code></a> <span class="dot">·</span> <code>${answers.clause}</code> <span class="dot">·</span> <span>seen in ${answers.seen}</span></p>
<div class="columns compare">
<div class="wanted"><h4>Wanted</h4><p>${answers.wanted}</p></div>
<div class="got"><h4>Got</h4><p>${answers.got}</p></div>
</div>
${answers.hint === '' ? nothing : html`<p class="hint"><b>Hint</b> ${answers.hint}</p>`}
<h4>The smallest case that shows it</h4>
<div class="columns">
<div><h5>Request</h5>${requestBlock(finding.request)}</div>
<div><h5>Answer</h5>${outcomeBlock(finding.outcome)}</div>
</div>
<h4>See it again</h4>
${command('replay command', html`${answers.replay}`)}
${command('curl command', lines(finding.curl))}
${answers.curlExact ? nothing : html`<p class="soft">${inexact}</p>`}
${answers.also.length === 0 ? nothing : html`<h4>Broken by the same cause</h4><ul class="also">${answers.also.map(id => html`<li><a href="#${id}"><code>${id}</code></a></li>`)}</ul>`}
</details>
</article>`

/** A command to copy. */
export const command = (name: string, text: Markup): Markup =>
  html`<div class="command"><pre><code>${text}</code></pre><button type="button" class="copy js-only" aria-label="Copy the ${name}">Copy</button></div>`
