import { type Family, families, type Ledger, plural, thousands } from '../../../spec/index.ts'
import { familyMeanings, type MatrixCell, type MatrixRow } from '../../view/matrix.ts'
import { sensitivities } from '../../view/sensitivity.ts'
import { statuses } from '../../view/status.ts'
import { mostRows } from './exchange.ts'
import { glyph, html, type Markup, nothing, worst, worstFirst } from './markup.ts'
import { moreLine } from './open-questions.ts'

// In a table of more operations than this, a row takes a single line if it can.
const roomy = 12

/** Operations and families, each cell with its worst status; operations that need a look come first. */
export const heatMap = (ledger: Ledger, rows: readonly MatrixRow[]): Markup => {
  const used = families.filter(family => rows.some(({ cells }) => cells.some(cell => cell.family === family)))
  const sorted = rows.toSorted(
    (a, b) => worstFirst.indexOf(worst(a.counts)) - worstFirst.indexOf(worst(b.counts)),
  )
  return html`<section id="map" aria-labelledby="map-title">
<h2 id="map-title">Operations and families</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Table of operations and families">
<table class="${rows.length > roomy ? 'map dense' : 'map'}">
<thead><tr><th scope="col">Operation</th>${used.map(family => html`<th scope="col">${family}<small>${familyMeanings[family]}</small></th>`)}</tr></thead>
<tbody>${sorted.slice(0, mostRows).map(row => rowMarkup(row, used))}</tbody>
</table>
</div>
${moreLine(sorted.length - mostRows, 'operation')}
${missedFaults(ledger)}
</section>`
}

const missedFaults = (ledger: Ledger): Markup => {
  const sentences = sensitivities(ledger)
  return sentences.length === 0
    ? nothing
    : html`<h3>What the test cases can have missed</h3>
<dl class="pairs">${sentences.map(({ about, sentence }) => html`<div><dt>${about}</dt><dd>${sentence}</dd></div>`)}</dl>`
}

/** A name as the search field takes it. */
const oneWord = (name: string): string => name.replaceAll(' ', '_')

const rowMarkup = ({ operation, cells }: MatrixRow, used: readonly Family[]): Markup => html`<tr>
<th scope="row"><a href="#requirements" data-query="operation:${oneWord(operation.id)}">${operation.id}</a><small>${operation.method} ${operation.path}</small></th>
${used.map(family =>
  cellMarkup(
    operation.id,
    cells.find(cell => cell.family === family),
  ),
)}
</tr>`

const cellMarkup = (operation: string, cell: MatrixCell | undefined): Markup => {
  if (cell === undefined) return html`<td class="empty"><span class="hush">no requirement</span></td>`
  const main = worst(cell.counts)
  const rest = statuses.filter(status => status !== main && cell.counts[status] > 0)
  return html`<td class="cell ${main}"><a href="#requirements" data-query="operation:${oneWord(operation)} family:${cell.family}"><b>${glyph(main)}${thousands(cell.counts[main])} ${main}</b>
${rest.map(status => html`<span>${thousands(cell.counts[status])} ${status}</span>`)}
${cell.cases === 0 ? nothing : html`<small>${plural(cell.cases, 'case')}</small>`}</a></td>`
}
