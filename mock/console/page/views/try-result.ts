import { escapeInvisible } from '../state/format.ts'
import { requestHash } from '../state/route.ts'
import type { Traffic } from '../state/traffic.ts'
import { html, type VNode } from '../ui/html.ts'
import { Body, StatusCode, ValidityLabel } from './exchange.ts'
import type { SendResult } from './send.ts'

type Props = { readonly result: SendResult; readonly traffic: Traffic }

/** What came of a request: whether it was valid, and the response. */
export const TryResult = ({ result, traffic }: Props): VNode => {
  const { mark, status, body, problem } = result
  const entry = traffic.entries.find(entry => entry.mark === mark)
  return html`
    <p class="result-line">
      ${entry === undefined ? null : html`<${ValidityLabel} of=${entry} />`}
      ${problem === null ? html`<${StatusCode} status=${status} />` : html`<span>${problem}</span>`}
      ${entry === undefined ? null : html`<a href=${requestHash(entry.number)}>Request #${entry.number}</a>`}
    </p>
    ${entry === undefined || entry.violations.length === 0 ? null : html`<ul class="reasons">${entry.violations.map(({ message }) => html`<li>${escapeInvisible(message)}</li>`)}</ul>`}
    ${body === null ? null : html`<${Body} body=${body} secrets=${noSecrets} label="Response body" />`}`
}

const noSecrets: readonly string[] = []
