import {
  type Entry,
  type Finding,
  findingsByObligation,
  type Ledger,
  plural,
  safeText,
  type Verdict,
} from '../../spec/index.ts'
import type { Cause } from './causes.ts'
import { repeatCommand } from './commands.ts'
import { conclusions, partialText } from './conclusion.ts'
import {
  causeHeading,
  clauseText,
  evidenceLines,
  type FindingText,
  findingTexts,
  inColumns,
} from './finding-text.ts'
import { orderedCauses } from './ordered-causes.ts'
import { certificatePairs, givenPairs, seedText } from './run-record.ts'
import { isStrict, type Status, statusOf } from './status.ts'
import { reasonOf, summarise } from './summary.ts'

/** What a test runner would call it; `unclear`: neither passed nor failed, and not skipped either. */
export type TestResult = 'passed' | 'failed' | 'skipped' | 'unclear'

export const testResults: Readonly<Record<Status, TestResult>> = {
  passed: 'passed',
  observed: 'passed',
  warning: 'passed',
  failed: 'failed',
  fixed: 'failed',
  waived: 'skipped',
  baselined: 'skipped',
  untested: 'skipped',
  inconclusive: 'unclear',
}

/** An obligation as a test case of a test runner; all text is safe to print. */
export type TestCase = {
  readonly status: Status
  /** What went wrong; the requirement if nothing did. */
  readonly title: string
  /** `MUST · a body without id is rejected` */
  readonly requirement: string
  /** What a test runner shows beside the result, in one line. */
  readonly message: string
  /** What stands behind the verdict, in lines: the message, the requirement, the evidence. Empty if it passed. */
  readonly detail: string
  /** How long its recorded exchanges took. */
  readonly ms: number
  readonly finding: Finding | null
}

/** Returns the test case of any entry of this ledger. */
export const testCases = (ledger: Ledger): ((entry: Entry) => TestCase) => {
  const strict = isStrict(ledger)
  const times = exchangeTimes(ledger)
  const findings = findingsByObligation(ledger.findings)
  const texts = findingTexts(ledger, 'ledger.ndjson')
  const causes = new Map(
    orderedCauses(summarise(ledger)).flatMap(({ cause }) =>
      cause.findings.map(each => [each, cause] as const),
    ),
  )
  return entry => {
    const { obligation, verdict } = entry
    const [finding = null, ...others] =
      'finding' in verdict ? ownFirst(obligation.id, findings.get(obligation.id) ?? []) : []
    const requirement = `${obligation.level} · ${safeText(obligation.requirement)}`
    const text = finding === null ? null : texts(finding)
    const title = titleOf(entry, text)
    const message = messageOf(verdict, title ?? requirement)
    return {
      status: statusOf(entry, strict),
      title: title ?? safeText(obligation.requirement),
      requirement,
      message,
      detail: detailOf(
        entry,
        message,
        text,
        others.map(texts),
        finding === null ? undefined : causes.get(finding),
      ),
      ms: times.get(obligation.id) ?? 0,
      finding,
    }
  }
}

/** How long the recorded exchanges of each obligation took. */
export const exchangeTimes = ({ exchanges }: Ledger): ReadonlyMap<string, number> => {
  const times = new Map<string, number>()
  for (const { obligation, outcome } of exchanges)
    times.set(obligation, (times.get(obligation) ?? 0) + outcome.ms)
  return times
}

/** Findings of the obligation itself come before those of others that fail for the same cause. */
const ownFirst = (id: string, findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted((left, right) => Number(right.obligation === id) - Number(left.obligation === id))

const titleOf = ({ obligation, verdict }: Entry, text: FindingText | null): string | null => {
  if (verdict.kind === 'fixed') return safeText(reasonOf(verdict) ?? '')
  if (!('finding' in verdict)) return null
  if (text === null) return `failed ${safeText(obligation.id)}`
  return text.obligation === safeText(obligation.id)
    ? text.title
    : `failed for the same cause as ${text.obligation}: ${text.title}`
}

const messageOf = (verdict: Verdict, title: string): string => {
  switch (verdict.kind) {
    case 'passed':
    case 'failed':
    case 'fixed':
      return title
    case 'waived':
    case 'baselined':
      return `${title} (${safeText(reasonOf(verdict) ?? '')})`
    case 'inconclusive':
    case 'untested':
      return safeText(verdict.reason)
    case 'observed':
      return `observed in ${plural(verdict.cases, 'case')}: ${safeText(verdict.observation)}`
    default:
      return verdict satisfies never
  }
}

const detailOf = (
  { obligation, verdict }: Entry,
  message: string,
  text: FindingText | null,
  others: readonly FindingText[],
  cause: Cause | undefined,
): string => {
  if (verdict.kind === 'passed') return ''
  if (verdict.kind === 'observed') return message
  const source = `${obligation.level} · ${safeText(obligation.id)} · ${clauseText(obligation.clause)}`
  const lines = inColumns([
    ['requirement', safeText(obligation.requirement)],
    ['', source],
    ...(text === null ? [] : evidenceLines(text)),
    ...others.map(other => ['also', other.title] as const),
    ...(cause === undefined || cause.findings.length === 1 ? [] : [['cause', causeHeading(cause)] as const]),
  ])
  return [message, ...lines].join('\n')
}

/** What a run was made with, and what it says as a whole, as names and values that are safe to print. */
export const runProperties = (ledger: Ledger): readonly (readonly [name: string, value: string])[] => {
  const { start, end } = ledger
  const summary = summarise(ledger)
  return [
    ['conclusion', conclusions[summary.conclusion].label],
    ...(summary.conclusion === 'partial' ? [['partial', partialText(summary)] as const] : []),
    ['target', start.target],
    ['seed', seedText(start)],
    ...givenPairs(start).map(([name, value]) => [name.toLowerCase(), value] as const),
    ...certificatePairs(ledger).map(([name, value]) => [name.toLowerCase(), value] as const),
    ['contract', `${start.contract.title} ${start.contract.version}`],
    ['contract digest', start.contract.digest],
    ['openapi', start.contract.openapi],
    ['version', `${start.product.name} ${start.product.version}`],
    ['request digest', end?.digest ?? 'none: the run was cut off'],
    ['command', repeatCommand(start)],
    ...Object.entries(start.policies).map(([name, value]) => [`policy ${name}`, value] as const),
  ].map(([name = '', value = '']) => [safeText(name), safeText(value)] as const)
}
