import type { Outline, Summary } from '../shape.ts'
import { Empty } from './empty.ts'
import { Exchange } from './exchange.ts'
import { FilterBar, noFilter, passes } from './filter.ts'
import { html, useEffect, useMemo, useRef, useState, type VNode } from './html.ts'
import type { Live } from './live.ts'
import { replaceHash, requestHash } from './route.ts'
import { Row, rowId } from './row.ts'
import { countText } from './visible.ts'

type Props = { readonly live: Live; readonly open: number | null; readonly outline: Outline | null }

/** The requests as they come, and everything of the one that is chosen. */
export const Traffic = ({ live, open, outline }: Props): VNode => {
  const [filter, setFilter] = useState(noFilter)
  const [held, setHeld] = useState<readonly Summary[] | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const entries = held ?? live.entries
  const shown = useMemo(() => entries.filter(entry => passes(filter, entry)), [entries, filter])
  const at = shown.findIndex(({ number }) => number === open)
  const choose = (index: number): void => {
    const entry = shown[Math.max(0, Math.min(shown.length - 1, index))]
    if (entry !== undefined) replaceHash(requestHash(entry.number))
  }
  useEffect(() => {
    if (open !== null) document.getElementById(rowId(open))?.scrollIntoView({ block: 'nearest' })
  }, [open])
  const pressed = (event: KeyboardEvent): void => {
    const page = 10
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at < 0 ? 0 : at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: shown.length - 1,
    }
    const to = moves[event.key]
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    choose(to)
  }
  const leave = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    const { target } = event
    if (target instanceof HTMLInputElement && target.type === 'search' && target.value !== '')
      setFilter({ ...filter, words: '' })
    else if (open !== null) replaceHash('#traffic')
    list.current?.focus()
  }
  const unseen =
    held === null ? 0 : live.entries.filter(({ number }) => number > (held[0]?.number ?? 0)).length
  return html`
    <div class="split traffic" data-open=${open !== null} onKeyDown=${leave}>
      <section class="side" aria-label="Requests">
        <${FilterBar} filter=${filter} entries=${entries} paused=${held !== null} onFilter=${setFilter}
          onPause=${() => setHeld(held === null ? live.entries : null)} />
        <p class="count" role="status">
          ${entries.length === 0 ? '' : `${shown.length} of ${countText(entries.length, 'request')}`}
          ${unseen === 0 ? null : html`<b> · ${unseen} more since the pause</b>`}
        </p>
        ${
          entries.length === 0
            ? html`<${Empty} outline=${outline} />`
            : shown.length === 0
              ? html`<p class="nothing">No request is like that. <button type="button" class="link" onClick=${() => setFilter(noFilter)}>Show all</button></p>`
              : html`
                <ul class="rows" role="listbox" aria-label="Requests, newest first" tabindex="0" ref=${list}
                  aria-activedescendant=${at < 0 ? null : rowId(open ?? 0)} onKeyDown=${pressed}>
                  ${shown.map(entry => html`<${Row} key=${entry.number} entry=${entry} chosen=${entry.number === open} />`)}
                </ul>`
        }
      </section>
      <section class="main" aria-label="The chosen request">
        ${
          open === null
            ? html`<p class="nothing">${entries.length === 0 ? '' : 'Choose a request to see what it sent, what it got, and what the contract has to say of it.'}</p>`
            : html`<${Exchange} key=${open} number=${open} />`
        }
      </section>
    </div>`
}
