import { type Ledger, plural, thousands } from '../../../spec/index.ts'
import { quantile, type ResponseTimes, responseTimes } from '../../view/response-times.ts'
import { mostRows } from './exchange.ts'
import { html, type Markup, nothing } from './markup.ts'
import { moreLine } from './open-questions.ts'

/** The status codes of each operation, and a strip of how long its responses took. */
export const responsesSection = (ledger: Ledger): Markup => {
  const rows = responseTimes(ledger)
  if (rows.length === 0) return nothing
  const longest = Math.max(1, ...rows.map(({ times }) => times.at(-1) ?? 0))
  const recorded = rows.reduce((sum, { exchanges }) => sum + exchanges, 0)
  return html`<section id="responses" aria-labelledby="responses-title">
<h2 id="responses-title">Responses</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Table of responses">
<table class="responses">
<thead><tr><th scope="col">Operation</th><th scope="col">Status codes</th><th scope="col">Response time<small>0.1 ms to ${timeText(longest)}, doubling from bar to bar</small></th><th scope="col" class="number-cell">Median</th><th scope="col" class="number-cell">95th percentile</th><th scope="col" class="number-cell">Longest</th></tr></thead>
<tbody>${rows.slice(0, mostRows).map(row => rowMarkup(row, longest))}</tbody>
</table>
</div>
${moreLine(rows.length - mostRows, 'operation')}
<p class="soft small">Of the ${plural(recorded, 'exchange')} in the ledger; of a long run the ledger keeps a sample.</p>
</section>`
}

const rowMarkup = ({ operation, statuses, times }: ResponseTimes, longest: number): Markup => html`<tr>
<th scope="row">${operation.id}<small>${operation.method} ${operation.path}</small></th>
<td><ul class="statuses">${statuses.map(([status, count]) => html`<li class="status-${statusClass(status)}"><b>${status}</b> <span>× ${thousands(count)}</span></li>`)}</ul></td>
<td>${strip(times, longest)}</td>
${[0.5, 0.95, 1].map(share => html`<td class="number-cell">${timeText(quantile(times, share))}</td>`)}
</tr>`

const statusClass = (status: string): string => (/^[2-5]/.test(status) ? `${status[0]}xx` : 'none')

/** `0.42 ms`, `12 ms`, `1.2 s` */
const timeText = (ms: number | null): string => {
  if (ms === null) return '–'
  return ms < 1000 ? `${Number(ms.toPrecision(2))} ms` : `${Number((ms / 1000).toPrecision(2))} s`
}

const least = 0.1
const width = 240
const height = 28

// Each bar counts responses that took up to twice as long as those of the bar before it.
const strip = (times: readonly number[], longest: number): Markup => {
  if (times.length === 0) return nothing
  const barOf = (ms: number): number => Math.max(0, Math.floor(Math.log2(Math.max(ms, least) / least)))
  const bars = Array.from({ length: barOf(longest) + 1 }, () => 0)
  for (const ms of times) bars[barOf(ms)] = (bars[barOf(ms)] ?? 0) + 1
  const most = Math.max(...bars)
  const barWidth = width / bars.length
  const rects = bars.flatMap((count, index) => {
    if (count === 0) return []
    const tall = Math.max(2, Math.round((count / most) * height))
    return [
      html`<rect x="${round(index * barWidth + 1)}" y="${height - tall}" width="${round(barWidth - 2)}" height="${tall}" rx="1"><title>${plural(count, 'response')} in up to ${timeText(least * 2 ** (index + 1))}</title></rect>`,
    ]
  })
  const label = `${plural(times.length, 'response')}: median ${timeText(quantile(times, 0.5))}, longest ${timeText(times.at(-1) ?? null)}`
  return html`<svg class="strip" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}">${rects}</svg>`
}

const round = (value: number): number => Math.round(value * 10) / 10
