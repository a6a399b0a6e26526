import { casesOf, type Entry, type Ledger, type RecordedOperation, thousands } from '../../../spec/index.ts'
import { clauseText } from '../../view/finding-text.ts'
import type { MatrixRow } from '../../view/matrix.ts'
import { orderedCauses } from '../../view/ordered-causes.ts'
import { isStrict, statuses, statusOf } from '../../view/status.ts'
import { exceptionOf, reasonOf, type Summary } from '../../view/summary.ts'
import { type TestCase, testCases } from '../../view/test-case.ts'
import { type TraceRow, traceRows } from '../../view/trace-rows.ts'
import { mostCauses, mostListed, shownOf } from './exchange.ts'
import { chip, glyph, html, type Markup, nothing, prose, worst, worstFirst } from './markup.ts'
import { moreLine } from './open-questions.ts'

/** Every obligation with its verdict, to be searched, filtered and linked to by its id: most of a page, so it comes in parts. */
export function* obligationsSection(
  ledger: Ledger,
  summary: Summary,
  rows: readonly MatrixRow[],
): Generator<Markup> {
  const numbers = findingNumbers(summary)
  const caseOf = testCases(ledger)
  const shown = shownOf(ledger)
  const entries = Map.groupBy(
    ledger.entries.filter(({ obligation }) => shown.has(obligation.id)),
    ({ obligation }) => obligation.operation,
  )
  yield html`<section id="requirements" aria-labelledby="requirements-title">
<h2 id="requirements-title">Requirements <span class="count">${thousands(ledger.entries.length)}</span></h2>
${shown.size === ledger.entries.length ? nothing : html`<p class="soft">The ${thousands(shown.size)} that say most: failures, what is inconclusive or observed, and then what passed. <code>report.json</code> and <code>ledger.ndjson</code> have all of them.</p>\n`}<form class="filter js-only" role="search" aria-label="Requirements">
<label class="search">Search <input type="search" id="query" autocomplete="off" spellcheck="false" placeholder="words, or level:must family:reject verdict:failed"></label>
<fieldset><legend>Verdict</legend>${statuses
    .filter(status => summary.counts[status] > 0)
    .map(
      status =>
        html`<label class="toggle ${status}"><input type="checkbox" name="status" value="${status}" checked> ${status} ${thousands(summary.counts[status])}</label>`,
    )}</fieldset>
<p class="shown" id="shown" role="status"></p>
<button type="reset" class="plain">Show all</button>
</form>
<div class="scroll" id="requirements-table" tabindex="0" role="region" aria-label="Table of requirements">
<noscript><table class="obligations">
<thead><tr><th scope="col">Verdict</th><th scope="col">Requirement</th><th scope="col">Level</th><th scope="col">Clause</th><th scope="col" class="number-cell">Cases</th></tr></thead>
`
  for (const { operation } of rows)
    yield groupMarkup(
      operation,
      (entries.get(operation.id) ?? []).map(entry =>
        rowMarkup(entry, caseOf(entry), numbers.get(entry.obligation.id) ?? null),
      ),
    )
  yield html`
</table></noscript>
</div>
</section>`
}

/** The number of the cause that an obligation failed by: its own first, then one with the same cause. */
const findingNumbers = (summary: Summary): ReadonlyMap<string, number> => {
  const numbers = new Map<string, number>()
  const shown = orderedCauses(summary).slice(0, mostCauses)
  const findings = shown.flatMap(({ cause }, index) =>
    cause.findings.map(finding => [index + 1, finding] as const),
  )
  for (const [number, { also }] of findings)
    for (const id of also) if (!numbers.has(id)) numbers.set(id, number)
  for (const [number, { obligation }] of findings) numbers.set(obligation, number)
  return numbers
}

const groupMarkup = ({ id, method, path, summary }: RecordedOperation, rows: readonly Markup[]): Markup =>
  rows.length === 0
    ? nothing
    : html`<tbody class="head"><tr class="group"><th scope="rowgroup" colspan="5">${id} <span class="soft">${method} ${path} <i>${summary}</i></span></th></tr></tbody>
<tbody data-operation="${id}">${rows}</tbody>
`

const rowMarkup = ({ obligation, verdict }: Entry, testCase: TestCase, finding: number | null): Markup => {
  const { id, family, level, clause } = obligation
  const cases = casesOf(verdict)
  return html`<tr id="${id}" data-status="${testCase.status}" data-family="${family}" data-level="${level}">
<td>${chip(testCase.status)}</td>
<td><a class="self" href="#${id}"><code>${id}</code></a>${sentences(obligation, testCase, finding)}${reason(verdict)}</td>
<td class="level">${level}</td>
<td class="clause"><code>${clauseText(clause)}</code></td>
<td class="number-cell">${cases === 0 ? '–' : thousands(cases)}</td>
</tr>
`
}

/** What went wrong before what is required: a red mark beside the requirement alone would say the opposite of what happened. */
const sentences = (
  { requirement }: Entry['obligation'],
  { title, finding }: TestCase,
  number: number | null,
): Markup =>
  finding === null
    ? html`<p>${prose(requirement)}</p>`
    : html`<p>${number === null ? prose(title) : html`<a href="#finding/${number}">${prose(title)}</a>`}</p><p class="detail">Requirement: ${prose(requirement)}</p>`

const reason = (verdict: Entry['verdict']): Markup => {
  const text = verdict.kind === 'observed' ? verdict.observation : (exceptionOf(verdict) ?? reasonOf(verdict))
  return text === null ? nothing : html`<p class="detail">${text}</p>`
}

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
