import { casesOf, type Entry, type Ledger, type RecordedOperation } from '../../spec/index.ts'
import { clauseText } from '../answers.ts'
import { percent, standingOf, standings, thousands, upperBound } from '../count.ts'
import type { Row } from '../matrix.ts'
import { becauseOf, type Summary } from '../summary.ts'
import { html, type Markup, nothing, prose } from './markup.ts'
import { chip, words } from './standing.ts'

/** Every obligation with what became of it, to be searched, filtered and linked to by its id. */
export const obligationsSection = (ledger: Ledger, summary: Summary, rows: readonly Row[]): Markup => {
  const numbers = findingNumbers(summary)
  const entries = Map.groupBy(ledger.entries, ({ obligation }) => obligation.operation)
  const groups = rows.map(({ operation }) =>
    group(operation, entries.get(operation.id) ?? [], summary.strict, numbers),
  )
  return html`<section id="obligations" aria-labelledby="obligations-title">
<h2 id="obligations-title">Every promise of the contract <span class="count">${thousands(ledger.entries.length)}</span></h2>
<form class="filter js-only" role="search" aria-label="Promises">
<label class="search">Search <input type="search" id="query" autocomplete="off" spellcheck="false" placeholder="words, or level:must family:refuse verdict:broken"></label>
<fieldset><legend>Verdict</legend>${standings
    .filter(standing => summary.counts[standing] > 0)
    .map(
      standing =>
        html`<label class="toggle ${standing}"><input type="checkbox" name="standing" value="${standing}" checked> ${words[standing]} ${thousands(summary.counts[standing])}</label>`,
    )}</fieldset>
<p class="shown" id="shown" role="status"></p>
<button type="reset" class="plain">Show all</button>
</form>
<div class="scroll" id="promises" tabindex="0" role="region" aria-label="Table of promises">
<noscript><table class="obligations">
<thead><tr><th scope="col">Verdict</th><th scope="col">Promise</th><th scope="col">Level</th><th scope="col">Clause</th><th scope="col" class="number-cell">Cases</th></tr></thead>
${groups}
</table></noscript>
</div>
<p class="soft small">Under the cases of a kept promise: the failure rate that they rule out with 95 % confidence (rule of three, 3 ÷ cases).</p>
</section>`
}

const findingNumbers = ({ failing, warning, excused }: Summary): ReadonlyMap<string, number> => {
  const numbers = new Map<string, number>()
  const all = [...failing, ...warning, ...excused]
  for (const [index, { also }] of all.entries())
    for (const id of also) if (!numbers.has(id)) numbers.set(id, index + 1)
  for (const [index, { obligation }] of all.entries()) numbers.set(obligation, index + 1)
  return numbers
}

const group = (
  operation: RecordedOperation,
  entries: readonly Entry[],
  strict: boolean,
  numbers: ReadonlyMap<string, number>,
): Markup =>
  entries.length === 0
    ? nothing
    : html`<tbody class="head"><tr class="group"><th scope="rowgroup" colspan="5">${operation.id} <span class="soft">${operation.method} ${operation.path} <i>${operation.summary}</i></span></th></tr></tbody>
<tbody data-operation="${operation.id}">${entries.map(entry => row(entry, strict, numbers.get(entry.obligation.id) ?? null))}</tbody>
`

const row = (entry: Entry, strict: boolean, finding: number | null): Markup => {
  const { obligation, verdict } = entry
  const standing = standingOf(entry, strict)
  return html`<tr id="${obligation.id}" data-standing="${standing}" data-family="${obligation.family}" data-level="${obligation.level}">
<td>${chip(standing)}</td>
<td><a class="self" href="#${obligation.id}"><code>${obligation.id}</code></a><p>${prose(obligation.promise)}</p>${outcome(entry, finding)}</td>
<td class="level">${obligation.level}</td>
<td class="clause"><code>${clauseText(obligation.clause)}</code></td>
<td class="number-cell">${casesOf(verdict) === 0 ? '–' : thousands(casesOf(verdict))}${bound(entry)}</td>
</tr>
`
}

const outcome = ({ verdict }: Entry, finding: number | null): Markup => {
  const link =
    finding === null
      ? nothing
      : html`<p class="told"><a href="#finding/${finding}">finding ${finding}</a></p>`
  if (verdict.kind === 'observed') return html`<p class="told">${verdict.what}</p>${link}`
  const because = becauseOf(verdict)
  return because === null ? link : html`<p class="told">${because}</p>${link}`
}

const bound = ({ verdict }: Entry): Markup => {
  const rate = verdict.kind === 'kept' ? upperBound(verdict.cases) : null
  return rate === null ? nothing : html`<small>&lt; ${percent(rate)}</small>`
}
