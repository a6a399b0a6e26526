import { casesOf, type Entry, type Ledger, type RecordedOperation, thousands } from '../../../spec/index.ts'
import { clauseText } from '../../view/finding-text.ts'
import type { MatrixRow } from '../../view/matrix.ts'
import { orderedCauses } from '../../view/ordered-causes.ts'
import { statuses } from '../../view/status.ts'
import { exceptionOf, reasonOf, type Summary } from '../../view/summary.ts'
import { type TestCase, testCases } from '../../view/test-case.ts'
import { html, type Markup, nothing, prose } from './markup.ts'
import { mostCauses, shownOf } from './shown.ts'
import { chip } from './status-marks.ts'

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
