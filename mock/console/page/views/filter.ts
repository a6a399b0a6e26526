import type { ExchangeSummary } from '../../messages.ts'
import { clearTraffic } from '../state/traffic.ts'
import { containsWords } from '../ui/contains-words.ts'
import { html, type VNode } from '../ui/html.ts'

export type Filter = {
  readonly query: string
  readonly method: string
  /** The first digit of the status. */
  readonly status: string
  readonly operation: string
  readonly invalidOnly: boolean
}

export const noFilter: Filter = { query: '', method: '', status: '', operation: '', invalidOnly: false }

/** Stands for the operation of requests that match none. */
const undeclared = '\u0000'

export const matchesFilter = (filter: Filter, summary: ExchangeSummary): boolean => {
  const { method, status, operation, violations } = summary
  if (filter.invalidOnly && violations.length === 0) return false
  if (filter.method !== '' && filter.method !== method) return false
  if (filter.status !== '' && filter.status !== String(status)[0]) return false
  if (filter.operation !== '' && filter.operation !== (operation ?? undeclared)) return false
  return filter.query === '' || containsWords(searchableText(summary), filter.query)
}

const searchableText = (summary: ExchangeSummary): string => {
  const { number, method, target, status, operation, violations, scenario, client } = summary
  const texts = violations.flatMap(({ id, message }) => [id, message])
  return [`#${number}`, method, target, status, operation, scenario, client, ...texts].join(' ')
}

type Props = {
  readonly filter: Filter
  readonly entries: readonly ExchangeSummary[]
  readonly isPaused: boolean
  readonly onFilter: (filter: Filter) => void
  readonly onPause: () => void
}

export const FilterBar = ({ filter, entries, isPaused, onFilter, onPause }: Props): VNode => {
  const change = (part: Partial<Filter>): void => onFilter({ ...filter, ...part })
  const choice = (
    label: string,
    name: 'method' | 'status' | 'operation',
    textOf: (value: string) => string,
    values: readonly string[],
  ): VNode => html`
    <label><span class="visually-hidden">${label}</span>
      <select value=${filter[name]} onChange=${(event: Event) => change({ [name]: (event.target as HTMLSelectElement).value })}>
        <option value="">${label}: any</option>
        ${[...new Set(values)].sort().map(value => html`<option value=${value}>${textOf(value)}</option>`)}
      </select>
    </label>`
  return html`
    <form class="filter" role="search" onSubmit=${(event: Event) => event.preventDefault()}>
      <input type="search" aria-label="Search requests" placeholder="Search   /" value=${filter.query}
        onInput=${(event: Event) => change({ query: (event.target as HTMLInputElement).value })} />
      <button type="button" class="quiet" aria-pressed=${isPaused ? 'true' : 'false'} onClick=${onPause}>Pause</button>
      <button type="button" class="quiet" onClick=${() => void clearTraffic()}>Clear</button>
      <span class="line-break"></span>
      ${choice('Method', 'method', method => method, entries.map(({ method }) => method).filter(Boolean))}
      ${choice(
        'Status',
        'status',
        digit => `${digit}xx`,
        entries.map(({ status }) => String(status)[0] ?? ''),
      )}
      ${choice(
        'Operation',
        'operation',
        id => (id === undeclared ? 'not declared' : id),
        entries.map(({ operation }) => operation ?? undeclared),
      )}
      <label class="check"><input type="checkbox" checked=${filter.invalidOnly}
        onChange=${(event: Event) => change({ invalidOnly: (event.target as HTMLInputElement).checked })} /> Violations only</label>
    </form>`
}
