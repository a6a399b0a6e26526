import { html, useState, type VNode } from './html.ts'

type Props = { readonly summary: VNode; readonly content: () => VNode }

/** A summary that opens to show more. Its content, which may be long, is rendered only while it is open. */
export const Disclosure = ({ summary, content }: Props): VNode => {
  const [isOpen, setOpen] = useState(false)
  return html`
    <details class="disclosure" open=${isOpen} onToggle=${(event: Event) => setOpen((event.target as HTMLDetailsElement).open)}>
      <summary>${summary}</summary>
      ${isOpen ? content() : null}
    </details>`
}
