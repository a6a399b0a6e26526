import type { Headers, RecordedBody, RecordedOutcome, RecordedRequest } from '../../spec/index.ts'
import { thousands } from '../count.ts'
import { cutText } from '../cut-text.ts'
import { outcomeLine, rawText } from '../message.ts'
import { html, lines, type Markup, nothing } from './markup.ts'

const limit = 4000

/** A request as it went over the wire. */
export const requestBlock = ({ method, target, headers, body, chunked, raw }: RecordedRequest): Markup => {
  if (raw !== undefined) return html`<pre class="wire">${lines(cutText(rawText(raw), limit))}</pre>`
  const framing: Headers = chunked ? [['Transfer-Encoding', 'chunked']] : []
  return html`<pre class="wire"><b>${method} ${cutText(target, limit)}</b>${headerLines([...headers, ...framing])}${body === null ? nothing : bodyBlock(body)}</pre>`
}

/** An answer as it came, or why there was none. */
export const outcomeBlock = (outcome: RecordedOutcome): Markup =>
  outcome.kind === 'failure'
    ? html`<pre class="wire"><b>${outcomeLine(outcome, limit)}</b></pre>`
    : html`<pre class="wire"><b>${outcome.status}</b>${headerLines(outcome.headers)}${bodyBlock(outcome.body)}</pre>`

const headerLines = (headers: Headers): readonly Markup[] =>
  headers.map(([name, value]) => html`\n<span class="soft">${name}:</span> ${cutText(value, 400)}`)

const bodyBlock = ({ encoding, data, bytes }: RecordedBody): Markup => {
  if (bytes === 0) return html`\n\n<i class="soft">an empty body</i>`
  const told = encoding === 'base64' ? `base64, ${thousands(bytes)} bytes: ` : ''
  const whole = Buffer.from(data, encoding).length === bytes
  const shown = cutText(data, limit, bytes)
  return html`\n\n${told}${lines(shown)}${whole || shown !== data ? '' : `… (${thousands(bytes)} bytes)`}`
}
