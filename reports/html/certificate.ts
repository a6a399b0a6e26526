import { createHash } from 'node:crypto'
import { type Finding, families, type Ledger } from '../../spec/index.ts'
import { answersOf } from '../answers.ts'
import { repeatCommand } from '../commands.ts'
import { count, duration, plural, standings, thousands } from '../count.ts'
import type { Reasoned, Summary } from '../summary.ts'
import { summarise } from '../summary.ts'
import { certificateStyle } from './certificate-style.ts'
import { html, type Markup, nothing, trusted } from './markup.ts'
import { bar, chip, words } from './standing.ts'
import { lede, when } from './verdict.ts'

/**
 * A run on a few pages to be printed, on A4 or Letter: what was judged, what came of it, and how to check that. `digest` is
 * the SHA-256 of the ledger's file. It needs neither network nor script.
 */
export const certificate = (ledger: Ledger, digest: string): string => {
  const summary = summarise(ledger)
  const { start } = ledger
  const headline = { conformant: 'Conformant', broken: 'Not conformant', inconclusive: 'Inconclusive' }[
    summary.conclusion
  ]
  return `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Test record · ${summary.verdict} · ${start.contract.title} ${start.contract.version}</title>
<link rel="icon" href="data:,">
<style>${trusted(certificateStyle)}</style>
</head>
<body>
<main>
<header class="${summary.conclusion}"><p class="eyebrow">Test record of one run</p>
<h1>${start.contract.title} ${start.contract.version}: <strong>${headline}</strong></h1>
<p class="eyebrow"><code>${start.target}</code> · <time datetime="${start.at}">${when(start.at)}</time></p>
<p class="lede">${lede(summary, ledger.entries.length)}</p>
${summary.stopped === null ? nothing : html`<p class="callout"><b>The run is not whole:</b> ${summary.stopped}.</p>`}
${bar(summary.counts)}</header>
<p class="plain"><b>This is a test record, and no certification.</b> It says what ${start.product.name} saw when it sent the requests of one run to one server. Nobody has approved anything by it. Cases can show that a promise is broken, never that it is always kept.</p>
${judged(ledger, summary, digest)}
${byFamily(ledger, summary)}
${findings(ledger, summary)}
${waivers(ledger, summary)}
${gaps(summary)}
${questions(ledger, summary)}
${check(ledger, digest)}
</main>
</body>
</html>`.markup
  }\n`
}

const judged = ({ start, end }: Ledger, summary: Summary, digest: string): Markup => {
  const { contract, budget } = start
  const budgets = [
    ...(budget.cases === null ? [] : [plural(budget.cases, 'case')]),
    ...(budget.seconds === null ? [] : [`${budget.seconds} s`]),
  ].join(' or ')
  return section(
    'What was judged',
    html`<dl class="pairs">
${pair('Contract', `${contract.title} ${contract.version}, OpenAPI ${contract.openapi}, ${contract.source}`)}
${pair('Digest of the contract', contract.digest)}
${pair('Server', start.target)}
${pair('Began', start.at)}
${pair('Took', summary.ms === null ? 'cut off' : duration(summary.ms))}
${pair('Seed and budget', `${start.seed}; ${budgets}`)}
${pair('Sent', `${plural(summary.cases, 'case')}${summary.requests === null ? '' : `, ${plural(summary.requests, 'request')}`}`)}
${start.selection.only.length === 0 ? nothing : pair('Only', start.selection.only.join(', '))}
${start.selection.skip.length === 0 ? nothing : pair('Left out', start.selection.skip.join(', '))}
${pair('Digest of the requests', end?.digest ?? 'none: the run was cut off')}
${pair('Digest of the ledger', digest)}
${pair('Made with', `${start.product.name} ${start.product.version}`)}
</dl>`,
  )
}

const byFamily = ({ entries }: Ledger, { counts, strict }: Summary): Markup => {
  const shown = standings.filter(standing => counts[standing] > 0)
  const rows = families
    .map(family => ({ family, own: entries.filter(({ obligation }) => obligation.family === family) }))
    .filter(({ own }) => own.length > 0)
  return html`<section id="obligations"><h2>Promises by family</h2>
<table><thead><tr><th scope="col">Family</th>${shown.map(standing => html`<th scope="col" class="number">${words[standing]}</th>`)}<th scope="col" class="number">all</th></tr></thead>
<tbody>${rows.map(({ family, own }) => {
    const tallied = count(own, strict)
    return html`<tr><th scope="row">${family}</th>${shown.map(standing => html`<td class="number">${tallied[standing] === 0 ? '·' : thousands(tallied[standing])}</td>`)}<td class="number">${thousands(own.length)}</td></tr>`
  })}</tbody></table></section>`
}

const findings = (ledger: Ledger, { failing, warning, excused }: Summary): Markup => {
  const answers = answersOf(ledger, 'ledger.ndjson')
  const inBaseline = new Set(
    ledger.entries.flatMap(({ obligation, verdict }) => (verdict.kind === 'accepted' ? [obligation.id] : [])),
  )
  const told = (standing: 'broken' | 'warning' | 'waived' | 'accepted') => (finding: Finding) => {
    const { promise, clause, wanted, got, case: shown } = answers(finding)
    return html`<article class="${standing}"><h3>${chip(standing)} ${promise}</h3>
<p class="small"><code>${finding.obligation}</code> · ${finding.level} · ${clause}</p>
<dl class="pairs">${pair('Wanted', wanted)}${pair('Got', got)}${pair('For', shown)}${finding.also.length === 0 ? nothing : pair('Also broken by it', plural(finding.also.length, 'promise'))}</dl></article>`
  }
  const all = [
    ...failing.map(told('broken')),
    ...warning.map(told('warning')),
    ...excused.map(finding => told(inBaseline.has(finding.obligation) ? 'accepted' : 'waived')(finding)),
  ]
  return section('Findings', all.length === 0 ? html`<p>None.</p>` : html`${all}`)
}

const waivers = ({ start }: Ledger, summary: Summary): Markup =>
  section(
    'Waivers and baseline',
    start.waivers.length + summary.mended.length + summary.accepted.length === 0
      ? html`<p>None: no broken promise was accepted.</p>`
      : html`${reasons(summary, ['mended', 'waived', 'accepted'], true)}${
          start.waivers.length === 0
            ? nothing
            : html`<table class="waivers"><thead><tr><th scope="col">Promise</th><th scope="col">Reason</th><th scope="col">Owner</th><th scope="col">Until</th></tr></thead>
<tbody>${start.waivers.map(waiver => html`<tr><td><code>${waiver.obligation}</code></td><td>${waiver.reason}</td><td>${waiver.owner}</td><td>${waiver.expires}</td></tr>`)}</tbody></table>`
        }`,
  )

const gaps = (summary: Summary): Markup =>
  section(
    'Not judged, and why',
    summary.inconclusive.length + summary.untested.length === 0
      ? html`<p>Nothing: every promise was tested.</p>`
      : reasons(summary, ['inconclusive', 'untested'], false),
  )

const idsShown = 20

const reasons = (summary: Summary, kinds: readonly Reasoned[], named: boolean): Markup =>
  html`<ul class="reasons">${kinds.flatMap(kind =>
    summary[kind].map(({ because, entries }) => {
      const ids = entries.slice(0, named ? idsShown : 0).map(({ obligation }) => obligation.id)
      return html`<li>${chip(kind)} <b>${thousands(entries.length)}</b> ${because}${ids.map(id => html`<br><code>${id}</code>`)}</li>`
    }),
  )}</ul>`

const questions = ({ start }: Ledger, { observed }: Summary): Markup =>
  section(
    'Where the contract does not say',
    html`<dl class="pairs">${observed.map(({ obligation, verdict }) => pair(obligation.promise, verdict.kind === 'observed' ? verdict.what : ''))}
${Object.entries(start.policies).map(([name, value]) => pair(`Judged with ${name}`, value))}</dl>`,
  )

const check = (ledger: Ledger, digest: string): Markup =>
  section(
    'How to check this record',
    html`<p>The ledger that it was written from has the SHA-256 <code>${digest}</code>. Whoever has that file reads every request and answer in it, and gets these pages again:</p>
<pre>sha256sum ledger.ndjson
plantstore certificate ledger.ndjson</pre>
<p>The same requests are sent again by</p>
<pre>${repeatCommand(ledger.start)}</pre>`,
  )

const section = (title: string, content: Markup): Markup =>
  html`<section><h2>${title}</h2>${content}</section>`

const pair = (name: string, value: string): Markup =>
  html`<div><dt>${name}</dt><dd><code>${value}</code></dd></div>`

const policy = trusted(
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(certificateStyle).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'`,
)
