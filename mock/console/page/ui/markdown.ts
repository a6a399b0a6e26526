import { lexer, type MarkedToken, type Token } from 'marked'
import { html, useMemo, type VNode } from './html.ts'

/** Longer texts are shown as they are, and so is what is nested deeper. */
const maxLength = 50_000
const maxDepth = 30

/**
 * A description in Markdown, which a document may have from anywhere: it becomes elements made here, and never markup. Links
 * lead to http, https and mailto only, images are links, and HTML is shown as the text in it.
 */
export const Markdown = ({ text, inline = false }: MarkdownProps): VNode => {
  const content = useMemo(() => contentOf(text), [text])
  return inline ? html`<span class="prose">${content}</span>` : html`<div class="prose">${content}</div>`
}

type MarkdownProps = { readonly text: string; readonly inline?: boolean }

const contentOf = (text: string): unknown => {
  if (text.length > maxLength) return html`<p class="source">${text}</p>`
  try {
    const tokens = lexer(text.trim())
    const [only] = tokens
    // One paragraph needs none: it may stand in a line.
    return tokens.length === 1 && only?.type === 'paragraph' ? inner(only) : all(tokens)
  } catch {
    return html`<p class="source">${text}</p>`
  }
}

let depth = 0

const all = (tokens: readonly Token[] | undefined): readonly unknown[] => {
  if (depth > maxDepth) throw new Error('too deep')
  depth += 1
  try {
    return (tokens ?? []).map(token => nodeOf(token as MarkedToken))
  } finally {
    depth -= 1
  }
}

const inner = (token: Token): unknown =>
  'tokens' in token && token.tokens !== undefined
    ? all(token.tokens)
    : plain('text' in token ? token.text : token.raw)

const nodeOf = (token: MarkedToken): unknown => {
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return null
    case 'paragraph':
      return html`<p>${inner(token)}</p>`
    case 'heading':
      // The page has an outline of its own, which a document does not change.
      return html`<p class="heading">${inner(token)}</p>`
    case 'strong':
      return html`<strong>${inner(token)}</strong>`
    case 'em':
      return html`<em>${inner(token)}</em>`
    case 'del':
      return html`<del>${inner(token)}</del>`
    case 'codespan':
      return html`<code>${token.text}</code>`
    case 'code':
      return html`<pre tabindex="0">${token.text}</pre>`
    case 'blockquote':
      return html`<blockquote>${inner(token)}</blockquote>`
    case 'br':
      return html`<br />`
    case 'hr':
      return html`<hr />`
    case 'list': {
      const items = token.items.map(item => html`<li>${all(item.tokens)}</li>`)
      return token.ordered ? html`<ol start=${token.start || 1}>${items}</ol>` : html`<ul>${items}</ul>`
    }
    case 'table':
      return html`<div class="table"><table>
        <thead><tr>${token.header.map(cell => html`<th>${all(cell.tokens)}</th>`)}</tr></thead>
        <tbody>${token.rows.map(row => html`<tr>${row.map(cell => html`<td>${all(cell.tokens)}</td>`)}</tr>`)}</tbody>
      </table></div>`
    case 'link':
      return linkTo(token.href, inner(token))
    case 'image':
      return linkTo(token.href, plain(token.text || token.href))
    case 'html':
      return withoutTags(token.text)
    case 'escape':
      return token.text
    default:
      return inner(token)
  }
}

const linkTo = (href: string, content: unknown): unknown =>
  /^(?:https?:\/\/|mailto:)/i.test(href)
    ? html`<a href=${href} target="_blank" rel="noopener noreferrer">${content}</a>`
    : content

const formatting =
  /<\/?(?:a|b|big|blockquote|body|br|center|code|dd|details|div|dl|dt|em|font|h[1-6]|hr|i|img|li|ol|p|pre|s|small|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|tt|u|ul)\b[^>]*(>?)/gi

/** HTML without the tags that only give it a form; others may be placeholders: `<id>`. */
const withoutTags = (text: string): string =>
  plain(text.replace(formatting, (tag, end) => (end === '' ? tag : '')))

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
}

/** Text with the characters that its references stand for. */
const plain = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi,
    (whole, decimal, hex, name: string | undefined) => {
      if (name !== undefined) return entities[name] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )

/** A sentence whose parts between backticks are code. */
export const InlineCode = ({ text }: { readonly text: string }): VNode =>
  html`<span>${text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}</span>`
