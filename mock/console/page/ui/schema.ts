import type { FieldDetails, MediaTypeDetails, SchemaLine } from '../../messages.ts'
import { html, useState, type VNode } from './html.ts'
import { Markdown } from './markdown.ts'

const alternativeText = { oneOf: 'one of', anyOf: 'any of' } as const

/** A schema as indented lines. */
export const Schema = ({ lines }: { readonly lines: readonly SchemaLine[] }): VNode => html`
  <ul class="schema">
    ${lines.map(
      ({ name, depth, alternative, required, types, rules, description }) => html`
        <li class="depth-${Math.min(depth, 8)}">
          ${
            alternative !== null
              ? html`<span class="alternative">${alternativeText[alternative]}</span><b>${name}</b>`
              : name === ''
                ? null
                : html`<code>${name}</code>`
          }
          ${types === '' ? null : html`<span class="type">${types}</span>`}
          ${required ? html`<span class="required">required</span>` : null}
          ${rules.map(rule => html`<span class="rule">${rule}</span>`)}
          ${description === '' ? null : html`<span class="muted description"><${Markdown} text=${description} inline /></span>`}
        </li>`,
    )}
  </ul>`

export const MediaTypes = ({ media }: { readonly media: readonly MediaTypeDetails[] }): VNode => html`
  <div class="media">
    ${media.map(({ type, lines }) => html`<p class="mono muted">${type}</p>${lines.length === 0 ? null : html`<${Schema} lines=${lines} />`}`)}
  </div>`

export const FieldList = ({ fields }: { readonly fields: readonly FieldDetails[] }): VNode => html`
  <dl class="fields">
    ${fields.map(
      ({ name, in: location, required, description, lines }) => html`
        <div>
          <dt><code>${name}</code> <span class="muted">${location}</span> ${required ? html`<span class="required">required</span>` : null}</dt>
          <dd>${description === '' ? null : html`<${Markdown} text=${description} />`}<${Schema} lines=${lines} /></dd>
        </div>`,
    )}
  </dl>`

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
