import type {
  ContractSummary,
  MediaTypeDetails,
  ObligationSummary,
  OperationDetails,
} from '../../messages.ts'
import type { Traffic } from '../state/traffic.ts'
import { html, type VNode } from '../ui/html.ts'
import { InlineCode, Markdown } from '../ui/markdown.ts'
import { Disclosure, FieldList, MediaTypes } from '../ui/schema.ts'
import { TryOperation } from './try-form.ts'

type Props = {
  readonly contract: ContractSummary
  readonly operation: OperationDetails
  readonly traffic: Traffic
}

/** One operation of the contract: a form to try it, its request, its responses and its requirements. */
export const Operation = ({ contract, operation, traffic }: Props): VNode => {
  const { id, method, path, summary, description, place, obligations } = operation
  return html`
    <article class="operation">
      <header class="title">
        <h2>${summary || id}</h2>
        <p class="request-line"><b>${method}</b> <span>${path}</span></p>
        <p class="muted mono">${id} · ${place}</p>
        ${description === '' ? null : html`<${Markdown} text=${description} />`}
      </header>
      <${TryOperation} contract=${contract} operation=${operation} traffic=${traffic} />
      <h3>Request</h3>
      <${Request} operation=${operation} />
      <h3>Responses</h3>
      <${Responses} operation=${operation} />
      ${
        operation.rules.length === 0 || !contract.answers
          ? null
          : html`<h3>What the mock infers</h3>
      <ul class="rules">${operation.rules.map(rule => html`<li><${InlineCode} text=${rule} /></li>`)}</ul>`
      }
      <h3>Requirements</h3>
      ${[...Map.groupBy(obligations, ({ family }) => family)].map(
        ([family, group]) => html`
          <${Disclosure}
            summary=${html`<b>${family}</b> <span class="muted">${group.length} · ${familyText[family] ?? ''}</span>`}
            content=${() => html`<ul>${group.map(obligation => html`<${ObligationItem} obligation=${obligation} />`)}</ul>`} />`,
      )}
    </article>`
}

const Request = ({ operation }: Pick<Props, 'operation'>): VNode => {
  const { security, parameters, bodies, bodyRequired } = operation
  return html`
    <p>${security.length === 0 ? 'No credentials required.' : html`Credentials: ${security.map((schemes, index) => html`${index === 0 ? '' : ', or '}<code>${schemes}</code>`)}`}</p>
    ${parameters.length === 0 ? null : html`<h4>Parameters</h4><${FieldList} fields=${parameters} />`}
    ${bodies.length === 0 ? null : html`<h4>Body${bodyRequired ? '' : ' (optional)'}</h4><${MediaTypes} media=${bodies} />`}`
}

const Responses = ({ operation }: Pick<Props, 'operation'>): VNode => html`
  ${operation.responses.map(
    ({ status, description, media, headers }, index) => html`
      <section class="response">
        <h4><span class="status s${status[0]}">${status}</span> <${Markdown} text=${description} inline /></h4>
        ${headers.length === 0 ? null : html`<${FieldList} fields=${headers} />`}
        ${media.length === 0 ? html`<p class="muted">no body</p>` : html`<${ResponseBody} media=${media} same=${sameBody(operation.responses.slice(0, index), media)} />`}
      </section>`,
  )}`

type BodyProps = { readonly media: readonly MediaTypeDetails[]; readonly same: string | null }

const ResponseBody = ({ media, same }: BodyProps): VNode =>
  same === null ? html`<${MediaTypes} media=${media} />` : html`<p class="muted">the same body as ${same}</p>`

/** The status of an earlier response with the same body: failures mostly have one shape. Null: there is none. */
const sameBody = (
  earlier: OperationDetails['responses'],
  media: readonly MediaTypeDetails[],
): string | null => {
  const text = JSON.stringify(media)
  return earlier.find(response => JSON.stringify(response.media) === text)?.status ?? null
}

const ObligationItem = ({ obligation }: { readonly obligation: ObligationSummary }): VNode => html`
  <li><span class="level ${obligation.level.toLowerCase()}">${obligation.level}</span> <${InlineCode} text=${obligation.requirement} />
    <span class="muted mono description">${obligation.id} · ${obligation.place}${obligation.rule === null ? '' : ` · ${obligation.rule}`}</span></li>`

/** What the requirements of each family are about. */
export const familyText: Readonly<Record<string, string>> = {
  accept: 'valid requests are accepted',
  reject: 'invalid requests are rejected',
  auth: 'only valid credentials are accepted',
  response: 'responses match their declaration',
  stability: 'repeated and concurrent requests',
  unspecified: 'what the contract leaves open',
  protocol: 'HTTP itself',
}
