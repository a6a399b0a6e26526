import type { Ledger } from '../../spec/index.ts'
import { thousands } from '../count.ts'
import type { Reason, Reasoned, Summary } from '../summary.ts'
import { html, type Markup, nothing } from './markup.ts'
import { chip } from './standing.ts'

/** What was not judged, and why; what the contract leaves open, and what was seen there; what else happened. */
export const openSections = (ledger: Ledger, summary: Summary): Markup =>
  html`${gaps(summary)}${questions(ledger, summary)}${notes(ledger)}`

const gaps = (summary: Summary): Markup =>
  html`${section('waivers', 'Waivers and baseline', summary, ['mended', 'waived', 'accepted'])}${section('gaps', 'Not judged, and why', summary, ['inconclusive', 'untested'])}`

const section = (id: string, title: string, summary: Summary, kinds: readonly Reasoned[]): Markup =>
  kinds.every(kind => summary[kind].length === 0)
    ? nothing
    : html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${kinds.flatMap(kind => summary[kind].map(reason => reasonBlock(reason, kind)))}
</section>`

const reasonBlock = (
  { because, entries }: Reason,
  standing: Reasoned,
): Markup => html`<details class="reason">
<summary>${chip(standing)} <b>${thousands(entries.length)}</b> ${because}</summary>
<ul class="also">${entries.map(({ obligation }) => html`<li><a href="#${obligation.id}"><code>${obligation.id}</code></a></li>`)}</ul>
</details>`

const questions = (ledger: Ledger, { observed }: Summary): Markup => {
  const policies = Object.entries(ledger.start.policies)
  if (observed.length + policies.length === 0) return nothing
  return html`<section id="questions" aria-labelledby="questions-title"><h2 id="questions-title">Where the contract does not say</h2>
${observed.length === 0 ? nothing : html`<dl class="pairs">${observed.map(({ obligation, verdict }) => html`<div><dt>${obligation.promise}<br><a href="#${obligation.id}"><code>${obligation.id}</code></a></dt><dd>${verdict.kind === 'observed' ? verdict.what : ''}</dd></div>`)}</dl>`}
${policies.length === 0 ? nothing : html`<h3>How it was judged</h3><dl class="pairs">${policies.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`}
</section>`
}

const notes = ({ notes: all }: Ledger): Markup =>
  all.length === 0
    ? nothing
    : html`<section id="notes" aria-labelledby="notes-title"><h2 id="notes-title">Notes</h2>
<ul class="notes">${all.map(({ level, message }) => html`<li>${level === 'warning' ? chip('warning') : nothing} ${message}</li>`)}</ul>
</section>`
