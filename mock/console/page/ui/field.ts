import type { FieldInput } from '../../messages.ts'
import { html, type VNode } from './html.ts'

type Props = {
  readonly label: VNode
  readonly input: FieldInput
  readonly required: boolean
  readonly value: string
  readonly onValue: (value: string) => void
}

/** A field for one value, by the type of the value. Empty: the value is not sent. */
export const Field = ({ label, input, required, value, onValue }: Props): VNode => {
  const { kind } = input
  const onInput = (event: Event): void => onValue((event.target as HTMLInputElement).value)
  if (kind === 'boolean' && required && value !== '')
    return html`<label class="check"><input type="checkbox" checked=${value === 'true'}
      onChange=${(event: Event) => onValue(String((event.target as HTMLInputElement).checked))} /> ${label}</label>`
  if (kind === 'choice' || kind === 'boolean') {
    const options = kind === 'boolean' ? ['true', 'false'] : input.options
    // An invalid value is one of those that can be sent.
    const all = value === '' || options.includes(value) ? options : [...options, value]
    return html`<label>${label}
      <select value=${value} onChange=${onInput}>
        <option value="">${required ? 'none' : 'not sent'}</option>
        ${all.map(option => html`<option value=${option}>${option}</option>`)}
      </select></label>`
  }
  const many = kind === 'lines' || kind === 'json'
  return many
    ? html`<label>${label}
        <textarea class="mono" rows="2" spellcheck="false" placeholder=${kind === 'lines' ? 'one a line' : 'JSON'} value=${value} onInput=${onInput}></textarea></label>`
    : html`<label>${label}
        <input class="mono" inputmode=${kind === 'number' ? 'decimal' : null} autocomplete="off" spellcheck="false"
          placeholder=${required ? '' : 'not sent'} value=${value} onInput=${onInput} /></label>`
}
