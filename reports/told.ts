import type { Entry, Finding, Ledger } from '../spec/index.ts'
import { type Answers, answerLines, answersOf } from './answers.ts'
import { repeatCommand } from './commands.ts'
import { isStrict, plural, type Standing, standingOf } from './count.ts'
import { safeText } from './safe-text.ts'
import { becauseOf } from './summary.ts'

/** How a test runner would have it. */
export type Result = 'passed' | 'failed' | 'skipped' | 'unclear'

export const resultOf: Readonly<Record<Standing, Result>> = {
  kept: 'passed',
  observed: 'passed',
  warning: 'passed',
  broken: 'failed',
  mended: 'failed',
  waived: 'skipped',
  accepted: 'skipped',
  untested: 'skipped',
  inconclusive: 'unclear',
}

/** An obligation as a test case is told: all text is safe to print. */
export type Told = {
  readonly standing: Standing
  /** `MUST · a body without id is refused`. */
  readonly promise: string
  /** What stands behind its verdict, in lines: the answers of its finding, or why it is not a plain one. Empty where it was kept. */
  readonly detail: string
  /** What its exchanges that were written down took. */
  readonly ms: number
  /** What showed it broken. */
  readonly finding: Finding | null
}

// Also where it is excused.
const isBroken: ReadonlySet<string> = new Set(['broken', 'waived', 'accepted'])

/** Looks up what the entries of a ledger rest on. */
export const toldOf = (ledger: Ledger): ((entry: Entry) => Told) => {
  const strict = isStrict(ledger)
  const took = new Map<string, number>()
  for (const { obligation, outcome } of ledger.exchanges)
    took.set(obligation, (took.get(obligation) ?? 0) + outcome.ms)
  const findings = new Map<string, Finding>()
  for (const finding of ledger.findings)
    for (const id of [finding.obligation, ...finding.also]) if (!findings.has(id)) findings.set(id, finding)
  for (const finding of ledger.findings) findings.set(finding.obligation, finding)
  const answers = answersOf(ledger, 'ledger.ndjson')
  return entry => {
    const { obligation, verdict } = entry
    const known = isBroken.has(verdict.kind) ? findings.get(obligation.id) : undefined
    return {
      standing: standingOf(entry, strict),
      promise: `${obligation.level} · ${safeText(obligation.promise)}`,
      detail: detailOf(entry, known === undefined ? null : answers(known)),
      ms: took.get(obligation.id) ?? 0,
      finding: known ?? null,
    }
  }
}

const detailOf = (entry: Entry, answers: Answers | null): string => {
  const { verdict } = entry
  if (verdict.kind === 'broken') return brokenText(entry, answers)
  if (verdict.kind === 'observed')
    return `observed in ${plural(verdict.cases, 'case')}: ${safeText(verdict.what)}`
  return safeText(becauseOf(verdict) ?? '')
}

const brokenText = ({ obligation }: Entry, answers: Answers | null): string => {
  const own = `${safeText(obligation.id)}  ${obligation.level} · ${safeText(obligation.promise)}`
  if (answers === null) return own
  const cause = answers.id === safeText(obligation.id) ? [] : [`cause     ${answers.id} · ${answers.promise}`]
  const place = answers.clause === '' ? [] : [`clause    ${answers.clause}`]
  const lines = answerLines(answers).map(([label, text]) => `${label.padEnd(9)} ${text}`)
  return [own, ...cause, ...place, ...lines].join('\n')
}

/** What a run was made with, as names and values that are safe to print. */
export const circumstances = ({ start, end }: Ledger): readonly (readonly [name: string, value: string])[] =>
  [
    ['target', start.target],
    ['seed', String(start.seed)],
    ['contract', `${start.contract.title} ${start.contract.version}`],
    ['contract digest', start.contract.digest],
    ['openapi', start.contract.openapi],
    ['version', `${start.product.name} ${start.product.version}`],
    ['request digest', end?.digest ?? 'the run was cut off'],
    ['command', repeatCommand(start)],
    ...Object.entries(start.policies).map(([name, value]) => [`policy ${name}`, value] as const),
  ].map(([name = '', value = '']) => [safeText(name), safeText(value)] as const)
