import type { ObligationLine, OperationSheet, Outline } from '../shape.ts'
import { Folded } from './folded.ts'
import { html, type VNode } from './html.ts'
import type { Live } from './live.ts'
import { Prose } from './prose.ts'
import { Fields, Media } from './schema.ts'
import { Try } from './try.ts'

type Props = { readonly outline: Outline; readonly sheet: OperationSheet; readonly live: Live }

/** One operation of the contract: what it takes, what it answers, what it promises, and a form to try it. */
export const Operation = ({ outline, sheet, live }: Props): VNode => {
  const {
    id,
    method,
    path,
    summary,
    description,
    place,
    security,
    parameters,
    bodies,
    bodyRequired,
    responses,
    obligations,
  } = sheet
  return html`
    <article class="operation">
      <header class="told">
        <h2>${summary || id}</h2>
        <p class="request-line"><b>${method}</b> <span>${path}</span></p>
        <p class="soft mono">${id} · ${place}</p>
        ${description === '' ? null : html`<p class="prose">${description}</p>`}
      </header>
      <${Try} outline=${outline} sheet=${sheet} live=${live} />
      <h3>Request</h3>
      <p>${security.length === 0 ? 'No credentials are asked for.' : html`Credentials: ${security.map((one, index) => html`${index === 0 ? '' : ', or '}<code>${one}</code>`)}`}</p>
      ${parameters.length === 0 ? null : html`<h4>Parameters</h4><${Fields} fields=${parameters} />`}
      ${bodies.length === 0 ? null : html`<h4>Body${bodyRequired ? '' : ' (optional)'}</h4><${Media} parts=${bodies} />`}
      <h3>Answers</h3>
      ${responses.map(
        ({ status, description: about, media, headers }) => html`
          <section class="response">
            <h4><span class="status s${status[0]}">${status}</span> ${about}</h4>
            ${headers.length === 0 ? null : html`<${Fields} fields=${headers} />`}
            ${media.length === 0 ? html`<p class="soft">no body</p>` : html`<${Media} parts=${media} />`}
          </section>`,
      )}
      <h3>What that promises</h3>
      ${[...Map.groupBy(obligations, ({ family }) => family)].map(
        ([family, own]) => html`
          <${Folded}
            summary=${html`<b>${family}</b> <span class="soft">${own.length} · ${families[family] ?? ''}</span>`}
            content=${() => html`<ul>${own.map(obligation => html`<${ObligationItem} obligation=${obligation} />`)}</ul>`} />`,
      )}
    </article>`
}

const ObligationItem = ({ obligation }: { readonly obligation: ObligationLine }): VNode => html`
  <li><span class="level ${obligation.level.toLowerCase()}">${obligation.level}</span> <${Prose} text=${obligation.promise} />
    <span class="soft mono about">${obligation.id} · ${obligation.place}${obligation.rule === null ? '' : ` · ${obligation.rule}`}</span></li>`

/** What each kind of promise is about. */
export const families: Readonly<Record<string, string>> = {
  accept: 'what must be taken',
  refuse: 'what must be refused',
  bearer: 'credentials, right and wrong',
  answer: 'what answers look like',
  load: 'many requests at once',
  open: 'what the contract leaves open',
  wire: 'HTTP itself',
}
