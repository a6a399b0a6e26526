import type { BrokenObligation, Detail, Header } from '../shape.ts'
import { Body } from './body.ts'
import { CopyBar } from './copy.ts'
import { useAsked, useKept } from './hooks.ts'
import { html, type VNode } from './html.ts'
import { Prose } from './prose.ts'
import { panelHash, replaceHash } from './route.ts'
import { again } from './try-draft.ts'
import { StatusCode, standingOf, wordsOf } from './verdict.ts'
import { countText, hide, msText, timeText, visible } from './visible.ts'

/** Everything of one exchange, the verdict first. */
export const Exchange = ({ number }: { readonly number: number }): VNode => {
  const origin = encodeURIComponent(location.origin)
  const { value, problem } = useAsked<Detail>(`requests/${number}?origin=${origin}`)
  return html`
    <article class="exchange">
      <button type="button" class="link back" onClick=${() => replaceHash('#traffic')}>← All requests</button>
      ${problem === null ? null : html`<p class="nothing">${problem}.</p>`}
      ${value === null ? null : html`<${Told} detail=${value} />`}
    </article>`
}

const Told = ({ detail }: { readonly detail: Detail }): VNode => {
  const { summary, broken, headers, body, answerHeaders, answerBody } = detail
  const { number, method, status, ms, at, operation, scenario, client } = summary
  const [reveal, setReveal] = useKept('reveal', 'no')
  const open = reveal === 'yes'
  const secrets = open ? nothing : detail.secrets
  const hasSecrets =
    detail.secrets.length > 0 || [...headers, ...answerHeaders].some(own => own.hidden !== own.value)
  return html`
    <header class="told ${standingOf(summary)}">
      <h2>${titleOf(detail)}</h2>
      <p class="request-line"><b>${visible(method)}</b> <span>${visible(open ? detail.target : summary.target)}</span>
        <span class="soft" aria-hidden="true">→</span> <${StatusCode} status=${status} /></p>
      <p class="soft">#${number} · ${timeText(at)} · ${msText(ms)}${
        operation === null ? '' : html` · <a href=${panelHash('contract', operation)}>${operation}</a>`
      }${scenario === null ? '' : ` · scenario: ${visible(scenario)}`}${client === null ? '' : ` · client: ${visible(client)}`}</p>
    </header>
    ${broken.length === 0 ? null : html`<ol class="breaches">${broken.map(breach => html`<${Broken} breach=${breach} />`)}</ol>`}
    <div class="actions">
      <${CopyBar} key=${open} copies=${open ? detail.revealed : detail.hidden} />
      ${operation === null ? null : html`<button type="button" onClick=${() => again(detail, operation)}>Edit and send again</button>`}
      ${
        hasSecrets
          ? html`<button type="button" class="quiet" aria-pressed=${open ? 'true' : 'false'}
              onClick=${() => setReveal(open ? 'no' : 'yes')}>Show tokens</button>`
          : null
      }
    </div>
    <h3>Request</h3>
    ${body === null ? html`<p class="soft note">no body</p>` : html`<${Body} body=${body} secrets=${secrets} label="Body of the request" />`}
    <${Headers} of=${headers} open=${open} secrets=${secrets} label="Headers of the request" />
    <h3>Answer</h3>
    <${Body} body=${answerBody} secrets=${secrets} label="Body of the answer" />
    <${Headers} of=${answerHeaders} open=${open} secrets=${secrets} label="Headers of the answer" />`
}

const nothing: readonly string[] = []

const titleOf = ({ summary }: Detail): string => {
  switch (standingOf(summary)) {
    case 'broken':
      return `Broke ${countText(summary.breaches.length, 'rule')}`
    case 'undeclared':
      return summary.method === '' ? 'Not an HTTP request' : 'Not declared by the contract'
    case 'valid':
      return `${(wordsOf(summary)[0] ?? '').toUpperCase()}${wordsOf(summary).slice(1)}`
  }
}

const Broken = ({ breach }: { readonly breach: BrokenObligation }): VNode => html`
  <li>
    <p class="reason">${visible(breach.message)}</p>
    ${breach.promise === null ? null : html`<p>The contract: <${Prose} text=${breach.promise} />.</p>`}
    <p class="mono">${breach.id}</p>
    <p class="mono">${breach.place === null ? '' : `${breach.place} · `}code ${breach.code}</p>
  </li>`

type HeadersProps = {
  readonly of: readonly Header[]
  readonly open: boolean
  readonly secrets: readonly string[]
  readonly label: string
}

const Headers = ({ of, open, secrets, label }: HeadersProps): VNode =>
  of.length === 0
    ? html`<p class="soft note">no headers</p>`
    : html`<dl class="headers" aria-label=${label}>${of.map(
        ({ name, value, hidden }) =>
          html`<div><dt>${visible(name)}</dt><dd>${visible(open ? value : hide(hidden, secrets))}</dd></div>`,
      )}</dl>`
