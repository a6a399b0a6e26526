import type { Ledger } from '../../spec/index.ts'
import { type Answered, answered, quantile } from '../answered.ts'
import { plural, thousands } from '../count.ts'
import { html, type Markup, nothing } from './markup.ts'

/** What each operation answered: status codes, and a strip of how long answers took. */
export const answersSection = (ledger: Ledger): Markup => {
  const rows = answered(ledger)
  if (rows.length === 0) return nothing
  const longest = Math.max(1, ...rows.map(({ times }) => times.at(-1) ?? 0))
  const written = rows.reduce((sum, { exchanges }) => sum + exchanges, 0)
  return html`<section id="answers" aria-labelledby="answers-title">
<h2 id="answers-title">What was answered, and how fast</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Table of answers">
<table class="answers">
<thead><tr><th scope="col">Operation</th><th scope="col">Status codes</th><th scope="col">Time to a whole answer<small>0.1 ms to ${shown(longest)}, each step twice as long</small></th><th scope="col" class="number-cell">Half within</th><th scope="col" class="number-cell">95 % within</th><th scope="col" class="number-cell">Longest</th></tr></thead>
<tbody>${rows.map(row => rowMarkup(row, longest))}</tbody>
</table>
</div>
<p class="soft small">Of ${plural(written, 'exchange')} that the ledger holds; of a long run it holds the telling ones and a sample.</p>
</section>`
}

const rowMarkup = ({ operation, statuses, times }: Answered, longest: number): Markup => html`<tr>
<th scope="row">${operation.id}<small>${operation.method} ${operation.path}</small></th>
<td><ul class="statuses">${statuses.map(([status, count]) => html`<li class="status-${kindOf(status)}"><b>${status}</b> <span>× ${thousands(count)}</span></li>`)}</ul></td>
<td>${strip(times, longest)}</td>
${[0.5, 0.95, 1].map(share => html`<td class="number-cell">${shown(quantile(times, share))}</td>`)}
</tr>`

const kindOf = (status: string): string => (/^[2-5]/.test(status) ? `${status[0]}xx` : 'none')

/** `0.42 ms`, `12 ms`, `1.2 s` */
const shown = (ms: number | null): string => {
  if (ms === null) return '–'
  return ms < 1000 ? `${Number(ms.toPrecision(2))} ms` : `${Number((ms / 1000).toPrecision(2))} s`
}

const least = 0.1
const width = 240
const height = 28

// Each bar holds the answers that took up to twice as long as those of the one before it.
const strip = (times: readonly number[], longest: number): Markup => {
  if (times.length === 0) return nothing
  const stepOf = (ms: number): number => Math.max(0, Math.floor(Math.log2(Math.max(ms, least) / least)))
  const bars = Array.from({ length: stepOf(longest) + 1 }, () => 0)
  for (const ms of times) bars[stepOf(ms)] = (bars[stepOf(ms)] ?? 0) + 1
  const most = Math.max(...bars)
  const wide = width / bars.length
  const rects = bars.flatMap((count, index) => {
    if (count === 0) return []
    const tall = Math.max(2, Math.round((count / most) * height))
    return [
      html`<rect x="${round(index * wide + 1)}" y="${height - tall}" width="${round(wide - 2)}" height="${tall}" rx="1"><title>${plural(count, 'answer')} in up to ${shown(least * 2 ** (index + 1))}</title></rect>`,
    ]
  })
  const label = `${plural(times.length, 'answer')}: half within ${shown(quantile(times, 0.5))}, the longest took ${shown(times.at(-1) ?? null)}`
  return html`<svg class="strip" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}">${rects}</svg>`
}

const round = (value: number): number => Math.round(value * 10) / 10
