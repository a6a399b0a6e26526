import { type Ledger, thousands } from '../../../spec/index.ts'
import { headline } from '../../view/conclusion.ts'
import { matrix } from '../../view/matrix.ts'
import { testedName } from '../../view/run-record.ts'
import { type Summary, summarise } from '../../view/summary.ts'
import { brand, htmlDocument, themeButton } from './document.ts'
import { findingsSection } from './findings.ts'
import { heatMap } from './heat-map.ts'
import { html, type Markup, nothing } from './markup.ts'
import { obligationsSection, traceabilitySection } from './obligations.ts'
import { notTestedTitle, openSections } from './open-questions.ts'
import { responsesSection } from './responses.ts'
import { runSection, verdictSection } from './verdict.ts'

/** A run as one HTML file: opens from disk, asks the network for nothing, works without its script. */
export const page = (ledger: Ledger): Iterable<string> => {
  const summary = summarise(ledger)
  const title = `${headline(summary)} · ${testedName(ledger.start)} · ${ledger.start.target}`
  return htmlDocument(title, body(ledger, summary))
}

function* body(ledger: Ledger, summary: Summary): Generator<Markup> {
  const rows = matrix(ledger)
  yield html`<a class="skip" href="#verdict">Skip to the verdict</a>
${header(ledger, summary)}
<main>
${verdictSection(ledger, summary)}
${findingsSection(ledger, summary)}
${heatMap(ledger, rows)}
`
  yield* obligationsSection(ledger, summary, rows)
  yield html`
${openSections(ledger, summary)}
${traceabilitySection(ledger)}
${responsesSection(ledger)}
${runSection(ledger, summary)}
</main>
<footer><p>A test record of one run, written by ${ledger.start.product.name} ${ledger.start.product.version} from <code>ledger.ndjson</code>. Reports never contain tokens; <code>{{token}}</code> stands in their place.</p></footer>`
}

const header = (ledger: Ledger, summary: Summary): Markup => {
  const { causes, fixed, waived, baselined, untested, inconclusive } = summary
  const findings = causes.failing.length + causes.warning.length + causes.excused.length
  return html`<header class="top">${brand}
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
${themeButton}</header>`
}
