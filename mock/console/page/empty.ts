import type { Outline } from '../shape.ts'
import { html, type VNode } from './html.ts'
import { panelHash } from './route.ts'

/** What to do where nothing came yet. */
export const Empty = ({ outline }: { readonly outline: Outline | null }): VNode => html`
  <div class="nothing">
    <h2>Nothing yet</h2>
    <p>Point your application at <code>${location.origin}</code>: each request shows here as it comes, with what it
    broke of the contract.</p>
    ${
      outline === null
        ? null
        : html`<p>Or send one from here: ${outline.operations
            .slice(0, 3)
            .map(
              ({ id, method, path }, index) =>
                html`${index === 0 ? '' : ' · '}<a href=${panelHash('contract', id)}>${method} ${path}</a>`,
            )}</p>`
    }
  </div>`
