import type { Summary } from '../shape.ts'
import { html, useMemo, type VNode } from './html.ts'
import { replaceHash, requestHash } from './route.ts'
import { StatusCode, standingOf, Verdict } from './verdict.ts'
import { msText, timeText, visible } from './visible.ts'

export const rowId = (number: number): string => `row-${number}`

/** One request in the list. What is the same markup again is not compared again: there may be hundreds. */
export const Row = ({ entry, chosen }: { readonly entry: Summary; readonly chosen: boolean }): VNode =>
  useMemo(() => {
    const { number, at, ms, method, target, status, breaches, scenario, client } = entry
    const [first] = breaches
    return html`
      <li id=${rowId(number)} role="option" aria-selected=${chosen ? 'true' : 'false'} class="row ${standingOf(entry)}"
        onClick=${() => replaceHash(requestHash(number))}>
        <span class="line">
          <${Verdict} of=${entry} />
          <b class="method">${visible(method) || '—'}</b>
          <span class="target">${visible(target) || 'what came was no request'}</span>
          ${scenario === null ? null : html`<span class="tag">${visible(scenario)}</span>`}
          ${client === null ? null : html`<span class="tag soft">${visible(client)}</span>`}
          <${StatusCode} status=${status} />
          <span class="soft took">${msText(ms)}</span>
          <time class="soft">${timeText(at)}</time>
        </span>
        ${
          first === undefined
            ? null
            : html`<span class="why">${visible(first.message)}${breaches.length > 1 ? html` <b>and ${breaches.length - 1} more</b>` : null}</span>`
        }
      </li>`
  }, [entry, chosen])
