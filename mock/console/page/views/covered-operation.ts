import type {
  ObligationSummary,
  OperationCoverage,
  OperationDetails,
  OperationSummary,
} from '../../messages.ts'
import { countText } from '../state/format.ts'
import { useResource } from '../state/hooks.ts'
import { panelHash, tryViolation } from '../state/route.ts'
import { html, useState, type VNode } from '../ui/html.ts'
import { InlineCode } from '../ui/markdown.ts'
import { Method } from '../ui/method.ts'
import { Disclosure } from '../ui/schema.ts'
import { familyText } from './operation.ts'

/** How many responses match a declared status: the exact code, else its range (`4XX`), else `default`. */
export const responsesWith = (
  declared: string,
  { statuses }: OperationSummary,
  coverage: OperationCoverage,
): number =>
  Object.entries(coverage.statuses).reduce(
    (sum, [status, count]) => (declaredStatus(statuses, status) === declared ? sum + count : sum),
    0,
  )

const declaredStatus = (declared: readonly string[], status: string): string | null =>
  [status, `${status[0]}XX`, 'default'].find(candidate => declared.includes(candidate)) ?? null

type Props = {
  readonly operation: OperationSummary
  readonly coverage: OperationCoverage
  readonly hideExercised: boolean
  readonly initiallyOpen: boolean
}

/** One operation: its responses by status, and its requirements by family. */
export const CoveredOperation = ({ operation, coverage, hideExercised, initiallyOpen }: Props): VNode => {
  const { id, method, path, statuses } = operation
  const [isOpen, setOpen] = useState(initiallyOpen)
  const { value: details } = useResource<OperationDetails>(
    isOpen ? `contract/${encodeURIComponent(id)}` : null,
  )
  const undeclared = Object.keys(coverage.statuses).filter(
    status => declaredStatus(statuses, status) === null,
  )
  const exercised = new Set(coverage.exercised)
  const obligations = details?.obligations.filter(({ isExercisable }) => isExercisable) ?? []
  return html`
    <details class="covered-operation" open=${isOpen} onToggle=${(event: Event) => setOpen((event.target as HTMLDetailsElement).open)}>
      <summary>
        <${Method} name=${method} /> <span class="target">${path}</span>
        <span class="muted">${coverage.requests === 0 ? 'no requests yet' : countText(coverage.requests, 'request')}</span>
        <span class="chips">
          ${statuses.map(status => html`<${StatusChip} status=${status} count=${responsesWith(status, operation, coverage)} />`)}
          ${undeclared.map(status => html`<span class="chip undeclared">! ${status} <small>not declared</small></span>`)}
        </span>
      </summary>
      ${
        details === null
          ? null
          : html`<div class="families">${[...Map.groupBy(obligations, ({ family }) => family)].map(
              ([family, group]) =>
                html`<${CoveredFamily} operation=${id} family=${family} obligations=${group} exercised=${exercised} hideExercised=${hideExercised} />`,
            )}</div>
            <p class="muted"><a href=${panelHash('contract', id)}>Operation details</a> · Requirements that take several requests, and behaviour that the contract leaves open, are not counted.</p>`
      }
    </details>`
}

const StatusChip = ({ status, count }: { readonly status: string; readonly count: number }): VNode =>
  count > 0
    ? html`<span class="chip exercised">✓ ${status} <small>× ${count}</small></span>`
    : html`<span class="chip">○ ${status}<span class="visually-hidden"> not exercised</span></span>`

type FamilyProps = {
  readonly operation: string
  readonly family: string
  readonly obligations: readonly ObligationSummary[]
  readonly exercised: ReadonlySet<string>
  readonly hideExercised: boolean
}

const CoveredFamily = ({ operation, family, obligations, exercised, hideExercised }: FamilyProps): VNode => {
  const done = obligations.filter(({ id }) => exercised.has(id)).length
  const shown = hideExercised ? obligations.filter(({ id }) => !exercised.has(id)) : obligations
  return html`
    <${Disclosure}
      summary=${html`<b>${family}</b> <span class="muted">${familyText[family] ?? ''}</span>
        <span class="share">${done} of ${obligations.length} <meter min="0" max=${obligations.length} value=${done} aria-label=${`${family}: ${done} of ${obligations.length}`}></meter></span>`}
      content=${() =>
        html`<ul>${shown.map(
          obligation =>
            html`<${CoveredObligation} operation=${operation} obligation=${obligation} isExercised=${exercised.has(obligation.id)} />`,
        )}</ul>`} />`
}

type ObligationProps = {
  readonly operation: string
  readonly obligation: ObligationSummary
  readonly isExercised: boolean
}

const CoveredObligation = ({ operation, obligation, isExercised }: ObligationProps): VNode => {
  const { id, requirement, family } = obligation
  return html`
    <li class=${isExercised ? 'exercised' : ''}>
      <span class="glyph" aria-hidden="true">${isExercised ? '✓' : '○'}</span>
      <span><${InlineCode} text=${requirement} /><span class="visually-hidden">${isExercised ? ', exercised' : ', not exercised'}</span>
        <span class="muted mono description">${id}</span></span>
      ${
        isExercised || family !== 'reject'
          ? null
          : html`<button type="button" class="quiet" onClick=${() => tryViolation(operation, id)}>Try<span class="visually-hidden"> ${id}</span></button>`
      }
    </li>`
}
