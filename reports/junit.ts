import exported, { type Builder, type TestCase } from 'junit-report-builder'
import type { Entry, Ledger } from '../spec/index.ts'
import { matrix } from './matrix.ts'
import { safeText } from './safe-text.ts'
import { circumstances, type Told, toldOf } from './told.ts'

// The package is CommonJS and exports the builder itself; its types say `default` within.
const builder = exported as unknown as Builder

/** JUnit XML for CI systems: a suite for each operation, a test case for each obligation. */
export const junit = (ledger: Ledger): string => {
  const report = builder
    .newBuilder()
    .name(safeText(`${ledger.start.contract.title} ${ledger.start.contract.version}`))
  const entries = Map.groupBy(ledger.entries, ({ obligation }) => obligation.operation)
  const told = toldOf(ledger)
  for (const { operation } of matrix(ledger)) {
    const suite = report.testSuite().name(safeText(operation.id)).timestamp(ledger.start.at.slice(0, 19))
    const members = entries.get(operation.id) ?? []
    suite.time(seconds(members.reduce((sum, entry) => sum + told(entry).ms, 0)))
    for (const [name, value] of circumstances(ledger)) suite.property(name, value)
    for (const entry of members) writeCase(suite.testCase(), entry, told(entry))
  }
  return `${report.build()}\n`
}

const writeCase = (test: TestCase, { obligation, verdict }: Entry, told: Told): void => {
  const { promise, detail } = told
  test
    .className(safeText(`${obligation.operation} · ${obligation.family}`))
    .name(safeText(obligation.id))
    .file(safeText(obligation.clause.place.file))
    .time(seconds(told.ms))
  switch (verdict.kind) {
    case 'kept':
      break
    case 'broken':
      if (told.standing === 'warning') test.standardOutput(cdata(`warning: ${detail}`))
      // The builder writes element content, the only part that some CI systems show, for a stack trace alone.
      else test.failure(promise, 'broken').stacktrace(cdata(detail))
      break
    case 'inconclusive':
      test.error(detail, 'inconclusive', cdata(`${promise}\n${detail}`))
      break
    case 'waived':
    case 'accepted':
    case 'untested':
      skip(test, detail)
      break
    case 'mended':
      test.failure(promise, 'mended').stacktrace(cdata(detail))
      break
    case 'observed':
      test.standardOutput(cdata(detail))
      break
    default:
      verdict satisfies never
  }
}

// Of several `]]>` in one text, the builder takes care of the first alone.
const cdata = (text: string): string => text.replaceAll(']]>', ']]\\u003e')

// The builder's own skipped() knows no reason; readers take it from the attribute or from the content.
const skip = (test: TestCase, because: string): void => {
  const build = test.build.bind(test)
  test.getSkippedCount = () => 1
  test.build = parent => {
    const element = build(parent)
    element.ele('skipped', { message: because }, because)
    return element
  }
}

const seconds = (ms: number): number => Math.round(ms) / 1000
