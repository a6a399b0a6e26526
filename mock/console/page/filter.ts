import type { Summary } from '../shape.ts'
import { html, type VNode } from './html.ts'
import { clear } from './live.ts'

export type Filter = {
  readonly words: string
  readonly method: string
  /** The first digit of the status. */
  readonly status: string
  readonly operation: string
  readonly broken: boolean
}

export const noFilter: Filter = { words: '', method: '', status: '', operation: '', broken: false }

/** The operation of what is none. */
const undeclared = '\u0000'

export const passes = (filter: Filter, summary: Summary): boolean => {
  const { method, status, operation, breaches } = summary
  if (filter.broken && breaches.length === 0) return false
  if (filter.method !== '' && filter.method !== method) return false
  if (filter.status !== '' && filter.status !== String(status)[0]) return false
  if (filter.operation !== '' && filter.operation !== (operation ?? undeclared)) return false
  if (filter.words === '') return true
  const text = textOf(summary)
  return filter.words
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word))
}

const textOf = ({ number, method, target, status, operation, breaches, scenario, client }: Summary): string =>
  [
    `#${number}`,
    method,
    target,
    status,
    operation,
    scenario,
    client,
    ...breaches.flatMap(own => [own.id, own.message]),
  ]
    .join(' ')
    .toLowerCase()

type Props = {
  readonly filter: Filter
  readonly entries: readonly Summary[]
  readonly paused: boolean
  readonly onFilter: (filter: Filter) => void
  readonly onPause: () => void
}

export const FilterBar = ({ filter, entries, paused, onFilter, onPause }: Props): VNode => {
  const set = (part: Partial<Filter>): void => onFilter({ ...filter, ...part })
  const choice = (
    label: string,
    name: 'method' | 'status' | 'operation',
    options: readonly (readonly [value: string, text: string])[],
  ): VNode => html`
    <label><span class="unseen">${label}</span>
      <select value=${filter[name]} onChange=${(event: Event) => set({ [name]: (event.target as HTMLSelectElement).value })}>
        <option value="">${label}: any</option>
        ${options.map(([value, text]) => html`<option value=${value}>${text}</option>`)}
      </select>
    </label>`
  const known = <T extends string>(values: readonly T[]): readonly T[] => [...new Set(values)].sort()
  return html`
    <form class="filter" role="search" onSubmit=${(event: Event) => event.preventDefault()}>
      <input type="search" aria-label="Search requests" placeholder="Search   /" value=${filter.words}
        onInput=${(event: Event) => set({ words: (event.target as HTMLInputElement).value })} />
      <button type="button" class="quiet" aria-pressed=${paused ? 'true' : 'false'} onClick=${onPause}>Pause</button>
      <button type="button" class="quiet" onClick=${() => void clear()}>Clear</button>
      <span class="turn"></span>
      ${choice(
        'Method',
        'method',
        known(entries.map(({ method }) => method).filter(Boolean)).map(own => [own, own]),
      )}
      ${choice(
        'Status',
        'status',
        known(entries.map(({ status }) => String(status)[0] ?? '')).map(own => [own, `${own}xx`]),
      )}
      ${choice(
        'Operation',
        'operation',
        known(entries.map(({ operation }) => operation ?? undeclared)).map(own => [
          own,
          own === undeclared ? 'not declared' : own,
        ]),
      )}
      <label class="check"><input type="checkbox" checked=${filter.broken}
        onChange=${(event: Event) => set({ broken: (event.target as HTMLInputElement).checked })} /> Broken only</label>
    </form>`
}
