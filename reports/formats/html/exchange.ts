import {
  type Headers,
  type RecordedBody,
  type RecordedOutcome,
  type RecordedRequest,
  thousands,
} from '../../../spec/index.ts'
import { cutText } from '../../text/cut-text.ts'
import { outcomeLine, rawText } from '../../view/exchange-line.ts'
import { html, lines, type Markup, nothing } from './markup.ts'

const limit = 4000

/** A request as it was sent. */
export const requestBlock = ({ method, target, headers, body, chunked, raw }: RecordedRequest): Markup => {
  if (raw !== undefined) return html`<pre class="wire">${lines(cutText(rawText(raw), limit))}</pre>`
  const framing: Headers = chunked ? [['Transfer-Encoding', 'chunked']] : []
  return html`<pre class="wire"><b>${method} ${cutText(target, limit)}</b>${headerLines([...headers, ...framing])}${body === null ? nothing : bodyBlock(body)}</pre>`
}

/** A response as it was received, or why there was none. */
export const outcomeBlock = (outcome: RecordedOutcome): Markup =>
  outcome.kind === 'failure'
    ? html`<pre class="wire"><b>${outcomeLine(outcome, limit)}</b></pre>`
    : html`<pre class="wire"><b>${outcome.status}</b>${headerLines(outcome.headers)}${bodyBlock(outcome.body)}</pre>`

const headerLines = (headers: Headers): readonly Markup[] =>
  headers.map(([name, value]) => html`\n<span class="soft">${name}:</span> ${cutText(value, 400)}`)

const bodyBlock = ({ encoding, data, bytes }: RecordedBody): Markup => {
  if (bytes === 0) return html`\n\n<i class="soft">an empty body</i>`
  const prefix = encoding === 'base64' ? `base64, ${thousands(bytes)} bytes: ` : ''
  const isWhole = Buffer.from(data, encoding).length === bytes
  const shown = cutText(data, limit, bytes)
  return html`\n\n${prefix}${lines(shown)}${isWhole || shown !== data ? '' : `… (${thousands(bytes)} bytes)`}`
}
