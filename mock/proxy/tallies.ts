/** What the traffic shows of each requirement, counted. */
import {
  type Conclusion,
  type Contract,
  type Finding,
  type Obligation,
  redact,
  type Verdict,
  withOwnIds,
} from '../../spec/index.ts'
import type { Shown } from './outcomes.ts'
import { curlOf, type RecordedEntry } from './recorded.ts'

export type Tally = { passed: number; failed: number; unclear: string | null; finding: Finding | null }

/** The findings of the tallies, which get ids of their own there. */
export const findingsIn = (tallies: ReadonlyMap<string, Tally>): readonly Finding[] => {
  const failed = [...tallies.values()].filter(({ finding }) => finding !== null)
  const findings = withOwnIds(
    failed.map(({ finding, failed: cases }) => ({ ...(finding as Finding), cases })),
  )
  for (const [index, tally] of failed.entries()) tally.finding = findings[index] as Finding
  return findings
}

export const findingOf = (
  contract: Contract,
  found: RecordedEntry & Pick<Finding, 'id' | 'expectation'> & { readonly target: URL },
  shown: Shown,
): Finding | null => {
  if (!('violation' in shown) || shown.violation === null) return null
  const { id, expectation, request, outcome, secrets, target } = found
  const { obligation, violation } = shown
  // A server may repeat what it was sent.
  const actual = redact(violation.actual, secrets)
  const title = redact(violation.title ?? violation.actual, secrets)
  const { kind } = violation
  return {
    type: 'finding',
    id,
    title: title.length > longestTitle ? `${title.slice(0, longestTitle)}…` : title,
    obligation: obligation.id,
    level: obligation.level,
    also: [],
    expected: violation.expected,
    actual,
    ...(kind === undefined ? {} : { kind }),
    repeat: 'unrepeated',
    cases: 1,
    expectation,
    request,
    outcome,
    curl: curlOf(request, target.href),
    hint: '',
    excerpt: contract.excerpt(obligation.clause.pointer),
  }
}

const longestTitle = 139

export const count = (tallies: Map<string, Tally>, shown: Shown, find: () => Finding | null): void => {
  const { id } = shown.obligation
  const tally = tallies.get(id) ?? { passed: 0, failed: 0, unclear: null, finding: null }
  tallies.set(id, tally)
  if ('unclear' in shown) tally.unclear = shown.unclear
  else if (shown.violation === null) tally.passed += 1
  else {
    tally.failed += 1
    tally.finding ??= find()
  }
}

export const verdictOf = ({ family }: Obligation, tally: Tally | undefined): Verdict => {
  if (tally !== undefined) {
    const { passed, failed, unclear, finding } = tally
    if (finding !== null) return { kind: 'failed', cases: passed + failed, finding: finding.id }
    if (passed > 0) return { kind: 'passed', cases: passed }
    if (unclear !== null) return { kind: 'inconclusive', cases: 0, reason: unclear }
  }
  switch (family) {
    case 'response':
      return { kind: 'untested', cause: 'unprovoked', reason: 'no response of the traffic shows it' }
    case 'callback':
      return { kind: 'untested', cause: 'unprovoked', reason: 'nothing that came to the listener shows it' }
    case 'accept':
    case 'reject':
    case 'auth':
      return { kind: 'untested', cause: 'budget', reason: 'no request of the traffic was of this kind' }
    default:
      return { kind: 'untested', cause: 'unsupported', reason: 'traffic alone does not show it' }
  }
}

export const conclusionOf = (
  verdicts: readonly { readonly obligation: Obligation; readonly verdict: Verdict }[],
  judged: number,
): Conclusion => {
  const counted = verdicts.filter(({ obligation }) => obligation.level === 'MUST')
  if (counted.some(({ verdict }) => verdict.kind === 'failed')) return 'nonconformant'
  if (judged === 0) return 'inconclusive'
  return counted.every(({ verdict }) => verdict.kind === 'passed') ? 'conformant' : 'partial'
}
