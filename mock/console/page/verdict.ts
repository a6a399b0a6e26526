import type { Summary } from '../shape.ts'
import { html, type VNode } from './html.ts'
import { countText } from './visible.ts'

export type Standing = 'valid' | 'broken' | 'undeclared'

export const standingOf = ({ operation, breaches }: Summary): Standing =>
  breaches.length > 0 ? 'broken' : operation === null ? 'undeclared' : 'valid'

const glyphs: Readonly<Record<Standing, string>> = { valid: '✓', broken: '✕', undeclared: '?' }

/** What the contract has to say of a request, in a word or two; its form and glyph tell as much as its colour. */
export const Verdict = ({ of }: { readonly of: Summary }): VNode => {
  const standing = standingOf(of)
  return html`<span class="verdict ${standing}"><span aria-hidden="true">${glyphs[standing]}</span> ${wordsOf(of)}</span>`
}

export const wordsOf = (summary: Summary): string => {
  const { method, breaches } = summary
  switch (standingOf(summary)) {
    case 'broken':
      return `broke ${countText(breaches.length, 'rule')}`
    case 'undeclared':
      return method === '' ? 'no HTTP' : 'not declared'
    case 'valid':
      return 'valid'
  }
}

export const StatusCode = ({ status }: { readonly status: number }): VNode =>
  html`<span class="status s${Math.floor(status / 100)}">${status}</span>`
