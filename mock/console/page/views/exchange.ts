import type { ContractSummary, ExchangeDetails, HeaderField, ViolationDetails } from '../../messages.ts'
import { editAndResend } from '../state/form-preset.ts'
import { countText, escapeInvisible, hideSecrets, msText, timeText } from '../state/format.ts'
import { useResource, useTabValue } from '../state/hooks.ts'
import { panelHash, replaceHash } from '../state/route.ts'
import { html, useState, type VNode } from '../ui/html.ts'
import { InlineCode } from '../ui/inline-code.ts'
import { SnippetBar } from '../ui/snippet-bar.ts'
import { Body } from './body.ts'
import { PinAnswer } from './pin-answer.ts'
import { StatusCode, validityOf } from './validity.ts'

type ExchangeProps = { readonly number: number; readonly contract: ContractSummary | null }

/** One exchange, by its number. */
export const Exchange = ({ number, contract }: ExchangeProps): VNode => {
  const origin = encodeURIComponent(location.origin)
  const { value, problem } = useResource<ExchangeDetails>(`requests/${number}?origin=${origin}`)
  return html`
    <article class="exchange">
      <button type="button" class="link back" onClick=${() => replaceHash('#traffic')}>← All requests</button>
      ${problem === null ? null : html`<p class="empty">${problem}.</p>`}
      ${value === null ? null : html`<${Details} details=${value} contract=${contract} />`}
    </article>`
}

/** Everything about an exchange: first what went wrong, then the request and the response. */
type DetailsProps = { readonly details: ExchangeDetails; readonly contract: ContractSummary | null }

const Details = ({ details, contract }: DetailsProps): VNode => {
  const { summary, violations, requestHeaders, requestBody, responseHeaders, responseBody } = details
  const { number, method, status, ms, at, operation, scenario, client } = summary
  const [isPinning, setPinning] = useState(false)
  const [reveal, setReveal] = useTabValue('reveal', 'no')
  const isRevealed = reveal === 'yes'
  const secrets = isRevealed ? noSecrets : details.secrets
  const hasSecrets =
    details.secrets.length > 0 ||
    [...requestHeaders, ...responseHeaders].some(({ value, masked }) => masked !== value)
  const { text, kept, size } = responseBody
  // An answer with hidden credentials, or without its end, cannot be edited.
  const canPin =
    contract?.answers === true &&
    operation !== null &&
    status >= 200 &&
    text !== null &&
    kept === size &&
    hideSecrets(text, secrets) === text
  return html`
    <header class="title ${validityOf(summary)}">
      <h2>${titleOf(details)}</h2>
      <p class="request-line"><b>${escapeInvisible(method)}</b> <span>${escapeInvisible(isRevealed ? details.target : summary.target)}</span>
        <span class="muted" aria-hidden="true">→</span> <${StatusCode} status=${status} /></p>
      <p class="muted">#${number} · ${timeText(at)} · ${msText(ms)}${
        operation === null ? '' : html` · <a href=${panelHash('contract', operation)}>${operation}</a>`
      }${scenario === null ? '' : ` · scenario: ${escapeInvisible(scenario)}`}${client === null ? '' : ` · client: ${escapeInvisible(client)}`}</p>
    </header>
    ${violations.length === 0 ? null : html`<ol class="violations">${violations.map(violation => html`<${ViolationItem} violation=${violation} isTitled=${violations.length > 1} />`)}</ol>`}
    <div class="actions">
      <${SnippetBar} key=${isRevealed} snippets=${isRevealed ? details.revealedSnippets : details.maskedSnippets} />
      ${operation === null ? null : html`<button type="button" onClick=${() => editAndResend(details, operation)}>Edit and send again</button>`}
      ${
        canPin
          ? html`<button type="button" aria-expanded=${isPinning ? 'true' : 'false'} onClick=${() => setPinning(!isPinning)}>Pin answer</button>`
          : null
      }
      ${
        hasSecrets
          ? html`<button type="button" class="quiet" aria-pressed=${isRevealed ? 'true' : 'false'}
              onClick=${() => setReveal(isRevealed ? 'no' : 'yes')}>Show tokens</button>`
          : null
      }
    </div>
    ${isPinning && operation !== null ? html`<${PinAnswer} details=${details} operation=${operation} success=${successOf(contract, operation)} onClose=${() => setPinning(false)} />` : null}
    <h3>Request</h3>
    ${requestBody === null ? html`<p class="muted note">no body</p>` : html`<${Body} body=${requestBody} secrets=${secrets} label="Request body" />`}
    <${HeaderList} fields=${requestHeaders} isRevealed=${isRevealed} secrets=${secrets} label="Request headers" />
    <h3>Response</h3>
    <${Body} body=${responseBody} secrets=${secrets} label="Response body" />
    <${HeaderList} fields=${responseHeaders} isRevealed=${isRevealed} secrets=${secrets} label="Response headers" />`
}

/** The status of the declared success. */
const successOf = (contract: ContractSummary | null, operation: string): number | null => {
  const statuses = contract?.operations.find(({ id }) => id === operation)?.statuses ?? []
  const successes = statuses
    .filter(status => status.startsWith('2'))
    .map(status => Number(status.replace('XX', '00')))
  return successes.length === 0 ? null : Math.min(...successes)
}

// Always the same array, so that bodies are not rendered again.
const noSecrets: readonly string[] = []

/** A request with a single violation is titled by it; otherwise each violation has its own title. */
const titleOf = ({ summary }: ExchangeDetails): string => {
  const { method, violations } = summary
  const [first] = violations
  if (first !== undefined)
    return violations.length === 1 ? violationTitle(first) : countText(violations.length, 'violation')
  if (validityOf(summary) === 'valid') return 'Valid request'
  return method === '' ? 'Not an HTTP request' : 'Not declared in the contract'
}

const violationTitle = ({ message }: { readonly message: string }): string => {
  const text = escapeInvisible(message)
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

type ViolationProps = { readonly violation: ViolationDetails; readonly isTitled: boolean }

const ViolationItem = ({ violation, isTitled }: ViolationProps): VNode => {
  const { id, code, requirement, place } = violation
  return html`
    <li>
      ${isTitled ? html`<p class="violation-title">${violationTitle(violation)}</p>` : null}
      ${requirement === null ? null : html`<p>Requirement: <${InlineCode} text=${requirement} />.</p>`}
      <p class="mono">${id}</p>
      <p class="mono">${place === null ? '' : `${place} · `}error code ${code}</p>
    </li>`
}

type HeaderListProps = {
  readonly fields: readonly HeaderField[]
  readonly isRevealed: boolean
  readonly secrets: readonly string[]
  readonly label: string
}

const HeaderList = ({ fields, isRevealed, secrets, label }: HeaderListProps): VNode => {
  // Once opened they stay open, from request to request.
  const [open, setOpen] = useTabValue('headers', 'no')
  const onToggle = (event: Event): void => setOpen((event.target as HTMLDetailsElement).open ? 'yes' : 'no')
  return fields.length === 0
    ? html`<p class="muted note">no headers</p>`
    : html`
      <details class="folded" open=${open === 'yes'} onToggle=${onToggle}>
        <summary>${label} <span class="muted">${fields.length}</span></summary>
        <dl class="headers" aria-label=${label}>${fields.map(
          ({ name, value, masked }) =>
            html`<div><dt>${escapeInvisible(name)}</dt><dd>${escapeInvisible(isRevealed ? value : hideSecrets(masked, secrets))}</dd></div>`,
        )}</dl>
      </details>`
}
