import type { OperationLine, OperationSheet, Scenario } from '../shape.ts'
import { useAsked } from './hooks.ts'
import { html, useState, type VNode } from './html.ts'
import { allOperations } from './scenario-words.ts'

type Props = {
  readonly line: OperationLine
  readonly scenario: Scenario
  readonly onSave: (scenario: Scenario) => void
}

/** Each field as it is typed; empty: as always. */
type Typed = Readonly<Record<string, string>>

/** Everything that can be said of a scenario. */
export const ScenarioForm = ({ line, scenario, onSave }: Props): VNode => {
  const [typed, setTyped] = useState<Typed>(() => typedOf(scenario))
  const { value: sheet } = useAsked<OperationSheet>(
    line === allOperations ? null : `contract/${encodeURIComponent(line.id)}`,
  )
  const input = (name: string, label: string, more: Readonly<Record<string, unknown>> = {}): VNode => html`
    <label>${label}
      <input value=${typed[name] ?? ''} spellcheck="false" autocomplete="off" ...${more}
        onInput=${(event: Event) => setTyped({ ...typed, [name]: (event.target as HTMLInputElement).value })} />
    </label>`
  const whole = (name: string, label: string, least = 0): VNode =>
    input(name, label, { type: 'number', min: least, step: 1 })
  const choice = (name: string, label: string, options: readonly string[]): VNode => html`
    <label>${label}
      <select value=${typed[name] ?? ''} onChange=${(event: Event) => setTyped({ ...typed, [name]: (event.target as HTMLSelectElement).value })}>
        <option value="">as always</option>
        ${options.map(option => html`<option value=${option}>${option}</option>`)}
      </select>
    </label>`
  const listed = (name: string, label: string, options: readonly string[]): VNode => html`
    ${input(name, label, { list: `${line.id}-${name}`, class: 'mono' })}
    <datalist id=${`${line.id}-${name}`}>${options.map(option => html`<option value=${option}></option>`)}</datalist>`
  const submit = (event: Event): void => {
    event.preventDefault()
    onSave(scenarioOf(typed))
  }
  return html`
    <form class="form grid" onSubmit=${submit}>
      ${listed(
        'status',
        'Status',
        line.statuses.filter(status => /^\d+$/.test(status)),
      )}
      ${whole('code', 'Code in the body')}
      ${input('message', 'Text in the body')}
      ${listed('example', 'Example', [...new Set(sheet?.responses.flatMap(({ examples }) => examples) ?? [])])}
      ${whole('from', 'Delay, ms')}
      ${whole('to', 'up to, ms')}
      ${choice('fault', 'Fault', ['reset', 'truncate', 'hang', 'malformed'])}
      ${whole('every', 'Only every n-th', 1)}
      ${whole('requests', 'At most requests')}
      ${input('seconds', 'in seconds', { type: 'number', min: 0, step: 'any' })}
      ${choice('duplicates', 'Duplicate identities', ['accept', 'refuse'])}
      ${choice('unauthenticated', 'Wrong credentials', ['declared', '401', 'either'])}
      ${listed('breaks', 'Break the promise', sheet?.obligations.map(({ id }) => id) ?? [])}
      <label class="check"><input type="checkbox" checked=${typed.undeclared === 'true'}
        onChange=${(event: Event) => setTyped({ ...typed, undeclared: (event.target as HTMLInputElement).checked ? 'true' : '' })} /> may be undeclared</label>
      <div class="buttons"><button type="submit" class="primary">Switch on</button></div>
    </form>`
}

const typedOf = (scenario: Scenario): Typed => {
  const { delay, limit, ...rest } = scenario
  const [from, to] = typeof delay === 'object' ? delay : [delay, undefined]
  const all = { ...rest, from, to, requests: limit?.requests, seconds: limit?.seconds }
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
}

/** A scenario of what was typed; what makes no sense, the mock says. */
const scenarioOf = (typed: Typed): Scenario => {
  const text = (name: string): string | undefined => typed[name]?.trim() || undefined
  const number = (name: string): number | undefined =>
    text(name) === undefined ? undefined : Number(text(name))
  const [from, to, requests] = [number('from'), number('to'), number('requests')]
  const whole = {
    status: number('status'),
    code: number('code'),
    message: text('message'),
    example: text('example'),
    delay: to === undefined ? from : [from ?? 0, to],
    fault: text('fault'),
    every: number('every'),
    limit: requests === undefined ? undefined : { requests, seconds: number('seconds') ?? 1 },
    duplicates: text('duplicates'),
    unauthenticated: text('unauthenticated'),
    breaks: text('breaks'),
    undeclared: text('undeclared') === undefined ? undefined : true,
  }
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined)) as Scenario
}
