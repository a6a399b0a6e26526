import type { Body as BodyMessage } from '../../messages.ts'
import { escapeInvisible, hideSecrets, sizeText } from '../state/format.ts'
import { html, useMemo, type VNode } from '../ui/html.ts'
import { formatJson, hexLines, type JsonToken } from '../ui/json-text.ts'

const maxColouredTokens = 4000
const maxHexBytes = 512

type Props = { readonly body: BodyMessage; readonly secrets: readonly string[]; readonly label: string }

/** A body: JSON formatted, other text as it is, binary data as a hexadecimal dump. */
export const Body = ({ body, secrets, label }: Props): VNode => {
  const { size, kept, text, base64 } = body
  const isCut = kept < size
  const content = useMemo(() => contentOf(text, base64, secrets, isCut), [text, base64, secrets, isCut])
  const notes = [
    sizeText(size),
    ...(isCut ? [`truncated: only the first ${sizeText(kept)} were kept`] : []),
    ...(text === null ? [`binary${kept > maxHexBytes ? `, first ${maxHexBytes} bytes` : ''}`] : []),
  ]
  return html`
    <p class="muted note">${notes.join(' · ')}</p>
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
    return hideSecrets(hexLines(bytes, maxHexBytes).join('\n'), secrets)
  }
  const masked = hideSecrets(text, secrets)
  const tokens = isCut ? null : formatJson(masked)
  if (tokens === null) return escapeInvisible(masked)
  if (tokens.length > maxColouredTokens) return escapeInvisible(tokens.map(({ text }) => text).join(''))
  return tokens.map(coloured)
}

const coloured = ({ kind, text }: JsonToken): unknown =>
  kind === 'space' || kind === 'punctuation'
    ? text
    : html`<span class="json-${kind}">${escapeInvisible(text)}</span>`
