import type {
  Body as BodyMessage,
  ContractSummary,
  ExchangeDetails,
  ExchangeSummary,
  HeaderField,
  ViolationDetails,
} from '../../messages.ts'
import { countText, escapeInvisible, hideSecrets, msText, sizeText, timeText } from '../state/format.ts'
import { useResource, useTabValue } from '../state/hooks.ts'
import { editAndResend, panelHash, replaceHash } from '../state/route.ts'
import { html, useMemo, useState, type VNode } from '../ui/html.ts'
import { formatJson, hexLines, type JsonToken } from '../ui/json-text.ts'
import { InlineCode } from '../ui/markdown.ts'
import { SnippetBar } from '../ui/snippet-bar.ts'
import { PinAnswer } from './pin-answer.ts'

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

export type Validity = 'valid' | 'invalid' | 'undeclared'

export const validityOf = ({ operation, violations }: ExchangeSummary): Validity =>
  violations.length > 0 ? 'invalid' : operation === null ? 'undeclared' : 'valid'

const glyphs: Readonly<Record<Validity, string>> = { valid: '✓', invalid: '✕', undeclared: '?' }

/** Whether a request is valid. Glyph and text say it without colour. */
export const ValidityLabel = ({ of }: { readonly of: ExchangeSummary }): VNode => {
  const validity = validityOf(of)
  return html`<span class="validity ${validity}"><span aria-hidden="true">${glyphs[validity]}</span> ${validityText(of)}</span>`
}

const validityText = (summary: ExchangeSummary): string => {
  switch (validityOf(summary)) {
    case 'invalid':
      return countText(summary.violations.length, 'violation')
    case 'undeclared':
      return summary.method === '' ? 'not HTTP' : 'not declared'
    case 'valid':
      return 'valid'
  }
}

export const StatusCode = ({ status }: { readonly status: number }): VNode =>
  html`<span class="status s${Math.floor(status / 100)}">${status}</span>`

const maxColouredTokens = 4000
const maxHexBytes = 512

type Props = { readonly body: BodyMessage; readonly secrets: readonly string[]; readonly label: string }

/** A body: JSON formatted, other text as it is, binary data as a hexadecimal dump. */
export const Body = ({ body, secrets, label }: Props): VNode => {
  const { size, kept, text, base64 } = body
  const isCut = kept < size
  const content = useMemo(() => contentOf(text, base64, secrets, isCut), [text, base64, secrets, isCut])
  const notes = [
    sizeText(size),
    ...(isCut ? [`truncated: only the first ${sizeText(kept)} were kept`] : []),
    ...(text === null ? [`binary${kept > maxHexBytes ? `, first ${maxHexBytes} bytes` : ''}`] : []),
  ]
  return html`
    <p class="muted note">${notes.join(' · ')}</p>
    ${size === 0 ? null : html`<pre class="body" tabindex="0" aria-label=${label}>${content}</pre>`}`
}

const contentOf = (
  text: string | null,
  base64: string | null,
  secrets: readonly string[],
  isCut: boolean,
): unknown => {
  if (text === null) {
    const bytes = Uint8Array.from(atob(base64 ?? ''), char => char.charCodeAt(0))
    return hideSecrets(hexLines(bytes, maxHexBytes).join('\n'), secrets)
  }
  const masked = hideSecrets(text, secrets)
  const tokens = isCut ? null : formatJson(masked)
  if (tokens === null) return escapeInvisible(masked)
  if (tokens.length > maxColouredTokens) return escapeInvisible(tokens.map(({ text }) => text).join(''))
  return tokens.map(coloured)
}

const coloured = ({ kind, text }: JsonToken): unknown =>
  kind === 'space' || kind === 'punctuation'
    ? text
    : html`<span class="json-${kind}">${escapeInvisible(text)}</span>`
