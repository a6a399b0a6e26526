import type { ContractSummary, Coverage, OperationCoverage, OperationSummary } from '../../messages.ts'
import { useResource } from '../state/hooks.ts'
import type { Traffic } from '../state/traffic.ts'
import { html, useEffect, useState, type VNode } from '../ui/html.ts'
import { matchingOperations, OperationSearch } from '../ui/operation-search.ts'
import { CoveredOperation, responsesWith } from './covered-operation.ts'

type Props = { readonly contract: ContractSummary; readonly traffic: Traffic }

/** Up to this many operations are open from the start. */
const fewOperations = 3
const maxShown = 200
const settleMs = 400

const noCoverage: OperationCoverage = { requests: 0, statuses: {}, exercised: [] }

/** Which parts of the contract have been exercised, and which have not. */
export const CoveragePanel = ({ contract, traffic }: Props): VNode => {
  const version = useSettled(traffic.entries[0]?.number ?? 0)
  const { value: coverage, problem } = useResource<Coverage>('coverage', version)
  const [query, setQuery] = useState('')
  const [hideExercised, setHideExercised] = useState(false)
  const { operations } = contract
  const coverageOf = ({ id }: OperationSummary): OperationCoverage => coverage?.operations[id] ?? noCoverage
  const found = matchingOperations(operations, query)
  const responses = operations.flatMap(operation =>
    operation.statuses.map(status => responsesWith(status, operation, coverageOf(operation))),
  )
  return html`
    <div class="page">
      <header class="title">
        <h2>Coverage</h2>
        <p>Which parts of the contract the requests so far have exercised. Requirements are computed from the last 500 requests.</p>
      </header>
      ${problem === null ? null : html`<p class="problem" role="alert">${problem}</p>`}
      ${
        coverage === null
          ? null
          : html`<dl class="figures">
              <${Figure} name="operations" done=${operations.filter(operation => coverageOf(operation).requests > 0).length} of=${operations.length} />
              <${Figure} name="declared responses" done=${responses.filter(count => count > 0).length} of=${responses.length} />
              <div><dt>undeclared requests</dt><dd>${coverage.undeclared}</dd></div>
            </dl>`
      }
      <div class="filter">
        <${OperationSearch} operations=${operations} query=${query} onQuery=${setQuery} />
        <label class="check"><input type="checkbox" checked=${hideExercised}
          onChange=${(event: Event) => setHideExercised((event.target as HTMLInputElement).checked)} /> Hide exercised requirements</label>
      </div>
      ${found.slice(0, maxShown).map(
        operation => html`<${CoveredOperation} key=${operation.id} operation=${operation} coverage=${coverageOf(operation)} hideExercised=${hideExercised}
            initiallyOpen=${operations.length <= fewOperations} />`,
      )}
      ${found.length > maxShown ? html`<p class="muted">${found.length - maxShown} more: narrow the search to see them</p>` : null}
    </div>`
}

/** Follows a value once it has stayed the same for a moment: each change loads the coverage again. */
const useSettled = (value: number): number => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

type FigureProps = { readonly name: string; readonly done: number; readonly of: number }

const Figure = ({ name, done, of }: FigureProps): VNode => html`
  <div><dt>${name}</dt><dd>${done} <small>of ${of}</small> <meter min="0" max=${Math.max(1, of)} value=${done} aria-label=${`${name}: ${done} of ${of}`}></meter></dd></div>`
