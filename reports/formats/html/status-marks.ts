import { thousands } from '../../../spec/index.ts'
import { needingLook, type Status, type StatusCounts, statuses, statusSigns } from '../../view/status.ts'
import { html, type Markup } from './markup.ts'

export const glyph = (status: Status): Markup =>
  html`<span class="glyph" aria-hidden="true">${statusSigns[status]}</span>`

/** A status as a small label: shape, word and colour. */
export const chip = (status: Status): Markup =>
  html`<span class="chip ${status}">${glyph(status)}${status}</span>`

export const worstFirst: readonly Status[] = [...needingLook, 'untested', 'passed', 'observed']

/** The worst status that occurs: what a cell or a row of many shows first. */
export const worst = (counts: StatusCounts): Status =>
  worstFirst.find(status => counts[status] > 0) ?? 'observed'

/** All obligations as one bar, with a legend in words and numbers. */
export const bar = (counts: StatusCounts): Markup => {
  const total = statuses.reduce((sum, status) => sum + counts[status], 0)
  const present = statuses.filter(status => counts[status] > 0)
  let left = 0
  const parts = present.map(status => {
    const width = Math.round((counts[status] * 10_000) / Math.max(1, total)) / 10
    const part = html`<rect class="fill-${status}" x="${left}" y="0" width="${Math.max(4, width - 3)}" height="10" rx="2"/>`
    left = Math.round((left + width) * 10) / 10
    return part
  })
  const label = present.map(status => `${thousands(counts[status])} ${status}`).join(', ')
  return html`<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="${label}">${parts}</svg>
<ul class="legend">${present.map(status => html`<li><a class="tally ${status}" href="#requirements" data-query="verdict:${status}"><b>${glyph(status)}${thousands(counts[status])}</b> ${status}</a></li>`)}</ul>`
}
