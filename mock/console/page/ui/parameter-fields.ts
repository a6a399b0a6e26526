import type { FieldDetails, FieldTexts } from '../../messages.ts'
import { Field } from './field.ts'
import { html, type VNode } from './html.ts'

type Props = {
  readonly parameters: readonly FieldDetails[]
  readonly values: FieldTexts
  readonly onValues: (values: FieldTexts) => void
}

/** A field for each parameter, the required ones first; null: there are none. */
export const ParameterFields = ({ parameters, values, onValues }: Props): VNode | null =>
  parameters.length === 0
    ? null
    : html`
      <fieldset class="fields-of">
        <legend>Parameters</legend>
        ${[...parameters]
          .sort((left, right) => Number(right.required) - Number(left.required))
          .map(
            ({ name, in: location, required, input, lines }) => html`
              <${Field} key=${`${location} ${name}`} input=${input} required=${required} value=${values[name] ?? ''}
                onValue=${(value: string) => onValues({ ...values, [name]: value })}
                label=${html`<span><code>${name}</code> <span class="muted">${location}${typeText(lines[0]?.types)}</span>${required ? html` <span class="required">required</span>` : null}</span>`} />`,
          )}
      </fieldset>`

const typeText = (types = ''): string => (types === '' || types === 'any' ? '' : ` · ${types}`)
