import { createHash } from 'node:crypto'
import type { Ledger } from '../../../spec/index.ts'
import { thousands } from '../../text/numbers.ts'
import { headline } from '../../view/conclusion.ts'
import { matrix } from '../../view/matrix.ts'
import { testedName } from '../../view/run-record.ts'
import { type Summary, summarise } from '../../view/summary.ts'
import { findingsSection } from './findings.ts'
import { heatMap } from './heat-map.ts'
import { html, type Markup, nothing, trusted } from './markup.ts'
import { obligationsSection } from './obligations.ts'
import { notTestedTitle, openSections } from './open-questions.ts'
import { responsesSection } from './responses.ts'
import { runSection } from './run-details.ts'
import { script } from './script.ts'
import { style } from './style.ts'
import { traceabilitySection } from './traceability.ts'
import { verdictSection } from './verdict.ts'

/** A run as one HTML file: opens from disk, asks the network for nothing, works without its script. */
export const page = (ledger: Ledger): string => {
  const summary = summarise(ledger)
  const rows = matrix(ledger)
  return `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${headline(summary)} · ${testedName(ledger.start)} · ${ledger.start.target}</title>
<link rel="icon" href="data:,">
<style>${trusted(style)}</style>
</head>
<body>
<a class="skip" href="#verdict">Skip to the verdict</a>
${header(ledger, summary)}
<main>
${verdictSection(ledger, summary)}
${findingsSection(ledger, summary)}
${heatMap(ledger, rows)}
${obligationsSection(ledger, summary, rows)}
${openSections(ledger, summary)}
${traceabilitySection(ledger)}
${responsesSection(ledger)}
${runSection(ledger, summary)}
</main>
<footer><p>A test record of one run, written by ${ledger.start.product.name} ${ledger.start.product.version} from <code>ledger.ndjson</code>. Reports never contain tokens; <code>{{token}}</code> stands in their place.</p></footer>
<script>${trusted(script)}</script>
</body>
</html>`.markup
  }\n`
}

const header = (ledger: Ledger, summary: Summary): Markup => {
  const { causes, fixed, waived, baselined, untested, inconclusive } = summary
  const findings = causes.failing.length + causes.warning.length + causes.excused.length
  return html`<header class="top"><span class="brand">${leaf}plantstore</span>
<nav aria-label="Sections">
<a href="#verdict">Verdict</a>
${findings === 0 ? nothing : html`<a href="#findings">Findings <span class="count">${thousands(findings)}</span></a>`}
<a href="#map">Families</a>
<a href="#requirements">Requirements <span class="count">${thousands(ledger.entries.length)}</span></a>
${fixed.length + waived.length + baselined.length === 0 ? nothing : html`<a href="#waivers">Waivers</a>`}
${untested.length + inconclusive.length === 0 ? nothing : html`<a href="#not-tested">${notTestedTitle(summary)}</a>`}
<a href="#questions">Open questions</a>
${(ledger.start.clauses ?? []).length === 0 ? nothing : html`<a href="#trace">Traceability</a>`}
${ledger.exchanges.length === 0 ? nothing : html`<a href="#responses">Responses</a>`}
<a href="#run">Run</a>
</nav>
<button type="button" id="theme" class="plain js-only">Theme: auto</button></header>`
}

const leaf = trusted(
  '<svg class="leaf" viewBox="0 0 16 16" aria-hidden="true"><path d="M14 2C7 2 2.5 5 2.5 10c0 1 .2 1.9.5 2.6C4.600 9 7 7 10.500 5.800 7.700 7.600 5.400 10 4.200 14l1.300.3c.2-.6.4-1.200.6-1.700C12 13.500 14.500 8.500 14 2z"/></svg>',
)

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const policy = trusted(
  `default-src 'none'; style-src ${digest(style)}; script-src ${digest(script)}; img-src data:; base-uri 'none'; form-action 'none'`,
)
