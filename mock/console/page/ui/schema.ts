import type { FieldDetails, MediaTypeDetails, SchemaLine } from '../../messages.ts'
import { html, type VNode } from './html.ts'

/** A schema as indented lines. */
export const Schema = ({ lines }: { readonly lines: readonly SchemaLine[] }): VNode => html`
  <ul class="schema">
    ${lines.map(
      ({ name, depth, required, types, rules, description }) => html`
        <li class="depth-${Math.min(depth, 8)}">
          ${name === '' ? null : html`<code>${name}</code>`}
          <span class="type">${types}</span>
          ${required ? html`<span class="required">required</span>` : null}
          ${rules.map(rule => html`<span class="rule">${rule}</span>`)}
          ${description === '' ? null : html`<span class="muted description">${description}</span>`}
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
          <dd>${description === '' ? null : html`<p>${description}</p>`}<${Schema} lines=${lines} /></dd>
        </div>`,
    )}
  </dl>`
