import { html, type VNode } from './html.ts'

/** A sentence in which names stand between backticks. */
export const Prose = ({ text }: { readonly text: string }): VNode =>
  html`<span>${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}</span>`
