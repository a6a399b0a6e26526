import {
  type Entry,
  type Headers,
  type Ledger,
  type RecordedBody,
  type RecordedOutcome,
  type RecordedRequest,
  thousands,
} from '../../../spec/index.ts'
import { cutText } from '../../text/cut-text.ts'
import { outcomeLine, rawText } from '../../view/exchange-text.ts'
import { sayMost } from '../../view/status.ts'
import { reasonOf } from '../../view/summary.ts'
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

/** Characters that the rows of requirements may take: a page has to open at once on a telephone, and its other parts take as much. */
const room = 1_200_000

/** Causes that have a part of the page. */
export const mostCauses = 300
/** Rows of other tables, and ids of a list: of more, their number says enough. */
export const mostRows = 200
export const mostListed = 40
/** Reasons that have a list of their own. */
export const mostReasons = 60

/** The ids of the requirements that a page lists: all, or of a large contract those that say most, so that passed ones give way. */
export const shownOf = (ledger: Ledger): ReadonlySet<string> => {
  const known = sets.get(ledger) ?? sayMost(ledger, room, sizeOf)
  sets.set(ledger, known)
  return known
}

const sets = new WeakMap<Ledger, ReadonlySet<string>>()

/** About how long a row is: the id is there four times, and a failure has its title and its number beside the requirement. */
const sizeOf = ({ obligation: { id, requirement }, verdict }: Entry): number =>
  (verdict.kind === 'failed' ? 700 : 350) +
  4 * id.length +
  requirement.length +
  (reasonOf(verdict)?.length ?? 0)

/** The id of a requirement, or another `text`, as a link to its row, if the page has one. */
export const idLink = (id: string, shown: ReadonlySet<string>, text = id): Markup =>
  shown.has(id) ? html`<a href="#${id}"><code>${text}</code></a>` : html`<code>${text}</code>`
