import type { ContractSummary, OperationDetails } from '../../messages.ts'
import { countText } from '../state/format.ts'
import { useResource } from '../state/hooks.ts'
import { panelHash } from '../state/route.ts'
import type { Traffic } from '../state/traffic.ts'
import { html, useState, type VNode } from '../ui/html.ts'
import { matchingOperations, OperationSearch } from '../ui/operation-search.ts'
import { Operation } from './operation.ts'

type Props = {
  readonly contract: ContractSummary
  /** The id of the open operation. */
  readonly open: string | null
  readonly traffic: Traffic
}

const maxShown = 300

/** The operations of the contract, and the details of the open one. */
export const ContractPanel = ({ contract, open, traffic }: Props): VNode => {
  const [query, setQuery] = useState('')
  const { operations } = contract
  const selected = open ?? operations[0]?.id ?? null
  const { value: operation, problem } = useResource<OperationDetails>(
    selected === null ? null : `contract/${encodeURIComponent(selected)}`,
  )
  const found = matchingOperations(operations, query)
  return html`
    <div class="split contract">
      <section class="side" aria-label="Operations">
        <div class="about">
          <h2>${contract.title} <small>${contract.version}</small></h2>
          ${contract.description === '' ? null : html`<p>${contract.description}</p>`}
          <p class="muted">OpenAPI ${contract.openapi} · ${countText(operations.length, 'operation')} · ${contract.source.split('/').at(-1)}</p>
        </div>
        <div class="filter"><${OperationSearch} operations=${operations} query=${query} onQuery=${setQuery} /></div>
        <nav aria-label="Operations">
          <ul class="operations">
            ${found.slice(0, maxShown).map(
              ({ id, method, path, summary }) => html`
                <li><a href=${panelHash('contract', id)} aria-current=${id === selected ? 'true' : null}>
                  <b class="method">${method}</b> <span class="target">${path}</span>
                  <span class="muted description">${summary || id}</span></a></li>`,
            )}
          </ul>
        </nav>
        ${found.length > maxShown ? html`<p class="muted">${found.length - maxShown} more: narrow the search to see them</p>` : null}
      </section>
      <section class="main" aria-label="Selected operation">
        ${problem === null ? null : html`<p class="problem" role="alert">${problem}</p>`}
        ${operation === null ? null : html`<${Operation} key=${operation.id} contract=${contract} operation=${operation} traffic=${traffic} />`}
      </section>
    </div>`
}
