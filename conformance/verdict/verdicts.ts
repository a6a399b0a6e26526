import {
  type Baseline,
  type Family,
  type Finding,
  findingsByObligation,
  isAccepted,
  isLeftOut,
  type Obligation,
  type ObligationId,
  type Stop,
  stopText,
  type UntestedReason,
  type Verdict,
} from '../../spec/index.ts'
import type { RunResults } from '../execute/evidence.ts'
import { distinct, needsName } from '../judge/blocked.ts'
import { isConnection } from '../judge/record-outcome.ts'
import { tooFewFor } from '../judge/response-times.ts'
import { incidentsOf, observedVerdict } from '../judge/run-stats.ts'
import { saidIn } from '../judge/server-words.ts'
import type { Scope } from '../options/scope.ts'
import { isServerGone, underWaiver, type Verdicts } from './conclusion.ts'

export type Diagnosed = {
  readonly findings: readonly Finding[]
  /** Obligations whose incidents show nothing, and why. */
  readonly excused: ReadonlyMap<string, string>
  /** By the `caseKey` of a failed case, the finding that reports it. */
  readonly findingOfCase: ReadonlyMap<string, Finding>
  /** Obligations whose requests failed for something else, and were accepted without that. */
  readonly met: ReadonlySet<ObligationId>
}

export const caseKey = (operation: string, number: number): string => `${operation} ${number}`

/** One verdict for each obligation. */
export const verdictsOf = (scope: Scope, results: RunResults, diagnosed: Diagnosed): Verdicts => {
  const { findings, excused, findingOfCase, met } = diagnosed
  const { waivers, baseline } = scope
  const byObligation = findingsByObligation(findings)
  /** The finding that reports the failed cases of an obligation that has none itself. */
  const causeOf = (id: string): Finding | undefined =>
    incidentsOf(results.stats, id)
      .map(({ testCase }) => findingOfCase.get(caseKey(testCase.obligation.operation, testCase.number)))
      .find(finding => finding !== undefined)
  const gaps = gapsOf(scope, results)
  const isDistinct = new Map(
    [...results.blocked.keys()].map(id => [id, distinct(scope.obligationsOf(id), results.stats)] as const),
  )
  const closed: UntestedReason = { cause: 'access', reason: results.reason ?? stopText.access }
  const judged = scope.obligations.map(obligation => {
    const { id } = obligation
    const [finding] = byObligation.get(id) ?? []
    return finding === undefined && !scope.isSelected(id)
      ? untestedFor(scope.withheld.get(obligation.operation)?.untested ?? notSelected)
      : finding === undefined && met.has(id)
        ? metVerdict(id, causeOf(id), results)
        : verdictOf(obligation, finding, excused.get(id), causeOf(id), results, gaps, isDistinct, closed)
  })
  // A waiver that covers several obligations is needed as long as one of them fails.
  const needed = new Set(
    scope.obligations.flatMap(({ id }, index) => (judged[index]?.kind === 'failed' ? [waivers.of(id)] : [])),
  )
  return scope.obligations.map((obligation, index) => {
    const { id } = obligation
    const verdict = judged[index] as Verdict
    const waiver = waivers.of(id)
    const ofObligation = byObligation.get(id) ?? [causeOf(id)].filter(cause => cause !== undefined)
    if (waiver === null)
      return { obligation, verdict: underBaseline(verdict, id, ofObligation, baseline), note: null }
    const isNeeded = needed.has(waiver)
    const share = failedShare(id, ofObligation, results)
    return { obligation, ...underWaiver(verdict, waiver, { id, findings: ofObligation, share, isNeeded }) }
  })
}

/** Of the cases of an obligation, how many failed; of one without cases of its own, of all. */
const failedShare = (id: string, findings: readonly Finding[], { stats, cases: all }: RunResults): number => {
  const { cases, failed } = stats.obligations.get(id) ?? { cases: 0, failed: 0 }
  if (failed > 0) return failed / cases
  return findings.reduce((sum, finding) => sum + finding.cases, 0) / Math.max(1, all)
}

const underBaseline = (
  verdict: Verdict,
  id: string,
  findings: readonly Finding[],
  { of, shrinks }: Baseline,
): Verdict => {
  const accepted = of(id)
  if (accepted === null) return verdict
  const counted = findings.find(finding => !isAccepted(accepted, finding))
  if (verdict.kind === 'failed' && counted !== undefined) return { ...verdict, finding: counted.id }
  if (verdict.kind === 'failed') return { ...verdict, kind: 'baselined', since: accepted.since }
  return verdict.kind === 'passed' && accepted.flaky !== true && !shrinks
    ? { ...verdict, kind: 'fixed', waiver: null }
    : verdict
}

const verdictOf = (
  obligation: Obligation,
  finding: Finding | undefined,
  excuse: string | undefined,
  cause: Finding | undefined,
  { stats, stopped, cases: sent, blocked, unnamed, untested }: RunResults,
  gaps: ReadonlyMap<string, UntestedReason>,
  isDistinct: ReadonlyMap<string, (obligation: Obligation) => boolean>,
  closed: UntestedReason,
): Verdict => {
  const { id, operation, level, family } = obligation
  if (stopped === 'access' && sent === 0) return untestedFor(closed)
  const { cases, failed } = stats.obligations.get(id) ?? { cases: 0, failed: 0 }
  const reason = untested.get(id) ?? (isProvoked(obligation) ? gaps.get(operation) : undefined)
  const missing = untestedFor(reason ?? (stopped === 'access' ? closed : stopReason(stopped, family)))
  if (level === 'OBSERVE') return observedVerdict(stats, id) ?? missing
  if (finding !== undefined) return { kind: 'failed', cases: Math.max(cases, 1), finding: finding.id }
  if (excuse !== undefined) return { kind: 'inconclusive', cases, reason: excuse }
  // A step of a workflow shows what it shows, whatever the operation accepts elsewhere.
  const isOfFlow = family === 'flow'
  const rejected = isOfFlow ? undefined : blocked.get(operation)
  if (isDistinct.get(operation)?.(obligation) === true) return { kind: 'passed', cases }
  // If the server accepts nothing, its rejections show nothing else.
  if (rejected !== undefined && (family !== 'response' || cases === 0))
    return { kind: 'inconclusive', cases, reason: rejectedReason(rejected) }
  // Of what nobody has, any rejection may say that it is not there.
  const unknown = isOfFlow ? undefined : unnamed.get(operation)
  if (unknown !== undefined && (family === 'response' ? cases === 0 : needsName(obligation)))
    return { kind: 'untested', cause: 'fixture', reason: unknown }
  if (isServerGone(stopped) && failed > 0)
    return { kind: 'inconclusive', cases, reason: 'it failed, but the server could not be asked again' }
  // Whether the other user is kept out, nobody knows if the server accepts it nowhere.
  if (cases === 0 && family === 'ownership' && missing.kind === 'untested' && missing.cause === 'access')
    return { kind: 'inconclusive', cases, reason: missing.reason }
  if (cases === 0) return missing
  const tooFew = tooFewFor(obligation, cases)
  if (tooFew !== null) return { kind: 'untested', cause: 'budget', reason: tooFew }
  // A few lost connections are put down to the network, and noted.
  if (failed === 0 || isConnection(obligation)) return { kind: 'passed', cases: cases - failed }
  if (cause === undefined)
    return {
      kind: 'inconclusive',
      cases,
      reason: `${failed} of its cases failed, and nothing shows that they would fail again`,
    }
  // A request belongs to many kinds. If one of them fails, its finding says so, and the others are not to blame.
  if ((family === 'accept' || family === 'response') && cases > failed)
    return { kind: 'passed', cases: cases - failed, except: { cases: failed, finding: cause.id } }
  return cause.level === level
    ? { kind: 'failed', cases, finding: cause.id }
    : { kind: 'inconclusive', cases, reason: `the same cases show ${cause.obligation} failed` }
}

/** That of a requirement whose requests failed for something else, and were accepted without that. */
const metVerdict = (id: string, cause: Finding | undefined, { stats }: RunResults): Verdict => {
  const { cases, failed } = stats.obligations.get(id) ?? { cases: 0, failed: 0 }
  const passed = { kind: 'passed', cases: Math.max(1, cases - failed) } as const
  return cause === undefined ? passed : { ...passed, except: { cases: failed, finding: cause.id } }
}

const rejectedReason = ({ cases, outcome }: Finding): string => {
  const answer = outcome.kind === 'response' ? outcome.status : outcome.failure
  const said =
    outcome.kind === 'response' && outcome.body.encoding === 'utf8' ? saidIn(outcome.body.data) : null
  const accepted =
    cases === 1
      ? 'did not accept the only valid request that it got'
      : `accepted none of ${cases} valid requests`
  return `the server ${accepted} (${answer}${said === null ? '' : `: «${said}»`}), so its rejections show nothing`
}

const notSelected: UntestedReason = { cause: 'selection', reason: 'it was left out by --only or --skip' }

/** Of a large contract a hundred thousand obligations are untested for one reason, and share the verdict. */
const untestedFor = (reason: UntestedReason): Verdict => {
  const verdict = untestedVerdicts.get(reason) ?? { kind: 'untested', ...reason }
  untestedVerdicts.set(reason, verdict)
  return verdict
}

const untestedVerdicts = new WeakMap<UntestedReason, Verdict>()

const stopReasons: Readonly<Record<Exclude<Stop, 'done'>, UntestedReason>> = {
  time: { cause: 'time', reason: stopText.time },
  bail: { cause: 'bail', reason: stopText.bail },
  interrupt: { cause: 'interrupt', reason: stopText.interrupt },
  shard: { cause: 'shard', reason: stopText.shard },
  unreachable: { cause: 'interrupt', reason: stopText.unreachable },
  access: { cause: 'access', reason: stopText.access },
  fault: { cause: 'interrupt', reason: stopText.fault },
}

/** Of a response that never came, the end of the run is not the reason: the cases that could provoke it were sent (see `gapsOf`). */
const stopReason = (stopped: Stop, family: Family): UntestedReason =>
  stopped === 'done' || family === 'response' ? unprovokedReason : stopReasons[stopped]

const unprovokedReason: UntestedReason = {
  cause: 'unprovoked',
  reason: 'the server sent no response that shows it',
}

/** Responses that the state of the server brings about, and no request: throttled, locked, out of order. */
const unprovoked = /^(?:5..|402|408|42[3-9]|451)$/

/** Whether further cases might bring about the response that an obligation is about. */
const isProvoked = ({ family, subject }: Obligation): boolean =>
  family === 'response' &&
  !(subject.kind === 'response' && 'status' in subject && unprovoked.test(subject.status))

/** By operation, why some of its cases were not sent: responses that these might have provoked are missing for the same reason. */
const gapsOf = (
  { obligations, isSelected }: Scope,
  { stats, stopped, untested }: RunResults,
): ReadonlyMap<string, UntestedReason> => {
  const gaps = new Map<string, UntestedReason>()
  for (const { id, operation, family } of obligations) {
    if (family === 'response' || gaps.has(operation) || stats.obligations.has(id) || !isSelected(id)) continue
    const reason = untested.get(id) ?? stopReason(stopped, family)
    if (isLeftOut({ kind: 'untested', ...reason })) gaps.set(operation, reason)
  }
  return gaps
}
