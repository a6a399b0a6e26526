import type { OperationDetails, OperationSummary } from '../../messages.ts'
import type { Scenario } from '../../scenario-messages.ts'
import { useResource } from '../state/hooks.ts'
import { html, useState, type VNode } from '../ui/html.ts'
import { allOperations } from './scenario-text.ts'

type Props = {
  readonly operation: OperationSummary
  readonly scenario: Scenario
  readonly onSave: (scenario: Scenario) => void
}

/** The fields as they were typed; an empty one leaves the default. */
type Fields = Readonly<Record<string, string>>

/** A form for every setting of a scenario. */
export const ScenarioForm = ({ operation, scenario, onSave }: Props): VNode => {
  const { id, statuses } = operation
  const [fields, setFields] = useState<Fields>(() => fieldsOf(scenario))
  const { value: details } = useResource<OperationDetails>(
    operation === allOperations ? null : `contract/${encodeURIComponent(id)}`,
  )
  const input = (
    name: string,
    label: string,
    attributes: Readonly<Record<string, unknown>> = {},
  ): VNode => html`
    <label>${label}
      <input value=${fields[name] ?? ''} spellcheck="false" autocomplete="off" ...${attributes}
        onInput=${(event: Event) => setFields({ ...fields, [name]: (event.target as HTMLInputElement).value })} />
    </label>`
  const integer = (name: string, label: string, min = 0): VNode =>
    input(name, label, { type: 'number', min, step: 1 })
  const choice = (name: string, label: string, options: readonly string[]): VNode => html`
    <label>${label}
      <select value=${fields[name] ?? ''} onChange=${(event: Event) => setFields({ ...fields, [name]: (event.target as HTMLSelectElement).value })}>
        <option value="">default</option>
        ${options.map(option => html`<option value=${option}>${option}</option>`)}
      </select>
    </label>`
  const suggested = (name: string, label: string, options: readonly string[]): VNode => html`
    ${input(name, label, { list: `${id}-${name}`, class: 'mono' })}
    <datalist id=${`${id}-${name}`}>${options.map(option => html`<option value=${option}></option>`)}</datalist>`
  const submit = (event: Event): void => {
    event.preventDefault()
    onSave({ ...unshownOf(scenario), ...scenarioOf(fields) })
  }
  const codes = statuses.filter(status => /^\d+$/.test(status))
  const examples = new Set(details?.responses.flatMap(({ examples }) => examples))
  const obligations = details?.obligations.map(({ id }) => id) ?? []
  return html`
    <form class="form grid" onSubmit=${submit}>
      ${suggested('status', 'Status', codes)}
      ${integer('code', 'Error code')}
      ${input('message', 'Error message')}
      ${suggested('example', 'Example', [...examples])}
      ${integer('from', 'Delay, ms')}
      ${integer('to', 'Maximum delay, ms')}
      ${choice('fault', 'Fault', ['reset', 'truncate', 'hang', 'malformed'])}
      ${integer('every', 'Every n-th request', 1)}
      ${integer('requests', 'Rate limit, requests')}
      ${input('seconds', 'Rate limit, seconds', { type: 'number', min: 0, step: 'any' })}
      ${integer('events', 'Stream, events')}
      ${integer('interval', 'Stream, ms between two')}
      ${choice('open', 'Stream stays open', ['true'])}
      ${choice('duplicates', 'Duplicates', ['accept', 'reject'])}
      ${choice('unauthenticated', 'Wrong credentials', ['declared', '401', 'either'])}
      ${suggested('breaks', 'Break an obligation', obligations)}
      <label class="check"><input type="checkbox" checked=${fields.undeclared === 'true'}
        onChange=${(event: Event) => setFields({ ...fields, undeclared: (event.target as HTMLInputElement).checked ? 'true' : '' })} /> Allow undeclared</label>
      <div class="buttons"><button type="submit" class="primary">Switch on</button></div>
    </form>`
}

/** The parts that no field shows stay as they are. */
const unshownOf = ({ body, patch, headers, when, times }: Scenario): Scenario =>
  Object.fromEntries(
    Object.entries({ body, patch, headers, when, times }).filter(([, value]) => value !== undefined),
  )

const fieldsOf = (scenario: Scenario): Fields => {
  const { delay, limit, stream, ...rest } = scenario
  const [from, to] = typeof delay === 'object' ? delay : [delay, undefined]
  const values = {
    ...rest,
    from,
    to,
    requests: limit?.requests,
    seconds: limit?.seconds,
    events: stream?.events,
    interval: stream?.interval,
    open: stream?.open,
  }
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}

/** The scenario that the fields describe. The mock validates it. */
const scenarioOf = (fields: Fields): Scenario => {
  const text = (name: string): string | undefined => fields[name]?.trim() || undefined
  const number = (name: string): number | undefined =>
    text(name) === undefined ? undefined : Number(text(name))
  const [from, to, requests] = [number('from'), number('to'), number('requests')]
  const [events, interval] = [number('events'), number('interval')]
  const open = fields.open === 'true' ? true : undefined
  const settings = {
    status: number('status'),
    code: number('code'),
    message: text('message'),
    example: text('example'),
    delay: to === undefined ? from : [from ?? 0, to],
    fault: text('fault'),
    every: number('every'),
    limit: requests === undefined ? undefined : { requests, seconds: number('seconds') ?? 1 },
    stream: [events, interval, open].some(part => part !== undefined)
      ? Object.fromEntries(
          Object.entries({ events, interval, open }).filter(([, part]) => part !== undefined),
        )
      : undefined,
    duplicates: text('duplicates'),
    unauthenticated: text('unauthenticated'),
    breaks: text('breaks'),
    undeclared: text('undeclared') === undefined ? undefined : true,
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Scenario
}
