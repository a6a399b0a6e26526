import { createRequire } from 'node:module'
import type { Entry, Ledger } from '../spec/index.ts'
import type { Standing } from './count.ts'
import { uuidFrom } from './name-from.ts'
import { safeText } from './safe-text.ts'
import { circumstances, resultOf, type Told, toldOf } from './told.ts'

// Loaded when it is first asked for: most runs write no CTRF.
const load = createRequire(import.meta.url)

type Ctrf = typeof import('ctrf')
type Status = 'passed' | 'failed' | 'skipped' | 'other'

const statusOf = (standing: Standing): Status => {
  const result = resultOf[standing]
  return result === 'unclear' ? 'other' : result
}

/**
 * The Common Test Report Format: a test for each obligation, its standing in `rawStatus`.
 *
 * @see https://ctrf.io
 */
export const ctrf = (ledger: Ledger): string => {
  const { ReportBuilder, TestBuilder, stringify } = load('ctrf') as Ctrf
  const { start, end } = ledger
  const told = toldOf(ledger)
  const began = Date.parse(start.at) || 0
  const ms = end?.ms ?? 0
  const report = new ReportBuilder()
    .reportId(uuidFrom('report', start.at, start.target, end?.digest ?? ''))
    // The shards of one run share what they were started with.
    .runId(
      uuidFrom('run', start.contract.digest, start.target, String(start.seed), JSON.stringify(start.budget)),
    )
    .timestamp(new Date(began).toISOString())
    .generatedBy(safeText(start.product.name))
    .tool({ name: safeText(start.product.name) || 'unknown', version: safeText(start.product.version) })
    .environment({ appName: safeText(start.contract.title), appVersion: safeText(start.contract.version) })
    .summaryOverrides({ start: began, stop: began + ms, duration: ms })
    .extra(Object.fromEntries(circumstances(ledger)))
  for (const entry of ledger.entries) report.addTest(testOf(new TestBuilder(), entry, told(entry)))
  return `${stringify(report.build())}\n`
}

const testOf = (
  test: InstanceType<Ctrf['TestBuilder']>,
  { obligation, verdict }: Entry,
  { standing, promise, detail, ms, finding }: Told,
) => {
  const { id, operation, family, level, clause } = obligation
  test
    .name(safeText(id) || 'an obligation without an id')
    .testId(uuidFrom('obligation', id))
    .status(statusOf(standing))
    .rawStatus(standing)
    .duration(Math.round(ms))
    .suite([safeText(operation), family])
    .type('contract')
    .tags([level, family])
    .filePath(safeText(clause.place.file))
    .line(Math.floor(clause.place.line))
    .message(standing === 'observed' ? detail : promise)
    .extra({
      level,
      pointer: safeText(clause.pointer),
      rule: clause.rule === null ? null : safeText(clause.rule),
      cases: 'cases' in verdict ? verdict.cases : 0,
      ...(finding === null ? {} : { finding: safeText(finding.id) }),
    })
  if (detail !== '' && standing !== 'observed') test.trace(detail)
  if (finding !== null) test.flaky(finding.repeat === 'flaky')
  return test.build()
}
