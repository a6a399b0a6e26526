import type { OperationSheet, Outline } from '../shape.ts'
import { useAsked } from './hooks.ts'
import { html, useState, type VNode } from './html.ts'
import type { Live } from './live.ts'
import { Operation } from './operation.ts'
import { panelHash } from './route.ts'
import { matching, OperationSearch } from './search.ts'
import { countText } from './visible.ts'

type Props = { readonly outline: Outline; readonly open: string | null; readonly live: Live }

const mostShown = 300

/** The operations of the contract, and everything of the one that is chosen. */
export const Contract = ({ outline, open, live }: Props): VNode => {
  const [words, setWords] = useState('')
  const { operations } = outline
  const chosen = open ?? operations[0]?.id ?? null
  const { value: sheet, problem } = useAsked<OperationSheet>(
    chosen === null ? null : `contract/${encodeURIComponent(chosen)}`,
  )
  const found = matching(operations, words)
  return html`
    <div class="split contract">
      <section class="side" aria-label="Operations">
        <div class="about">
          <h2>${outline.title} <small>${outline.version}</small></h2>
          ${outline.description === '' ? null : html`<p>${outline.description}</p>`}
          <p class="soft">OpenAPI ${outline.openapi} · ${countText(operations.length, 'operation')} · ${outline.source.split('/').at(-1)}</p>
        </div>
        <div class="filter"><${OperationSearch} operations=${operations} words=${words} onWords=${setWords} /></div>
        <nav aria-label="Operations">
          <ul class="operations">
            ${found.slice(0, mostShown).map(
              ({ id, method, path, summary }) => html`
                <li><a href=${panelHash('contract', id)} aria-current=${id === chosen ? 'true' : null}>
                  <b class="method">${method}</b> <span class="target">${path}</span>
                  <span class="soft about">${summary || id}</span></a></li>`,
            )}
          </ul>
        </nav>
        ${found.length > mostShown ? html`<p class="soft">and ${found.length - mostShown} more: search for them</p>` : null}
      </section>
      <section class="main" aria-label="The chosen operation">
        ${problem === null ? null : html`<p class="problem" role="alert">${problem}</p>`}
        ${sheet === null ? null : html`<${Operation} key=${sheet.id} outline=${outline} sheet=${sheet} live=${live} />`}
      </section>
    </div>`
}
