import type { ContractSummary, ExchangeSummary } from '../../messages.ts'
import { countText } from '../state/format.ts'
import { panelHash, replaceHash, requestHash } from '../state/route.ts'
import type { Traffic } from '../state/traffic.ts'
import { html, useEffect, useMemo, useRef, useState, type VNode } from '../ui/html.ts'
import { Exchange } from './exchange.ts'
import { FilterBar, matchesFilter, noFilter } from './filter.ts'
import { RequestRow, rowId } from './request-row.ts'

type Props = {
  readonly traffic: Traffic
  /** The number of the open request. */
  readonly open: number | null
  readonly contract: ContractSummary | null
}

const pageLength = 10

/** The requests as they arrive, and the details of the open one. */
export const TrafficPanel = ({ traffic, open, contract }: Props): VNode => {
  const [filter, setFilter] = useState(noFilter)
  const [paused, setPaused] = useState<readonly ExchangeSummary[] | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const entries = paused ?? traffic.entries
  const shown = useMemo(() => entries.filter(entry => matchesFilter(filter, entry)), [entries, filter])
  // The newest request at first; it stays the one while others arrive.
  const first = useRef<number | null>(null)
  if (!shown.some(({ number }) => number === first.current)) first.current = shown[0]?.number ?? null
  const selected = open ?? first.current
  const at = shown.findIndex(({ number }) => number === selected)
  const openAt = (index: number): void => {
    const entry = shown[Math.max(0, Math.min(shown.length - 1, index))]
    if (entry !== undefined) replaceHash(requestHash(entry.number))
  }
  const isListed = at >= 0
  useEffect(() => {
    if (open !== null) document.getElementById(rowId(open))?.scrollIntoView({ block: 'nearest' })
  }, [open, isListed])
  const onListKey = (event: KeyboardEvent): void => {
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + pageLength,
      PageUp: at - pageLength,
      Home: 0,
      End: shown.length - 1,
    }
    const index = moves[event.key]
    if (index === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    openAt(index)
  }
  const onEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    const { target } = event
    if (target instanceof HTMLInputElement && target.type === 'search' && target.value !== '')
      setFilter({ ...filter, query: '' })
    else if (open !== null) replaceHash('#traffic')
    list.current?.focus()
  }
  const newest = paused?.[0]?.number ?? 0
  const added = paused === null ? 0 : traffic.entries.filter(({ number }) => number > newest).length
  return html`
    <div class="split traffic" data-open=${open !== null} onKeyDown=${onEscape}>
      <section class="side" aria-label="Requests">
        <${FilterBar} filter=${filter} entries=${entries} isPaused=${paused !== null} onFilter=${setFilter}
          onPause=${() => setPaused(paused === null ? traffic.entries : null)} />
        <p class="count" role="status">
          ${entries.length === 0 ? '' : `${shown.length} of ${countText(entries.length, 'request')}`}
          ${added === 0 ? null : html`<b> · ${added} more since paused</b>`}
        </p>
        ${
          entries.length === 0
            ? html`<${NoRequests} contract=${contract} />`
            : shown.length === 0
              ? html`<p class="empty">No request matches the filter. <button type="button" class="link" onClick=${() => setFilter(noFilter)}>Show all</button></p>`
              : html`
                <ul class="rows" role="listbox" aria-label="Requests, newest first" tabindex="0" ref=${list}
                  aria-activedescendant=${at < 0 ? null : rowId(selected ?? 0)} onKeyDown=${onListKey}>
                  ${shown.map(entry => html`<${RequestRow} key=${entry.number} entry=${entry} isOpen=${entry.number === selected} />`)}
                </ul>`
        }
      </section>
      <section class="main" aria-label="Selected request">
        ${
          selected === null
            ? null
            : html`<${Exchange} key=${selected} number=${selected} contract=${contract} />`
        }
      </section>
    </div>`
}

/** Shown until the first request arrives: how to send one. */
const NoRequests = ({ contract }: { readonly contract: ContractSummary | null }): VNode => html`
  <div class="empty">
    <h2>No requests yet</h2>
    <p>Point your application at <code>${location.origin}</code>. Each request appears here as it arrives, with its
    violations of the contract.</p>
    ${
      contract === null
        ? null
        : html`<p>Or send a request from here: ${contract.operations
            .slice(0, 3)
            .map(
              ({ id, method, path }, index) =>
                html`${index === 0 ? '' : ' · '}<a href=${panelHash('contract', id)}>${method} ${path}</a>`,
            )}</p>`
    }
  </div>`
