import type { ContractSummary } from '../../messages.ts'
import { panelHash } from '../state/route.ts'
import { html, type VNode } from '../ui/html.ts'

/** Shown until the first request arrives: how to send one. */
export const NoRequests = ({ contract }: { readonly contract: ContractSummary | null }): VNode => html`
  <div class="empty">
    <h2>No requests yet</h2>
    <p>Point your application at <code>${location.origin}</code>. Each request appears here as it arrives, with its
    violations of the contract.</p>
    ${
      contract === null
        ? null
        : html`<p>Or send a request from here: ${contract.operations
            .slice(0, 3)
            .map(
              ({ id, method, path }, index) =>
                html`${index === 0 ? '' : ' · '}<a href=${panelHash('contract', id)}>${method} ${path}</a>`,
            )}</p>`
    }
  </div>`
