import type { Excerpt, Place } from '../../spec/index.ts'
import { html, type Markup } from './markup.ts'

/** Lines of the contract with their numbers, the one that counts marked. */
export const excerptBlock = (
  { from, line, lines }: Excerpt,
  { file }: Place,
): Markup => html`<h4>What the contract says <span class="soft">${file}, line ${line}</span></h4>
<pre class="excerpt">${lines.map((text, index) =>
  from + index === line
    ? html`<mark><span class="at">${from + index}</span> ${text}\n</mark>`
    : html`<span class="at">${from + index}</span> ${text}\n`,
)}</pre>`
