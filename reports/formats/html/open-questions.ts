import { type Ledger, plural, thousands } from '../../../spec/index.ts'
import type { ReasonedStatus, ReasonGroup, Summary } from '../../view/summary.ts'
import { idLink, mostListed, mostReasons, mostRows, shownOf } from './exchange.ts'
import { chip, html, type Markup, nothing, prose } from './markup.ts'

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
): Markup => {
  const groups = kinds.flatMap(kind => summary[kind].map(group => [kind, group] as const))
  return groups.length === 0
    ? nothing
    : html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${groups.slice(0, mostReasons).map(([kind, group]) => reasonBlock(group, kind, shownOf(ledger)))}${moreLine(groups.length - mostReasons, 'reason')}
</section>`
}

const reasonBlock = (
  { reason, entries }: ReasonGroup,
  status: ReasonedStatus,
  shown: ReadonlySet<string>,
): Markup => html`<details class="reason">
<summary>${chip(status)} <b>${thousands(entries.length)}</b> ${reason}</summary>
<noscript><ul class="also">${entries.slice(0, mostListed).map(({ obligation }) => html`<li>${idLink(obligation.id, shown)}</li>`)}${entries.length > mostListed ? html`<li>and ${thousands(entries.length - mostListed)} more</li>` : nothing}</ul></noscript>
</details>`

const questions = (ledger: Ledger, { observed }: Summary): Markup => {
  const policies = Object.entries(ledger.start.policies)
  if (observed.length + policies.length === 0) return nothing
  return html`<section id="questions" aria-labelledby="questions-title"><h2 id="questions-title">Open questions</h2>
${observed.length === 0 ? nothing : html`<p class="soft">The contract does not say what a server has to do here. This is what it did.</p><dl class="pairs">${observed.slice(0, mostRows).map(({ obligation, verdict }) => html`<div><dt>${prose(obligation.requirement)}<br>${idLink(obligation.id, shownOf(ledger))}</dt><dd>${verdict.kind === 'observed' ? verdict.observation : ''}</dd></div>`)}</dl>${moreLine(observed.length - mostRows, 'answer')}`}
${policies.length === 0 ? nothing : html`<h3>Policies</h3><dl class="pairs">${policies.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`}
</section>`
}

/** The rest is in the ledger. */
export const moreLine = (count: number, what: string): Markup =>
  count <= 0
    ? nothing
    : html`<p class="soft">and ${plural(count, `more ${what}`)}: <code>ledger.ndjson</code> has all of them</p>`

const notes = ({ notes: all }: Ledger): Markup =>
  all.length === 0
    ? nothing
    : html`<section id="notes" aria-labelledby="notes-title"><h2 id="notes-title">Notes</h2>
<ul class="notes">${all.slice(0, mostListed).map(({ level, message }) => html`<li>${level === 'warning' ? chip('warning') : nothing} ${message}</li>`)}</ul>${moreLine(all.length - mostListed, 'note')}
</section>`
