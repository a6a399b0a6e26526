import type { Field, MediaPart, SchemaLine } from '../shape.ts'
import { html, type VNode } from './html.ts'

/** A schema as lines, indented as values are. */
export const Schema = ({ lines }: { readonly lines: readonly SchemaLine[] }): VNode => html`
  <ul class="schema">
    ${lines.map(
      ({ name, depth, required, types, rules, description }) => html`
        <li class="depth-${Math.min(depth, 8)}">
          ${name === '' ? null : html`<code>${name}</code>`}
          <span class="type">${types}</span>
          ${required ? html`<span class="must">required</span>` : null}
          ${rules.map(rule => html`<span class="rule">${rule}</span>`)}
          ${description === '' ? null : html`<span class="soft about">${description}</span>`}
        </li>`,
    )}
  </ul>`

export const Media = ({ parts }: { readonly parts: readonly MediaPart[] }): VNode => html`
  <div class="media">
    ${parts.map(({ type, lines }) => html`<p class="mono soft">${type}</p>${lines.length === 0 ? null : html`<${Schema} lines=${lines} />`}`)}
  </div>`

export const Fields = ({ fields }: { readonly fields: readonly Field[] }): VNode => html`
  <dl class="fields">
    ${fields.map(
      ({ name, in: where, required, description, lines }) => html`
        <div>
          <dt><code>${name}</code> <span class="soft">${where}</span> ${required ? html`<span class="must">required</span>` : null}</dt>
          <dd>${description === '' ? null : html`<p>${description}</p>`}<${Schema} lines=${lines} /></dd>
        </div>`,
    )}
  </dl>`
