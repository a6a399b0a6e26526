import type { Sample } from '../../messages.ts'
import { html, type VNode } from '../ui/html.ts'

type Props = {
  readonly samples: readonly Sample[]
  readonly selected: number
  readonly onSelect: (index: number) => void
}

/** The index that is selected while the form holds a request from the traffic. */
export const noSample = -1

export const SampleSelect = ({ samples, selected, onSelect }: Props): VNode => {
  const options = samples.map(({ title, violates }, index) => ({
    isValid: violates === null,
    option: html`<option value=${index}>${title.replaceAll('`', '')}</option>`,
  }))
  const valid = options.flatMap(({ isValid, option }) => (isValid ? [option] : []))
  const invalid = options.flatMap(({ isValid, option }) => (isValid ? [] : [option]))
  return html`
    <label>Sample request
      <select value=${selected} onChange=${(event: Event) => onSelect(Number((event.target as HTMLSelectElement).value))}>
        ${selected === noSample ? html`<option value=${noSample}>the request from the traffic</option>` : null}
        <optgroup label="Valid">${valid}</optgroup>
        ${invalid.length === 0 ? null : html`<optgroup label="Invalid">${invalid}</optgroup>`}
      </select>
    </label>`
}
