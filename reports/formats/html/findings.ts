import {
  type Excerpt,
  type Finding,
  type Ledger,
  type Place,
  plural,
  type RecordedStep,
  thousands,
} from '../../../spec/index.ts'
import { cutText } from '../../text/cut-text.ts'
import { type Cause, otherGroups, recordedObligations } from '../../view/causes.ts'
import { causeTexts, type FindingText, inexact, labelText, placeText } from '../../view/finding-text.ts'
import { type CauseStatus, orderedCauses } from '../../view/ordered-causes.ts'
import type { Summary } from '../../view/summary.ts'
import { idLink, mostCauses, mostListed, outcomeBlock, requestBlock, shownOf } from './exchange.ts'
import { chip, html, lines, type Markup, nothing, prose } from './markup.ts'
import { moreLine } from './open-questions.ts'

// So many causes are open from the start, and so many are shown with their requests.
const openFindings = 20
const withEvidence = 60

/** Every cause by its first finding: what went wrong, the requirement, expected and actual, the smallest case, how to reproduce it. */
export const findingsSection = (ledger: Ledger, summary: Summary): Markup => {
  const causes = orderedCauses(summary)
  if (causes.length === 0) return nothing
  const texts = causeTexts(ledger, 'ledger.ndjson')
  const obligations = recordedObligations(ledger.start)
  const shown = shownOf(ledger)
  return html`<section id="findings" aria-labelledby="findings-title">
<h2 id="findings-title">Findings <span class="count">${thousands(causes.length)}</span></h2>
${causes.slice(0, mostCauses).map(({ cause, status }, index) => {
  const [finding] = cause.findings
  const others = othersMarkup(ledger, cause, shown)
  return article(
    finding,
    texts(cause),
    index,
    status,
    obligations.get(finding.obligation)?.clause.place,
    others,
    shown,
  )
})}${moreLine(causes.length - mostCauses, 'cause')}
</section>`
}

const article = (
  finding: Finding,
  text: FindingText,
  index: number,
  status: CauseStatus,
  place: Place | undefined,
  others: Markup,
  shown: ReadonlySet<string>,
): Markup => html`<article class="finding ${status}" id="finding/${index + 1}">
<details${index < openFindings ? html` open` : nothing}>
<summary><span class="number" aria-hidden="true">${index + 1}</span>
<h3>${prose(text.title)}</h3>
<span class="tags">${chip(status)}<span class="level">${text.level}</span>${text.isFlaky ? html`<span class="chip inconclusive">flaky</span>` : nothing}</span></summary>
<p class="requirement"><b>Requirement:</b> ${prose(text.requirement)}</p>
<p class="where">${idLink(text.obligation, shown)} <span class="dot">·</span> <code>${text.clause}</code> <span class="dot">·</span> <span>${text.occurrences}</span></p>
<div class="columns compare">
<div class="expected"><h4>Expected</h4><p>${text.expected}</p></div>
<div class="actual"><h4>Actual</h4><p>${text.actual}</p></div>
</div>
${text.hint === '' ? nothing : html`<p class="hint"><b>Hint</b> ${text.hint}</p>`}
${finding.excerpt === undefined || place === undefined ? nothing : excerptBlock(finding.excerpt, place)}
${index < withEvidence ? testCase(finding) : nothing}
<h4>Reproduce</h4>
${command('replay command', html`${text.replay}`)}
${index < withEvidence ? curlMarkup(finding, text) : nothing}
${text.also.length === 0 ? nothing : html`<h4>Also failed for this cause</h4><ul class="also">${text.also.slice(0, mostListed).map(id => html`<li>${idLink(id, shown)}</li>`)}</ul>${moreLine(text.also.length - mostListed, 'requirement')}`}
${others}${text.exceptions === '' ? nothing : html`<p class="soft">But ${prose(text.exceptions)}.</p>`}</details>
</article>`

/** Longer commands are of no use to a reader; replay sends the request of any length. */
const longestCurl = 4000

const curlMarkup = ({ curl }: Finding, { isCurlExact }: FindingText): Markup =>
  curl.length > longestCurl
    ? nothing
    : html`${command('curl command', lines(curl))}
${isCurlExact ? nothing : html`<p class="soft">${inexact}</p>`}`

// So many lines fit on the page of the finding that is shown.
const linesOnPaper = 10

/** Where else the same cause shows. */
const othersMarkup = (ledger: Ledger, cause: Cause, shown: ReadonlySet<string>): Markup => {
  const groups = otherGroups(cause, ledger)
  if (groups.length === 0) return nothing
  const rows = groups.slice(0, mostListed).map(({ label, findings }, index) => {
    const items = findings.slice(0, mostListed).map(({ finding: { id, obligation }, place }) => {
      const link = idLink(obligation, shown, id)
      return label === ''
        ? html`${link} ${prose(labelText(place))}`
        : html` ${prose(placeText(place))} ${link}`
    })
    return html`<li${index < linesOnPaper ? nothing : html` class="screen"`}>${label === '' ? nothing : html`<b>${prose(labelText(label))}</b>`}${items}</li>`
  })
  const left = groups.length - linesOnPaper
  return html`<h4>Same cause</h4><ul class="others">${rows}${left > 0 ? html`<li class="paper">and ${plural(left, 'more line')}: <code>causes</code> in <code>report.json</code> has all</li>` : nothing}</ul>${moreLine(groups.length - mostListed, 'line')}`
}

/** Lines of the contract with their numbers, the one that counts marked. */
const excerptBlock = ({ from, line, lines: texts }: Excerpt, { file }: Place): Markup =>
  html`<h4>Contract <span class="soft">${file}, line ${line}</span></h4>
<pre class="excerpt">${texts.map((text, index) =>
    from + index === line
      ? html`<mark><span class="at">${from + index}</span> ${text}\n</mark>`
      : html`<span class="at">${from + index}</span> ${text}\n`,
  )}</pre>`

/** A command with a button that copies it. */
export const command = (name: string, text: Markup): Markup =>
  html`<div class="command"><pre><code>${text}</code></pre><button type="button" class="copy js-only" aria-label="Copy the ${name}">Copy</button></div>`

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
const testCase = ({ steps = [], step, request, outcome }: Finding): Markup => {
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
