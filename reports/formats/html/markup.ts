import { safeLines, safeText, thousands } from '../../../spec/index.ts'
import { needingLook, type Status, type StatusCounts, statuses, statusSigns } from '../../view/status.ts'

/** Text that is HTML already. Only this file makes it, so nothing from outside can be taken for it. */
export type Markup = { readonly markup: string }

type Interpolation = Markup | readonly Markup[] | string | number

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, char => entities[char] ?? char)

const write = (part: Interpolation): string => {
  if (typeof part === 'string') return escaped(safeText(part))
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('')
}

/** Builds HTML from a template; every text put into it is made safe and escaped, for content and attributes alike. */
export const html = (template: TemplateStringsArray, ...parts: readonly Interpolation[]): Markup => ({
  markup: template.map((text, index) => (index === 0 ? text : write(parts[index - 1] ?? '') + text)).join(''),
})

/** A sentence; what stands in backticks is set as code. */
export const prose = (text: string): Markup => {
  const parts = text.split('`')
  // An unpaired backtick stands for itself.
  if (parts.length % 2 === 0) return html`${text}`
  return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`
}

export const nothing: Markup = { markup: '' }

/** Text that keeps its line breaks, for `<pre>`. */
export const lines = (text: string): Markup => ({ markup: safeLines(text).map(escaped).join('\n') })

/** Text that is part of the product itself, such as its style sheet: never anything from outside. */
export const trusted = (markup: string): Markup => ({ markup })

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
