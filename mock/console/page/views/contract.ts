import type { ContractSummary, DocumentSummary, OperationDetails, OperationSummary } from '../../messages.ts'
import { countText } from '../state/format.ts'
import { useResource } from '../state/hooks.ts'
import { panelHash } from '../state/route.ts'
import type { Traffic } from '../state/traffic.ts'
import { html, useState, type VNode } from '../ui/html.ts'
import { Markdown } from '../ui/markdown.ts'
import { Method } from '../ui/method.ts'
import { matchingOperations, OperationSearch } from '../ui/operation-search.ts'
import { Disclosure } from '../ui/schema.ts'
import { Operation } from './operation.ts'

type Props = {
  readonly contract: ContractSummary
  /** The id of the open operation. */
  readonly open: string | null
  readonly traffic: Traffic
}

const maxShown = 300
/** A longer description is folded: the operations come first. */
const shortDescription = 400

/** The operations of the contract, and the details of the open one. */
export const ContractPanel = ({ contract, open, traffic }: Props): VNode => {
  const [query, setQuery] = useState('')
  const { operations, documents } = contract
  const selected = open ?? operations[0]?.id ?? null
  const { value: operation, problem } = useResource<OperationDetails>(
    selected === null ? null : `contract/${encodeURIComponent(selected)}`,
  )
  const found = matchingOperations(operations, query)
  const about = documents[operations.find(({ id }) => id === selected)?.document ?? 0]
  return html`
    <div class="split contract">
      <section class="side" aria-label="Operations">
        ${about === undefined ? null : html`<${About} document=${about} count=${operations.filter(({ document }) => documents[document] === about).length} />`}
        <div class="filter"><${OperationSearch} operations=${operations} query=${query} onQuery=${setQuery} /></div>
        <nav aria-label="Operations">
          ${groupsOf(found.slice(0, maxShown), documents).map(
            ({ title, members }) => html`
              ${title === '' ? null : html`<h3 class="group">${title}</h3>`}
              <ul class="operations">
                ${members.map(
                  ({ id, method, path, summary }) => html`
                    <li><a href=${panelHash('contract', id)} aria-current=${id === selected ? 'true' : null}>
                      <${Method} name=${method} /> <span class="target">${path}</span>
                      <span class="muted description">${summary || id}</span></a></li>`,
                )}
              </ul>`,
          )}
        </nav>
        ${found.length > maxShown ? html`<p class="muted">${found.length - maxShown} more: narrow the search to see them</p>` : null}
      </section>
      <section class="main" aria-label="Selected operation">
        ${problem === null ? null : html`<p class="problem" role="alert">${problem}</p>`}
        ${operation === null ? null : html`<${Operation} key=${operation.id} contract=${contract} operation=${operation} traffic=${traffic} />`}
      </section>
    </div>`
}

type AboutProps = { readonly document: DocumentSummary; readonly count: number }

const About = ({ document, count }: AboutProps): VNode => {
  const { title, version, description, openapi, source, prefix } = document
  return html`
    <div class="about">
      <h2>${title} <small>${version}</small></h2>
      ${
        description === ''
          ? null
          : description.length <= shortDescription
            ? html`<${Markdown} text=${description} />`
            : html`<${Disclosure} summary=${html`<span>Description</span>`} content=${() => html`<${Markdown} text=${description} />`} />`
      }
      <p class="muted">${prefix === '' ? '' : html`below <code>${prefix}</code> · `}OpenAPI ${openapi} · ${countText(count, 'operation')} · ${source.split('/').at(-1)}</p>
    </div>`
}

type Group = { readonly title: string; readonly members: readonly OperationSummary[] }

/** The operations by document and tag; a list without several of either is one group without a title. */
const groupsOf = (
  operations: readonly OperationSummary[],
  documents: readonly DocumentSummary[],
): readonly Group[] => {
  const titleOf = ({ document, tag }: OperationSummary): string =>
    [...(documents.length > 1 ? [documents[document]?.title] : []), ...(tag === '' ? [] : [tag])].join(' · ')
  return [...Map.groupBy(operations, titleOf)].map(([title, members]) => ({ title, members }))
}
