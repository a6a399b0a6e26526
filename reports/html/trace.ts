import type { Entry, Ledger } from '../../spec/index.ts'
import { isStrict, standingOf, standings, thousands } from '../count.ts'
import { type TraceRow, traceRows } from '../trace-rows.ts'
import { html, type Markup, nothing } from './markup.ts'
import { byWeight, chip, glyph, words, worst } from './standing.ts'

/** Every clause of what the contract rests on: the obligations that cover it with their verdicts, or why there are none. */
export const traceSection = (ledger: Ledger): Markup => {
  const rows = traceRows(ledger)
  if (rows.length === 0) return nothing
  const strict = isStrict(ledger)
  const covered = rows.filter(({ entries }) => entries.length > 0).length
  return html`<section id="trace" aria-labelledby="trace-title">
<h2 id="trace-title">Clause by clause <span class="count">${thousands(rows.length)}</span></h2>
<p class="soft">What the contract rests on, with the promises that cover it: ${thousands(covered)} of ${thousands(rows.length)} clauses are tested; of each other one the reason is given.</p>
<div class="clauses">
${rows.map(row => (row.entries.length === 0 ? bare(row) : told(row, strict)))}
</div>
</section>`
}

const head = ({ clause }: TraceRow): Markup =>
  html`<span class="words">${clause.text}<small>${clause.at} <span class="dot">·</span> <code>${clause.id}</code></small></span>`

const bare = (row: TraceRow): Markup => html`<div class="clause-row" id="clause/${row.clause.id}">
<div class="line"><span class="chip untested">${glyph('untested')}no test</span>${head(row)}<span class="soft why">${row.clause.because ?? 'the promises that cover it were left out of this run'}</span></div>
</div>`

const told = (
  row: TraceRow,
  strict: boolean,
): Markup => html`<details class="clause-row" id="clause/${row.clause.id}">
<summary class="line">${chip(worst(row.counts))}${head(row)}<span class="soft why">${standings
  .filter(standing => row.counts[standing] > 0)
  .map(
    standing => html`<span class="part">${thousands(row.counts[standing])} ${words[standing]}</span>`,
  )}</span></summary>
<noscript><ul class="also">${worstFirst(row.entries, strict).map(entry => item(entry, strict))}</ul></noscript>
</details>`

const worstFirst = (entries: readonly Entry[], strict: boolean): readonly Entry[] => {
  const weight = (entry: Entry): number => byWeight.indexOf(standingOf(entry, strict))
  return entries.toSorted((left, right) => weight(left) - weight(right))
}

const item = (entry: Entry, strict: boolean): Markup => {
  const { id } = entry.obligation
  const standing = standingOf(entry, strict)
  return html`<li><a href="#${id}">${id}</a> ${words[standing]}</li>`
}
