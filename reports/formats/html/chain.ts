import type { Finding, RecordedStep } from '../../../spec/index.ts'
import { cutText } from '../../text/cut-text.ts'
import { outcomeBlock, requestBlock } from './exchange.ts'
import { html, type Markup, nothing } from './markup.ts'

/** What the steps of a chain are for; see `StepRole`. */
const purposes: Readonly<Record<string, string>> = {
  create: 'creates it',
  other: 'creates another one',
  parent: 'creates its parent',
  find: 'finds it',
  read: 'reads it',
  'read-other': 'reads another one',
  list: 'lists all',
  subject: 'the request under test',
  own: 'shows that the other user is accepted',
  'as-other': 'tries it as the other user',
  flow: 'step of the workflow',
  callback: 'gives another URL for callbacks',
}

/** The smallest failing request with its response; of a chain, all its requests in order, the one open that shows the failure. */
export const testCase = ({ steps = [], step, request, outcome }: Finding): Markup => {
  if (steps.length === 0) return html`<h4>Smallest test case</h4>${columns({ request, outcome })}`
  const shows = step ?? steps.length
  const all = [...steps, { request, outcome }]
  return html`<h4>Smallest test case, ${all.length} requests</h4>
<ol class="chain">${all.map((each, index) => stepItem(each, index === shows))}</ol>`
}

type Step = Pick<RecordedStep, 'request' | 'outcome'> & Partial<Pick<RecordedStep, 'role' | 'operation'>>

const stepItem = (step: Step, showsFailure: boolean): Markup => {
  const { request, outcome, role = '', operation } = step
  const purpose = [operation, purposes[role]].filter(text => text !== undefined).join(' · ')
  const about = showsFailure ? 'shows the failure' : purpose
  return html`<li${showsFailure ? html` class="shows"` : nothing}><details${showsFailure ? html` open` : nothing}>
<summary><code>${request.method} ${cutText(request.target, 200)}</code> <b>${outcome.kind === 'response' ? String(outcome.status) : outcome.failure}</b> <span class="soft">${about}</span></summary>
${columns(step)}</details></li>`
}

const columns = ({ request, outcome }: Step): Markup => html`<div class="columns">
<div><h5>Request</h5>${requestBlock(request)}</div>
<div><h5>Response</h5>${outcomeBlock(outcome)}</div>
</div>`
