import { html, useState, type VNode } from './html.ts'

type Props = { readonly summary: VNode; readonly content: () => VNode }

/** What opens at a press, and is not made before: lists of obligations are long. */
export const Folded = ({ summary, content }: Props): VNode => {
  const [open, setOpen] = useState(false)
  return html`
    <details class="obligations" open=${open} onToggle=${(event: Event) => setOpen((event.target as HTMLDetailsElement).open)}>
      <summary>${summary}</summary>
      ${open ? content() : null}
    </details>`
}
