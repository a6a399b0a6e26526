import { type Entry, type Ledger, thousands } from '../../../spec/index.ts'
import { isStrict, statuses, statusOf } from '../../view/status.ts'
import { type TraceRow, traceRows } from '../../view/trace-rows.ts'
import { html, type Markup, nothing } from './markup.ts'
import { moreLine } from './open-questions.ts'
import { mostListed, shownOf } from './shown.ts'
import { chip, glyph, worst, worstFirst } from './status-marks.ts'

/** Clauses that are listed: of more, those that need a look. */
const mostClauses = 400

/** Every clause of the interface document with the obligations that cover it, or the reason why none does. */
export const traceabilitySection = (ledger: Ledger): Markup => {
  const rows = traceRows(ledger)
  if (rows.length === 0) return nothing
  const strict = isStrict(ledger)
  const shown = shownOf(ledger)
  const worstOf = ({ entries, counts }: TraceRow): number =>
    entries.length === 0 ? worstFirst.length : worstFirst.indexOf(worst(counts))
  const chosen = new Set(rows.toSorted((left, right) => worstOf(left) - worstOf(right)).slice(0, mostClauses))
  const listed = rows.filter(row => chosen.has(row))
  const covered = rows.filter(({ entries }) => entries.length > 0).length
  return html`<section id="trace" aria-labelledby="trace-title">
<h2 id="trace-title">Traceability <span class="count">${thousands(rows.length)}</span></h2>
<p class="soft">The clauses of the interface document with the requirements that cover them. ${thousands(covered)} of ${thousands(rows.length)} clauses are covered; the others give the reason why not.</p>
<div class="clauses">
${listed.map(row => (row.entries.length === 0 ? uncoveredClause(row) : coveredClause(row, strict, shown)))}
</div>${moreLine(rows.length - listed.length, 'clause')}
</section>`
}

const head = ({ clause }: TraceRow): Markup =>
  html`<span class="words">${clause.text}<small>${clause.at} <span class="dot">·</span> <code>${clause.id}</code></small></span>`

const uncoveredClause = (row: TraceRow): Markup => html`<div class="clause-row" id="clause/${row.clause.id}">
<div class="line"><span class="chip untested">${glyph('untested')}no test</span>${head(row)}<span class="soft why">${row.clause.reason ?? 'this run left out the requirements that cover it'}</span></div>
</div>`

const coveredClause = (
  row: TraceRow,
  strict: boolean,
  shown: ReadonlySet<string>,
): Markup => html`<details class="clause-row" id="clause/${row.clause.id}">
<summary class="line">${chip(worst(row.counts))}${head(row)}<span class="soft why">${statuses
  .filter(status => row.counts[status] > 0)
  .map(status => html`<span class="part">${thousands(row.counts[status])} ${status}</span>`)}</span></summary>
<noscript><ul class="also">${items(row.entries, strict, shown)}</ul></noscript>
</details>`

const sortedWorstFirst = (entries: readonly Entry[], strict: boolean): readonly Entry[] => {
  const weight = (entry: Entry): number => worstFirst.indexOf(statusOf(entry, strict))
  return entries.toSorted((left, right) => weight(left) - weight(right))
}

/** Those that the page has a row of, and how many there are besides. */
const items = (entries: readonly Entry[], strict: boolean, shown: ReadonlySet<string>): readonly Markup[] => {
  const listed = sortedWorstFirst(
    entries.filter(({ obligation }) => shown.has(obligation.id)),
    strict,
  ).slice(0, mostListed)
  const others = entries.length - listed.length
  return [
    ...listed.map(entry => item(entry, strict)),
    ...(others === 0
      ? []
      : [
          html`<li>${listed.length === 0 ? '' : 'and '}${thousands(others)} that this page does not list</li>`,
        ]),
  ]
}

const item = (entry: Entry, strict: boolean): Markup => {
  const { id } = entry.obligation
  return html`<li><a href="#${id}">${id}</a> ${statusOf(entry, strict)}</li>`
}
