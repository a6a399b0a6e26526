import { safeLines, safeText } from '../../../spec/index.ts'

/** Text that is HTML already. Only this file makes it, so nothing from outside can be taken for it. */
export type Markup = { readonly markup: string }

type Interpolation = Markup | readonly Markup[] | string | number

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, char => entities[char] ?? char)

const write = (part: Interpolation): string => {
  if (typeof part === 'string') return escaped(safeText(part))
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('')
}

/** Builds HTML from a template; every text put into it is made safe and escaped, for content and attributes alike. */
export const html = (template: TemplateStringsArray, ...parts: readonly Interpolation[]): Markup => ({
  markup: template.map((text, index) => (index === 0 ? text : write(parts[index - 1] ?? '') + text)).join(''),
})

/** A sentence; what stands in backticks is set as code. */
export const prose = (text: string): Markup => {
  const parts = text.split('`')
  // An unpaired backtick stands for itself.
  if (parts.length % 2 === 0) return html`${text}`
  return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`
}

export const nothing: Markup = { markup: '' }

/** Text that keeps its line breaks, for `<pre>`. */
export const lines = (text: string): Markup => ({ markup: safeLines(text).map(escaped).join('\n') })

/** Text that is part of the product itself, such as its style sheet: never anything from outside. */
export const trusted = (markup: string): Markup => ({ markup })
