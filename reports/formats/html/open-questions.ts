import { type Ledger, thousands } from '../../../spec/index.ts'
import type { ReasonedStatus, ReasonGroup, Summary } from '../../view/summary.ts'
import { html, type Markup, nothing, prose } from './markup.ts'
import { idLink, shownOf } from './shown.ts'
import { chip } from './status-marks.ts'

/** What is accepted for now, what was not tested, what the contract leaves open, and notes. */
export const openSections = (ledger: Ledger, summary: Summary): Markup =>
  html`${reasonSection('waivers', 'Waivers and baseline', ledger, summary, ['fixed', 'waived', 'baselined'])}${reasonSection('not-tested', notTestedTitle(summary), ledger, summary, ['untested', 'inconclusive'])}${questions(ledger, summary)}${notes(ledger)}`

/** The heading over everything that has no result. */
export const notTestedTitle = ({ untested, inconclusive }: Summary): string => {
  if (inconclusive.length === 0) return 'Not tested'
  return untested.length === 0 ? 'Inconclusive' : 'Not tested or inconclusive'
}

const reasonSection = (
  id: string,
  title: string,
  ledger: Ledger,
  summary: Summary,
  kinds: readonly ReasonedStatus[],
): Markup =>
  kinds.every(kind => summary[kind].length === 0)
    ? nothing
    : html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${kinds.flatMap(kind => summary[kind].map(group => reasonBlock(group, kind, shownOf(ledger))))}
</section>`

/** Ids that are listed for a reason: of more, the number says enough. */
const mostIds = 2000

const reasonBlock = (
  { reason, entries }: ReasonGroup,
  status: ReasonedStatus,
  shown: ReadonlySet<string>,
): Markup => html`<details class="reason">
<summary>${chip(status)} <b>${thousands(entries.length)}</b> ${reason}</summary>
<noscript><ul class="also">${entries.slice(0, mostIds).map(({ obligation }) => html`<li>${idLink(obligation.id, shown)}</li>`)}${entries.length > mostIds ? html`<li>and ${thousands(entries.length - mostIds)} more</li>` : nothing}</ul></noscript>
</details>`

const questions = (ledger: Ledger, { observed }: Summary): Markup => {
  const policies = Object.entries(ledger.start.policies)
  if (observed.length + policies.length === 0) return nothing
  return html`<section id="questions" aria-labelledby="questions-title"><h2 id="questions-title">Open questions</h2>
${observed.length === 0 ? nothing : html`<p class="soft">The contract does not say what a server has to do here. This is what it did.</p><dl class="pairs">${observed.map(({ obligation, verdict }) => html`<div><dt>${prose(obligation.requirement)}<br><a href="#${obligation.id}"><code>${obligation.id}</code></a></dt><dd>${verdict.kind === 'observed' ? verdict.observation : ''}</dd></div>`)}</dl>`}
${policies.length === 0 ? nothing : html`<h3>Policies</h3><dl class="pairs">${policies.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`}
</section>`
}

const notes = ({ notes: all }: Ledger): Markup =>
  all.length === 0
    ? nothing
    : html`<section id="notes" aria-labelledby="notes-title"><h2 id="notes-title">Notes</h2>
<ul class="notes">${all.map(({ level, message }) => html`<li>${level === 'warning' ? chip('warning') : nothing} ${message}</li>`)}</ul>
</section>`
