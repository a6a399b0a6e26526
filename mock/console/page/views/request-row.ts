import type { ExchangeSummary } from '../../messages.ts'
import { escapeInvisible, msText, timeText } from '../state/format.ts'
import { replaceHash, requestHash } from '../state/route.ts'
import { html, useMemo, type VNode } from '../ui/html.ts'
import { Method } from '../ui/method.ts'
import { StatusCode, ValidityLabel, validityOf } from './exchange.ts'

export const rowId = (number: number): string => `row-${number}`

type Props = { readonly entry: ExchangeSummary; readonly isOpen: boolean }

/** One request in the list. Memoised, because the list may hold hundreds. */
export const RequestRow = ({ entry, isOpen }: Props): VNode =>
  useMemo(() => {
    const { number, at, ms, method, target, status, violations, scenario, client } = entry
    const [first] = violations
    return html`
      <li id=${rowId(number)} role="option" aria-selected=${isOpen ? 'true' : 'false'} class="row ${validityOf(entry)}"
        onClick=${() => replaceHash(requestHash(number))}>
        <span class="line">
          <${ValidityLabel} of=${entry} />
          <${Method} name=${escapeInvisible(method) || '—'} />
          <span class="target">${escapeInvisible(target) || 'not an HTTP request'}</span>
          <${StatusCode} status=${status} />
          <span class="muted duration">${msText(ms)}</span>
          <time class="muted">${timeText(at)}</time>
        </span>
        ${
          scenario === null && client === null
            ? null
            : html`<span class="tags">
                ${scenario === null ? null : html`<span class="tag">${escapeInvisible(scenario)}</span>`}
                ${client === null ? null : html`<span class="tag muted">${escapeInvisible(client)}</span>`}
              </span>`
        }
        ${
          first === undefined
            ? null
            : html`<span class="reason">${escapeInvisible(first.message)}${violations.length > 1 ? html` <b>and ${violations.length - 1} more</b>` : null}</span>`
        }
      </li>`
  }, [entry, isOpen])
