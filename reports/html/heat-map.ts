import { type Family, families } from '../../spec/index.ts'
import { plural, standings, thousands } from '../count.ts'
import type { Cell, Row } from '../matrix.ts'
import { html, type Markup, nothing } from './markup.ts'
import { byWeight, glyph, words, worst } from './standing.ts'

const meanings: Readonly<Record<Family, string>> = {
  accept: 'what is valid is taken',
  refuse: 'what is not is refused',
  bearer: 'credentials are checked',
  answer: 'answers are as declared',
  load: 'also under load',
  open: 'where the contract is silent',
  wire: 'HTTP itself is kept',
}

// With more operations than this, a row takes a single line where it can.
const roomy = 12

/** Operations and families, each cell with its worst standing; operations with something to tell first. */
export const heatMap = (rows: readonly Row[]): Markup => {
  const used = families.filter(family => rows.some(({ cells }) => cells.some(cell => cell.family === family)))
  const sorted = rows.toSorted(
    (a, b) => byWeight.indexOf(worst(a.counts)) - byWeight.indexOf(worst(b.counts)),
  )
  return html`<section id="map" aria-labelledby="map-title">
<h2 id="map-title">Operations and families</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Table of operations and families">
<table class="${rows.length > roomy ? 'map dense' : 'map'}">
<thead><tr><th scope="col">Operation</th>${used.map(family => html`<th scope="col">${family}<small>${meanings[family]}</small></th>`)}</tr></thead>
<tbody>${sorted.map(row => rowMarkup(row, used))}</tbody>
</table>
</div>
</section>`
}

const rowMarkup = ({ operation, cells }: Row, used: readonly Family[]): Markup => html`<tr>
<th scope="row"><a href="#obligations" data-query="operation:${operation.id.replaceAll(' ', '_')}">${operation.id}</a><small>${operation.method} ${operation.path}</small></th>
${used.map(family =>
  cellMarkup(
    operation.id,
    cells.find(cell => cell.family === family),
  ),
)}
</tr>`

const cellMarkup = (operation: string, cell: Cell | undefined): Markup => {
  if (cell === undefined) return html`<td class="empty"><span class="hush">no promise</span></td>`
  const main = worst(cell.counts)
  const rest = standings.filter(standing => standing !== main && cell.counts[standing] > 0)
  return html`<td class="cell ${main}"><a href="#obligations" data-query="operation:${operation.replaceAll(' ', '_')} family:${cell.family}"><b>${glyph(main)}${thousands(cell.counts[main])} ${words[main]}</b>
${rest.map(standing => html`<span>${thousands(cell.counts[standing])} ${words[standing]}</span>`)}
${cell.cases === 0 ? nothing : html`<small>${plural(cell.cases, 'case')}</small>`}</a></td>`
}
