import type { CodeSnippets } from '../../messages.ts'
import { html, useState, type VNode } from './html.ts'

const kinds = [
  ['curl', 'curl'],
  ['fetch', 'fetch'],
  ['playwright', 'Playwright test'],
] as const
type Kind = (typeof kinds)[number][0]

/** Buttons that copy a request as source code. The code is shown as well: browsers may deny access to the clipboard. */
export const SnippetBar = ({ snippets }: { readonly snippets: CodeSnippets }): VNode => {
  const [shown, setShown] = useState<Kind | null>(null)
  const [isCopied, setCopied] = useState(false)
  if ('reason' in snippets)
    return html`<p class="muted">This request cannot be reproduced: ${snippets.reason}.</p>`
  const copy = async (kind: Kind): Promise<void> => {
    setShown(kind)
    setCopied(await writeToClipboard(snippets[kind]))
  }
  return html`
    <div class="snippets">
      <div class="buttons" role="group" aria-label="Copy this request">
        ${kinds.map(
          ([kind, name]) => html`
            <button type="button" onClick=${() => void copy(kind)}>Copy as ${name}</button>`,
        )}
      </div>
      <p class="snippet muted" role="status">${shown === null ? '' : isCopied ? 'Copied:' : 'The browser denied access to the clipboard. Copy from here:'}</p>
      ${shown === null ? null : html`<pre class="snippet" tabindex="0" aria-label="Code snippet">${snippets[shown]}</pre>`}
    </div>`
}

const writeToClipboard = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
