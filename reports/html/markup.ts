import { safeLines, safeText } from '../safe-text.ts'

/** Text that is HTML already. Only `html` makes it, so nothing from outside can be taken for it. */
export type Markup = { readonly markup: string }

type Part = Markup | readonly Markup[] | string | number

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, char => entities[char] ?? char)

const write = (part: Part): string => {
  if (typeof part === 'string') return escaped(safeText(part))
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('')
}

/** Builds HTML from a template; every text put into it is made harmless and escaped, for content and attributes alike. */
export const html = (template: TemplateStringsArray, ...parts: readonly Part[]): Markup => ({
  markup: template.map((text, index) => (index === 0 ? text : write(parts[index - 1] ?? '') + text)).join(''),
})

/** A sentence with its names in backticks, which are set as code. */
export const prose = (text: string): Markup => {
  const parts = text.split('`')
  // A backtick without a second one stands for itself.
  if (parts.length % 2 === 0) return html`${text}`
  return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`
}

export const nothing: Markup = { markup: '' }

/** Text whose line breaks count, for `<pre>`. */
export const lines = (text: string): Markup => ({ markup: safeLines(text).map(escaped).join('\n') })

/** Text that is part of the product itself, such as its style sheet: never anything from outside. */
export const trusted = (markup: string): Markup => ({ markup })
