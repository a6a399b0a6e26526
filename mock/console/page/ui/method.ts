import { html, type VNode } from './html.ts'

const coloured = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** The method of a request, as a client may have sent it, or of an operation. */
export const Method = ({ name }: { readonly name: string }): VNode =>
  html`<b class="method ${coloured.has(name) ? `m-${name.toLowerCase()}` : ''}">${name}</b>`
