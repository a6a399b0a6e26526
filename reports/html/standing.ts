import { type Counts, type Standing, standings, thousands } from '../count.ts'
import { html, type Markup } from './markup.ts'

// A form for each colour, as colour alone tells nothing to many readers.
const glyphs: Readonly<Record<Standing, string>> = {
  kept: '✓',
  broken: '✗',
  warning: '!',
  mended: '↑',
  waived: '~',
  accepted: '=',
  inconclusive: '?',
  untested: '–',
  observed: '◦',
}

export const words: Readonly<Record<Standing, string>> = {
  kept: 'kept',
  broken: 'broken',
  warning: 'warning',
  mended: 'mended',
  waived: 'waived',
  accepted: 'in the baseline',
  inconclusive: 'inconclusive',
  untested: 'not tested',
  observed: 'observed',
}

export const glyph = (standing: Standing): Markup =>
  html`<span class="glyph" aria-hidden="true">${glyphs[standing]}</span>`

/** The standing as a small label: form, word and colour. */
export const chip = (standing: Standing): Markup =>
  html`<span class="chip ${standing}">${glyph(standing)}${words[standing]}</span>`

/** The worst first. */
export const byWeight: readonly Standing[] = [
  'broken',
  'mended',
  'warning',
  'waived',
  'accepted',
  'inconclusive',
  'untested',
  'kept',
  'observed',
]

/** The worst standing that occurs: what a cell or row of many shows first. */
export const worst = (counts: Counts): Standing =>
  byWeight.find(standing => counts[standing] > 0) ?? 'observed'

/** All obligations as one bar, and its legend in words and numbers. */
export const bar = (counts: Counts): Markup => {
  const total = standings.reduce((sum, standing) => sum + counts[standing], 0)
  const present = standings.filter(standing => counts[standing] > 0)
  let left = 0
  const parts = present.map(standing => {
    const width = Math.round((counts[standing] * 10_000) / Math.max(1, total)) / 10
    const part = html`<rect class="fill-${standing}" x="${left}" y="0" width="${Math.max(4, width - 3)}" height="10" rx="2"/>`
    left = Math.round((left + width) * 10) / 10
    return part
  })
  const label = present.map(standing => `${thousands(counts[standing])} ${words[standing]}`).join(', ')
  return html`<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="${label}">${parts}</svg>
<ul class="legend">${present.map(standing => html`<li><a class="tally ${standing}" href="#obligations" data-query="verdict:${standing}"><b>${glyph(standing)}${thousands(counts[standing])}</b> ${words[standing]}</a></li>`)}</ul>`
}
