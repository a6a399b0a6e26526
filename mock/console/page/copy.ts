import type { Copies } from '../shape.ts'
import { html, useState, type VNode } from './html.ts'

const kinds = [
  ['curl', 'curl'],
  ['fetch', 'fetch'],
  ['playwright', 'Playwright test'],
] as const
type Kind = (typeof kinds)[number][0]

/** Buttons that copy a request as source text. The text shows as well: not every page may use the clipboard. */
export const CopyBar = ({ copies }: { readonly copies: Copies }): VNode => {
  const [shown, setShown] = useState<Kind | null>(null)
  const [copied, setCopied] = useState(false)
  if ('why' in copies) return html`<p class="soft">It cannot be copied to be sent again: ${copies.why}.</p>`
  const copy = async (kind: Kind): Promise<void> => {
    setShown(kind)
    setCopied(await write(copies[kind]))
  }
  return html`
    <div class="copies">
      <div class="buttons" role="group" aria-label="Copy this request">
        ${kinds.map(
          ([kind, name]) => html`
            <button type="button" onClick=${() => void copy(kind)}>Copy as ${name}</button>`,
        )}
      </div>
      <p class="copied soft" role="status">${shown === null ? '' : copied ? 'Copied:' : 'This browser does not let the page copy; here it is:'}</p>
      ${shown === null ? null : html`<pre class="copied" tabindex="0" aria-label="The copied text">${copies[shown]}</pre>`}
    </div>`
}

const write = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
