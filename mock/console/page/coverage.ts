import type { ObligationLine, OperationLine, OperationSheet, Outline, Seen, SeenAll } from '../shape.ts'
import { Folded } from './folded.ts'
import { useAsked } from './hooks.ts'
import { html, useEffect, useState, type VNode } from './html.ts'
import type { Live } from './live.ts'
import { families } from './operation.ts'
import { Prose } from './prose.ts'
import { panelHash } from './route.ts'
import { matching, OperationSearch } from './search.ts'
import { tryBreaking } from './try-draft.ts'
import { countText } from './visible.ts'

type Props = { readonly outline: Outline; readonly live: Live }

const mostOpen = 3
const mostShown = 200
const restMs = 400

const unseen: Seen = { requests: 0, statuses: {}, obligations: [] }

/** What of the contract has been exercised, and what has not. */
export const Coverage = ({ outline, live }: Props): VNode => {
  const version = useRested(live.entries[0]?.number ?? 0)
  const { value: seen, problem } = useAsked<SeenAll>('seen', version)
  const [words, setWords] = useState('')
  const [missing, setMissing] = useState(false)
  const { operations } = outline
  const seenOf = ({ id }: OperationLine): Seen => seen?.operations[id] ?? unseen
  const found = matching(operations, words)
  const statuses = operations.flatMap(line =>
    line.statuses.map(status => countOf(line, seenOf(line), status)),
  )
  return html`
    <div class="page">
      <header class="told">
        <h2>Coverage</h2>
        <p>What of the contract the requests so far have exercised. Which promises a request shows is worked out of the last 500.</p>
      </header>
      ${problem === null ? null : html`<p class="problem" role="alert">${problem}</p>`}
      ${
        seen === null
          ? null
          : html`<dl class="figures">
              <${Figure} name="operations" done=${operations.filter(line => seenOf(line).requests > 0).length} of=${operations.length} />
              <${Figure} name="declared statuses" done=${statuses.filter(count => count > 0).length} of=${statuses.length} />
              <div><dt>requests for nothing declared</dt><dd>${seen.undeclared}</dd></div>
            </dl>`
      }
      <div class="filter">
        <${OperationSearch} operations=${operations} words=${words} onWords=${setWords} />
        <label class="check"><input type="checkbox" checked=${missing}
          onChange=${(event: Event) => setMissing((event.target as HTMLInputElement).checked)} /> Only what is not seen yet</label>
      </div>
      ${found.slice(0, mostShown).map(
        line => html`<${OperationCoverage} key=${line.id} line=${line} seen=${seenOf(line)} missing=${missing}
            open=${operations.length <= mostOpen} />`,
      )}
      ${found.length > mostShown ? html`<p class="soft">and ${found.length - mostShown} more: search for them</p>` : null}
    </div>`
}

/** A value that changes at most so often: each change asks the mock anew. */
const useRested = (value: number): number => {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}

const Figure = ({
  name,
  done,
  of,
}: {
  readonly name: string
  readonly done: number
  readonly of: number
}): VNode => html`
  <div><dt>${name}</dt><dd>${done} <small>of ${of}</small> <meter min="0" max=${Math.max(1, of)} value=${done} aria-label=${`${name}: ${done} of ${of}`}></meter></dd></div>`

/** How many answers fell under a declared status: itself, its range, or what is left over. */
const countOf = ({ statuses }: OperationLine, seen: Seen, declared: string): number =>
  Object.entries(seen.statuses).reduce(
    (sum, [status, count]) => (clauseOf(statuses, status) === declared ? sum + count : sum),
    0,
  )

const clauseOf = (declared: readonly string[], status: string): string | null =>
  [status, `${status[0]}XX`, 'default'].find(own => declared.includes(own)) ?? null

type OperationProps = {
  readonly line: OperationLine
  readonly seen: Seen
  readonly missing: boolean
  readonly open: boolean
}

const OperationCoverage = ({ line, seen, missing, open }: OperationProps): VNode => {
  const { id, method, path, statuses } = line
  const [isOpen, setOpen] = useState(open)
  const { value: sheet } = useAsked<OperationSheet>(isOpen ? `contract/${encodeURIComponent(id)}` : null)
  const undeclared = Object.keys(seen.statuses).filter(status => clauseOf(statuses, status) === null)
  const known = new Set(seen.obligations)
  const single = sheet?.obligations.filter(({ single }) => single) ?? []
  return html`
    <details class="covered" open=${isOpen} onToggle=${(event: Event) => setOpen((event.target as HTMLDetailsElement).open)}>
      <summary>
        <b class="method">${method}</b> <span class="target">${path}</span>
        <span class="soft">${seen.requests === 0 ? 'not asked yet' : countText(seen.requests, 'request')}</span>
        <span class="chips">
          ${statuses.map(status => {
            const count = countOf(line, seen, status)
            return html`<span class="chip ${count > 0 ? 'seen' : ''}">${count > 0 ? '✓' : '○'} ${status}${count > 0 ? html` <small>× ${count}</small>` : html`<span class="unseen"> not seen</span>`}</span>`
          })}
          ${undeclared.map(status => html`<span class="chip wrong">! ${status} <small>not declared</small></span>`)}
        </span>
      </summary>
      ${
        sheet === null
          ? null
          : html`<div class="families">${[...Map.groupBy(single, ({ family }) => family)].map(
              ([family, own]) =>
                html`<${FamilyCoverage} operation=${id} family=${family} obligations=${own} known=${known} missing=${missing} />`,
            )}</div>
            <p class="soft"><a href=${panelHash('contract', id)}>The operation in the contract</a> · promises of many requests at once, and open questions, are not counted.</p>`
      }
    </details>`
}

type FamilyProps = {
  readonly operation: string
  readonly family: string
  readonly obligations: readonly ObligationLine[]
  readonly known: ReadonlySet<string>
  readonly missing: boolean
}

const FamilyCoverage = ({ operation, family, obligations, known, missing }: FamilyProps): VNode => {
  const done = obligations.filter(({ id }) => known.has(id)).length
  const shown = missing ? obligations.filter(({ id }) => !known.has(id)) : obligations
  return html`
    <${Folded}
      summary=${html`<b>${family}</b> <span class="soft">${families[family] ?? ''}</span>
        <span class="share">${done} of ${obligations.length} <meter min="0" max=${obligations.length} value=${done} aria-label=${`${family}: ${done} of ${obligations.length}`}></meter></span>`}
      content=${() =>
        html`<ul>${shown.map(
          ({ id, promise, family: own }) => html`
          <li class=${known.has(id) ? 'seen' : ''}>
            <span class="glyph" aria-hidden="true">${known.has(id) ? '✓' : '○'}</span>
            <span><${Prose} text=${promise} /><span class="unseen">${known.has(id) ? ', seen' : ', not seen yet'}</span>
              <span class="soft mono about">${id}</span></span>
            ${
              known.has(id) || own !== 'refuse'
                ? null
                : html`<button type="button" class="quiet" onClick=${() => tryBreaking(operation, id)}>Try<span class="unseen"> ${id}</span></button>`
            }
          </li>`,
        )}</ul>`} />`
}
