import { createHash } from 'node:crypto'
import { duration, type Entry, families, type Ledger, plural, thousands } from '../../spec/index.ts'
import { bar, chip, html, type Markup, nothing, prose, trusted } from '../formats/html/markup.ts'
import { notTestedTitle } from '../formats/html/open-questions.ts'
import { budgetText, moment, pair } from '../formats/html/verdict.ts'
import type { Cause } from '../view/causes.ts'
import { repeatCommand } from '../view/commands.ts'
import { conclusionText, conclusionTitle, headline, passedText } from '../view/conclusion.ts'
import { causeTexts } from '../view/finding-text.ts'
import { type CauseStatus, orderedCauses } from '../view/ordered-causes.ts'
import {
  certificatePairs,
  givenPairs,
  isOfMock,
  mockText,
  productName,
  seedText,
  testedName,
} from '../view/run-record.ts'
import { countStatuses, statuses } from '../view/status.ts'
import { type ReasonedStatus, type ReasonGroup, type Summary, summarise } from '../view/summary.ts'
import { recordStyle } from './record-style.ts'

/**
 * The test record: a run on a few pages to be printed, on A4 or Letter. It says what was tested, what came of it, and
 * how to check that. `digest` is the SHA-256 of the ledger's file. It needs neither network nor script.
 */
export const record = (ledger: Ledger, digest?: string): string => {
  const summary = summarise(ledger)
  return `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${recordName(summary)} · ${headline(summary)} · ${testedName(ledger.start)}</title>
<link rel="icon" href="data:,">
<style>${trusted(recordStyle)}</style>
</head>
<body>
<main>
${head(ledger, summary)}
${product(ledger)}
${subject(ledger, summary, digest)}
${byFamily(ledger, summary)}
${findings(ledger, summary)}
${waivers(ledger, summary)}
${questions(summary)}
${policies(ledger)}
${howToCheck(ledger, digest)}
</main>
</body>
</html>`.markup
  }\n`
}

const recordName = ({ conclusion }: Summary): string =>
  conclusion === 'partial' ? 'Partial test record' : 'Test record'

const head = ({ start }: Ledger, summary: Summary): Markup => html`<header class="${summary.conclusion}">
<p class="eyebrow">${recordName(summary)} of one run</p>
<h1>${productName(start) ?? contractName(start)}: <strong>${conclusionTitle(summary)}</strong></h1>
<p class="eyebrow">${productName(start) === null ? nothing : html`tested against ${contractName(start)} · `}<code>${start.target}</code> · <time datetime="${start.at}">${moment(start.at)}</time></p>
<p class="lede">${conclusionText(summary)}</p>
${isOfMock(start) ? html`<p class="callout"><b>No product was tested:</b> ${mockText}</p>` : nothing}
${summary.stopped === null ? nothing : html`<p class="callout"><b>Incomplete run:</b> ${summary.stopped}.</p>`}
${bar(summary.counts)}</header>
${notTested(start, summary)}
<p class="plain"><b>This is a test record, not a certification.</b> It records what ${start.product.name} observed when it sent the requests of one run to one server; nobody has approved anything by it. Test cases can show that a requirement fails, never that it always holds.</p>`

const contractName = ({ contract }: Ledger['start']): string => `${contract.title} ${contract.version}`

/** What the reader has to take on trust, apart from what the run itself shows. */
const product = ({ start }: Ledger): Markup => {
  const given = givenPairs(start)
  return section(
    'Product under test',
    given.length === 0
      ? html`<p>Not named: this record knows the server by its URL only.</p>`
      : html`<dl class="pairs">${given.map(([name, value]) => pair(name, value))}</dl>
<p class="small">As stated by those who ran the tests. The run cannot check it.</p>`,
  )
}

const subject = (ledger: Ledger, summary: Summary, digest: string | undefined): Markup => {
  const { start, end } = ledger
  const { contract, selection } = start
  const planned = start.planned === null ? '' : ` of ${thousands(start.planned)} planned`
  const requests = summary.requests === null ? '' : `, ${plural(summary.requests, 'request')}`
  return section(
    'What was tested',
    html`<dl class="pairs">
${pair('Contract', `${contract.title} ${contract.version}, OpenAPI ${contract.openapi}, ${contract.source}`)}
${pair('Contract digest', contract.digest)}
${pair('Server', start.target)}
${certificatePairs(ledger).map(([name, value]) => pair(name, value))}
${pair('Started', start.at)}
${pair('Result', passedText(summary))}
${pair('Duration', summary.ms === null ? 'the run was cut off' : duration(summary.ms))}
${pair('Seed and budget', `${seedText(start)}; ${budgetText(start.budget)}`)}
${pair('Sent', `${plural(summary.cases, 'case')}${planned}${requests}`)}
${selection.only.length === 0 ? nothing : pair('Only', selection.only.join(', '))}
${selection.skip.length === 0 ? nothing : pair('Skipped', selection.skip.join(', '))}
${pair('Request digest', end?.digest ?? 'none: the run was cut off')}
${digest === undefined ? nothing : pair('Ledger digest', digest)}
${pair('Written by', `${start.product.name} ${start.product.version}`)}
</dl>`,
  )
}

const byFamily = ({ entries }: Ledger, { counts, strict }: Summary): Markup => {
  const shown = statuses.filter(status => counts[status] > 0)
  const rows = families
    .map(family => entries.filter(({ obligation }) => obligation.family === family))
    .filter(({ length }) => length > 0)
  return section(
    'Requirements by family',
    html`<table><thead><tr><th scope="col">Family</th>${shown.map(status => html`<th scope="col" class="number">${status}</th>`)}<th scope="col" class="number">all</th></tr></thead>
<tbody>${rows.map(members => {
      const tally = countStatuses(members, strict)
      return html`<tr><th scope="row">${members[0]?.obligation.family ?? ''}</th>${shown.map(status => html`<td class="number">${tally[status] === 0 ? '·' : thousands(tally[status])}</td>`)}<td class="number">${thousands(members.length)}</td></tr>`
    })}</tbody></table>`,
  )
}

const findings = (ledger: Ledger, summary: Summary): Markup => {
  const texts = causeTexts(ledger, 'ledger.ndjson')
  const article = ({ cause, status }: { readonly cause: Cause; readonly status: CauseStatus }): Markup => {
    const { title, requirement, source, expected, actual, request, also } = texts(cause)
    return html`<article class="${status}"><h3>${chip(status)} ${prose(title)}</h3>
<p>Requirement: ${prose(requirement)}</p>
<p class="small">${source}</p>
<dl class="pairs">${pair('Expected', expected)}${pair('Actual', actual)}${pair('Request', request)}${also.length === 0 ? nothing : pair('Also failed for this cause', plural(also.length, 'requirement'))}</dl></article>`
  }
  const all = orderedCauses(summary)
  return section('Findings', all.length === 0 ? html`<p>None.</p>` : html`${all.map(article)}`)
}

const waivers = ({ start }: Ledger, summary: Summary): Markup => {
  const { fixed, waived, baselined } = summary
  if (start.waivers.length + fixed.length + waived.length + baselined.length === 0)
    return section('Waivers and baseline', html`<p>None: no failure was accepted.</p>`)
  const table = html`<table class="waivers"><thead><tr><th scope="col">Obligation</th><th scope="col">Reason</th><th scope="col">Owner</th><th scope="col">Expires</th></tr></thead>
<tbody>${start.waivers.map(waiver => html`<tr><td><code>${waiver.obligation}</code></td><td>${waiver.reason}</td><td>${waiver.owner}</td><td>${waiver.expires}</td></tr>`)}</tbody></table>`
  return section(
    'Waivers and baseline',
    html`${reasonList(summary, ['fixed', 'waived', 'baselined'], idsShown)}${start.waivers.length === 0 ? nothing : table}`,
  )
}

// On the first page, so that nobody takes the record of a part for that of the whole.
const notTested = ({ contract: { notTested: parts = [] } }: Ledger['start'], summary: Summary): Markup => {
  const ofDocument = parts.map(text => html`<p>${text}.</p>`)
  if (summary.inconclusive.length + summary.untested.length > 0)
    return section(
      notTestedTitle(summary),
      html`${reasonList(summary, ['untested', 'inconclusive'], null)}${ofDocument}`,
    )
  return section(
    'Not tested',
    parts.length > 0 ? html`${ofDocument}` : html`<p>Nothing: every requirement was tested.</p>`,
  )
}

const idsShown = 20

/** `ids`: how many of them are shown; null: the number of each family instead. */
const reasonList = (summary: Summary, kinds: readonly ReasonedStatus[], ids: number | null): Markup =>
  html`<ul class="reasons">${kinds.flatMap(kind => summary[kind].map(group => reasonItem(kind, group, ids)))}</ul>`

const reasonItem = (kind: ReasonedStatus, { reason, entries }: ReasonGroup, ids: number | null): Markup => {
  if (ids === null)
    return html`<li>${chip(kind)} <b>${plural(entries.length, 'requirement')}</b> (${familiesText(entries)}): ${reason}</li>`
  const shown = entries.slice(0, ids).map(({ obligation }) => html`<br><code>${obligation.id}</code>`)
  const more =
    ids > 0 && entries.length > ids ? html`<br>and ${thousands(entries.length - ids)} more` : nothing
  return html`<li>${chip(kind)} <b>${thousands(entries.length)}</b> ${reason}${shown}${more}</li>`
}

/** `auth 41, reject 61` */
const familiesText = (entries: readonly Entry[]): string =>
  families
    .map(family => [family, entries.filter(({ obligation }) => obligation.family === family).length] as const)
    .filter(([, count]) => count > 0)
    .map(([family, count]) => `${family} ${thousands(count)}`)
    .join(', ')

const questions = ({ observed }: Summary): Markup =>
  observed.length === 0
    ? nothing
    : section(
        'Open questions',
        html`<p>The contract does not say what a server has to do here. This is what it did.</p>
<dl class="pairs">${observed.map(({ obligation, verdict }) => html`<div><dt>${prose(obligation.requirement)}</dt><dd>${verdict.kind === 'observed' ? verdict.observation : ''}</dd></div>`)}</dl>`,
      )

const policies = ({ start }: Ledger): Markup =>
  section(
    'Policies',
    html`<dl class="pairs">${Object.entries(start.policies).map(([name, value]) => pair(name, value))}</dl>`,
  )

const howToCheck = ({ start }: Ledger, digest: string | undefined): Markup =>
  section(
    'How to check this record',
    html`<p>This record was written from a ledger, the file <code>ledger.ndjson</code>${digest === undefined ? nothing : html` with the SHA-256 <code>${digest}</code>`}. The ledger holds the recorded requests and responses, and the same record can be written from it again:</p>
<pre>sha256sum ledger.ndjson
plantstore report ledger.ndjson --format record</pre>
<p>This command sends the same requests again:</p>
<pre>${repeatCommand(start)}</pre>`,
  )

const section = (title: string, content: Markup): Markup =>
  html`<section><h2>${title}</h2>${content}</section>`

const contentPolicy = trusted(
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(recordStyle).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'`,
)
