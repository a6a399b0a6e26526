import exported, { type Builder, type TestCase } from 'junit-report-builder'
import type { Entry, Finding, Ledger } from '../spec/index.ts'
import { type Answers, answerLines, answersOf } from './answers.ts'
import { repeatCommand } from './commands.ts'
import { isStrict, plural, standingOf } from './count.ts'
import { matrix } from './matrix.ts'
import { safeText } from './safe-text.ts'
import { becauseOf } from './summary.ts'

// The package is CommonJS and exports the builder itself; its types say `default` within.
const builder = exported as unknown as Builder

/** JUnit XML for CI systems: a suite for each operation, a test case for each obligation. */
export const junit = (ledger: Ledger): string => {
  const report = builder
    .newBuilder()
    .name(safeText(`${ledger.start.contract.title} ${ledger.start.contract.version}`))
  const entries = Map.groupBy(ledger.entries, ({ obligation }) => obligation.operation)
  const context = contextOf(ledger)
  for (const { operation } of matrix(ledger)) {
    const suite = report.testSuite().name(safeText(operation.id)).timestamp(ledger.start.at.slice(0, 19))
    const members = entries.get(operation.id) ?? []
    suite.time(seconds(members.reduce((sum, entry) => sum + context.ms(entry), 0)))
    for (const [name, value] of properties(ledger)) suite.property(name, safeText(value))
    for (const entry of members) writeCase(suite.testCase(), entry, context)
  }
  return `${report.build()}\n`
}

type Context = {
  readonly strict: boolean
  readonly ms: (entry: Entry) => number
  readonly finding: (entry: Entry) => Answers | null
}

const contextOf = (ledger: Ledger): Context => {
  const took = new Map<string, number>()
  for (const { obligation, outcome } of ledger.exchanges)
    took.set(obligation, (took.get(obligation) ?? 0) + outcome.ms)
  const findings = new Map<string, Finding>()
  for (const finding of ledger.findings)
    for (const id of [finding.obligation, ...finding.also]) if (!findings.has(id)) findings.set(id, finding)
  for (const finding of ledger.findings) findings.set(finding.obligation, finding)
  const answers = answersOf(ledger, 'ledger.ndjson')
  return {
    strict: isStrict(ledger),
    ms: ({ obligation }) => took.get(obligation.id) ?? 0,
    finding: ({ obligation }) => {
      const finding = findings.get(obligation.id)
      return finding === undefined ? null : answers(finding)
    },
  }
}

const writeCase = (test: TestCase, entry: Entry, context: Context): void => {
  const { obligation, verdict } = entry
  test
    .className(safeText(`${obligation.operation} · ${obligation.family}`))
    .name(safeText(obligation.id))
    .file(safeText(obligation.clause.place.file))
    .time(seconds(context.ms(entry)))
  const promise = `${obligation.level} · ${safeText(obligation.promise)}`
  switch (verdict.kind) {
    case 'kept':
      break
    case 'broken': {
      const text = brokenText(entry, context)
      if (standingOf(entry, context.strict) === 'warning') test.standardOutput(cdata(`warning: ${text}`))
      // The builder writes element content, the only part that some CI systems show, for a stack trace alone.
      else test.failure(promise, 'broken').stacktrace(cdata(text))
      break
    }
    case 'inconclusive':
      test.error(safeText(verdict.because), 'inconclusive', cdata(`${promise}\n${safeText(verdict.because)}`))
      break
    case 'waived':
    case 'accepted':
      skip(test, safeText(becauseOf(verdict) ?? ''))
      break
    case 'mended': {
      const text = safeText(becauseOf(verdict) ?? '')
      test.failure(promise, 'mended').stacktrace(cdata(text))
      break
    }
    case 'untested':
      skip(test, safeText(verdict.because))
      break
    case 'observed':
      test.standardOutput(cdata(`observed in ${plural(verdict.cases, 'case')}: ${safeText(verdict.what)}`))
      break
    default:
      verdict satisfies never
  }
}

// Of several `]]>` in one text, the builder takes care of the first alone.
const cdata = (text: string): string => text.replaceAll(']]>', ']]\\u003e')

const brokenText = (entry: Entry, context: Context): string => {
  const { obligation } = entry
  const answers = context.finding(entry)
  const own = `${safeText(obligation.id)}  ${obligation.level} · ${safeText(obligation.promise)}`
  if (answers === null) return own
  const cause = answers.id === safeText(obligation.id) ? [] : [`cause     ${answers.id} · ${answers.promise}`]
  const place = answers.clause === '' ? [] : [`clause    ${answers.clause}`]
  const lines = answerLines(answers).map(([label, text]) => `${label.padEnd(9)} ${text}`)
  return [own, ...cause, ...place, ...lines].join('\n')
}

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

const properties = (ledger: Ledger): readonly (readonly [name: string, value: string])[] => {
  const { start, end } = ledger
  return [
    ['target', start.target],
    ['seed', String(start.seed)],
    ['contract', `${start.contract.title} ${start.contract.version}`],
    ['contract digest', start.contract.digest],
    ['openapi', start.contract.openapi],
    ['version', `${start.product.name} ${start.product.version}`],
    ['request digest', end?.digest ?? 'the run was cut off'],
    ['command', repeatCommand(start)],
    ...Object.entries(start.policies).map(([name, value]) => [`policy ${name}`, value] as const),
  ].map(([name = '', value = '']) => [safeText(name), value] as const)
}

const seconds = (ms: number): number => Math.round(ms) / 1000
