import type { ExchangeSummary } from '../../messages.ts'
import { countText } from '../state/format.ts'
import { html, type VNode } from '../ui/html.ts'

export type Validity = 'valid' | 'invalid' | 'undeclared'

export const validityOf = ({ operation, violations }: ExchangeSummary): Validity =>
  violations.length > 0 ? 'invalid' : operation === null ? 'undeclared' : 'valid'

const glyphs: Readonly<Record<Validity, string>> = { valid: '✓', invalid: '✕', undeclared: '?' }

/** Whether a request is valid. Glyph and text say it without colour. */
export const ValidityLabel = ({ of }: { readonly of: ExchangeSummary }): VNode => {
  const validity = validityOf(of)
  return html`<span class="validity ${validity}"><span aria-hidden="true">${glyphs[validity]}</span> ${validityText(of)}</span>`
}

const validityText = (summary: ExchangeSummary): string => {
  switch (validityOf(summary)) {
    case 'invalid':
      return countText(summary.violations.length, 'violation')
    case 'undeclared':
      return summary.method === '' ? 'not HTTP' : 'not declared'
    case 'valid':
      return 'valid'
  }
}

export const StatusCode = ({ status }: { readonly status: number }): VNode =>
  html`<span class="status s${Math.floor(status / 100)}">${status}</span>`
