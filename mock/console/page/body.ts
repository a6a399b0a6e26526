import type { Body as BodyShape } from '../shape.ts'
import { html, useMemo, type VNode } from './html.ts'
import { hexLines, layOut, type Piece } from './json-text.ts'
import { hide, sizeText, visible } from './visible.ts'

const mostPieces = 4000
const mostHex = 512

type Props = { readonly body: BodyShape; readonly secrets: readonly string[]; readonly label: string }

/** A body: JSON laid out, other text as it is, bytes as a dump. */
export const Body = ({ body, secrets, label }: Props): VNode => {
  const { size, kept, text, base64 } = body
  const isCut = kept < size
  const content = useMemo(() => contentOf(text, base64, secrets, isCut), [text, base64, secrets, isCut])
  const notes = [
    sizeText(size),
    ...(isCut ? [`cut: only the first ${sizeText(kept)} were kept`] : []),
    ...(text === null
      ? [`bytes that are no text${kept > mostHex ? `, the first ${mostHex} of them` : ''}`]
      : []),
  ]
  return html`
    <p class="soft note">${notes.join(' · ')}</p>
    ${size === 0 ? null : html`<pre class="body" tabindex="0" aria-label=${label}>${content}</pre>`}`
}

const contentOf = (
  text: string | null,
  base64: string | null,
  secrets: readonly string[],
  isCut: boolean,
): unknown => {
  if (text === null) {
    const bytes = Uint8Array.from(atob(base64 ?? ''), char => char.charCodeAt(0))
    return secrets.length > 0
      ? hide(hexLines(bytes, mostHex).join('\n'), secrets)
      : hexLines(bytes, mostHex).join('\n')
  }
  const safe = hide(text, secrets)
  const pieces = isCut ? null : layOut(safe)
  if (pieces === null) return visible(safe)
  if (pieces.length > mostPieces) return visible(pieces.map(piece => piece.text).join(''))
  return pieces.map(coloured)
}

const coloured = ({ kind, text }: Piece): unknown =>
  kind === 'space' || kind === 'mark' ? text : html`<span class="j-${kind}">${visible(text)}</span>`
