import { html, type VNode } from './html.ts'

/** A sentence whose parts between backticks are code. */
export const InlineCode = ({ text }: { readonly text: string }): VNode =>
  html`<span>${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}</span>`
