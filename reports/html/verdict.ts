import type { Ledger } from '../../spec/index.ts'
import { answersOf } from '../answers.ts'
import { duration, percent, plural, thousands, upperBound } from '../count.ts'
import { beginning } from '../cut-text.ts'
import type { Reason, Summary } from '../summary.ts'
import { html, type Markup, nothing } from './markup.ts'
import { bar } from './standing.ts'

const leading = 6
const reasonsShown = 3

/** What a run says of the server, what that rests on, and what it cannot say: the first screen. */
export const verdictSection = (ledger: Ledger, summary: Summary): Markup => {
  const { title, version } = ledger.start.contract
  const headline = { conformant: 'Conformant', broken: 'Not conformant', inconclusive: 'Inconclusive' }[
    summary.conclusion
  ]
  const sign = { conformant: '✓', broken: '✗', inconclusive: '?' }[summary.conclusion]
  return html`<section class="verdict ${summary.conclusion}" id="verdict" aria-labelledby="verdict-title">
<p class="eyebrow">${title} ${version} <span class="dot">·</span> <code>${ledger.start.target}</code> <span class="dot">·</span> <time datetime="${ledger.start.at}">${when(ledger.start.at)}</time></p>
<h1 id="verdict-title"><span class="seal" aria-hidden="true">${sign}</span>${headline}</h1>
<p class="lede">${lede(summary, ledger.entries.length)}</p>
${summary.stopped === null ? nothing : html`<p class="callout warning"><b>The run is not whole:</b> ${summary.stopped}.</p>`}
${bar(summary.counts)}
${leaders(ledger, summary)}
<div class="columns">
<div><h2>What it rests on</h2><ul class="facts">${grounds(ledger, summary)}</ul></div>
<div><h2>What it cannot say</h2><ul class="facts">${limits(summary)}</ul></div>
</div>
</section>`
}

/** `2026-11-21 09:30 UTC` */
export const when = (at: string): string => at.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z$/, '$1 $2 UTC')

export const lede = ({ counts, failing, conclusion, strict }: Summary, total: number): string => {
  const warned =
    counts.warning === 0
      ? ''
      : ` ${plural(counts.warning, 'promise')} that SHOULD be kept ${counts.warning === 1 ? 'is' : 'are'} not: a warning.`
  const counted = strict ? ' Promises that SHOULD be kept count too (strict).' : ''
  const excused = (count: number, how: string): string =>
    count === 0 ? '' : ` ${plural(count, 'promise')} ${count === 1 ? 'is' : 'are'} broken and ${how}.`
  const waived = `${excused(counts.waived, 'waived')}${excused(counts.accepted, 'in the baseline')}`
  const accepted =
    [counts.waived > 0 ? 'waived' : '', counts.accepted > 0 ? 'in the baseline' : '']
      .filter(word => word !== '')
      .join(' or ') || 'waived'
  if (conclusion === 'broken' && counts.broken === 0)
    return `No promise is broken that is not ${accepted}, but ${counts.mended > 0 ? `${plural(counts.mended, 'promise')} ${counts.mended === 1 ? 'is' : 'are'} kept again: what accepts ${counts.mended === 1 ? 'it has' : 'them has'} to go` : 'a waiver has expired'}.${waived}${warned}${counted}`
  if (conclusion === 'broken') {
    const causes =
      failing.length > 0 && failing.length < counts.broken ? `, for ${plural(failing.length, 'cause')}` : ''
    return `${thousands(counts.broken)} of ${plural(total, 'promise')} ${counts.broken === 1 ? 'is' : 'are'} broken${causes}.${waived}${warned}${counted}`
  }
  if (conclusion === 'inconclusive')
    return `Too little could be judged to say whether the server keeps its contract.${warned}${counted}`
  return `Every promise that ${counts.warning > 0 ? 'MUST be kept and was tested' : 'was tested'} is kept${counts.waived + counts.accepted > 0 ? `, but for those that are ${accepted}` : ''}.${waived}${warned}${counted}`
}

const leaders = (ledger: Ledger, { failing, warning }: Summary): Markup => {
  const all = [...failing, ...warning]
  if (all.length === 0) return nothing
  const answers = answersOf(ledger, 'ledger.ndjson')
  const items = all.slice(0, leading).map((finding, index) => {
    const { promise, got } = answers(finding)
    const kind = index < failing.length ? 'broken' : 'warning'
    return html`<li class="${kind}"><a href="#finding/${index + 1}">${promise}</a> <span class="soft">got ${beginning(got, 90)}${got.length > 90 ? '…' : ''}</span></li>`
  })
  const more =
    all.length > leading
      ? html`<li class="more"><a href="#findings">and ${thousands(all.length - leading)} more</a></li>`
      : nothing
  return html`<ol class="leaders">${items}${more}</ol>`
}

const grounds = (ledger: Ledger, summary: Summary): readonly Markup[] => {
  const kept = ledger.entries
    .flatMap(({ verdict }) => (verdict.kind === 'kept' ? [verdict.cases] : []))
    .sort((a, b) => a - b)
  const median = kept[Math.floor(kept.length / 2)] ?? 0
  const bound = upperBound(median)
  const sent = summary.requests === null ? '' : `, ${plural(summary.requests, 'request')} sent`
  const took = summary.ms === null ? '' : ` in ${duration(summary.ms)}`
  return [
    html`<li><b>${thousands(summary.counts.kept)} of ${thousands(ledger.entries.length)}</b> promises of the contract tested and kept</li>`,
    html`<li><b>${plural(summary.cases, 'case')}</b>${sent}${took}</li>`,
    bound === null
      ? nothing
      : html`<li>95 % sure: a typical kept promise (${plural(median, 'case')}) fails in <b>less than ${percent(bound)}</b> of such cases; the least tried has ${plural(kept[0] ?? 0, 'case')}</li>`,
    html`<li>contract <code>${beginning(ledger.start.contract.digest, 8)}</code>, seed <code>${ledger.start.seed}</code>: <a href="#run">how it was run</a></li>`,
  ]
}

const limits = (summary: Summary): readonly Markup[] => [
  ...told(summary.mended, 'mended'),
  ...told(summary.waived, 'waived'),
  ...told(summary.accepted, 'in the baseline'),
  ...told(summary.untested, 'not tested'),
  ...told(summary.inconclusive, 'inconclusive'),
  summary.observed.length === 0
    ? nothing
    : html`<li><b>${thousands(summary.observed.length)} observed</b>, not judged: <a href="#questions">the contract does not say</a></li>`,
  html`<li>Cases can show that a promise is broken, never that it is always kept.</li>`,
]

const told = (reasons: readonly Reason[], word: string): readonly Markup[] => {
  const shown = reasons
    .slice(0, reasonsShown)
    .map(({ because, entries }) => html`<li><b>${thousands(entries.length)} ${word}:</b> ${because}</li>`)
  const more = reasons.length - shown.length
  return more > 0 ? [...shown, html`<li><a href="#gaps">and ${plural(more, 'more reason')}</a></li>`] : shown
}
