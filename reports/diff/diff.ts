import {
  causeOf,
  type Entry,
  type Ledger,
  type Level,
  observedAnswers,
  type StartEvent,
  type Verdict,
} from '../../spec/index.ts'
import { headline } from '../view/conclusion.ts'
import { quantile, timesOf } from '../view/response-times.ts'
import { isStrict, type Status, statusOf } from '../view/status.ts'
import { reasonOf, summarise } from '../view/summary.ts'
import { testCases } from '../view/test-case.ts'

/** One obligation whose status or cause is another one in the newer run. */
export type Change = {
  readonly id: string
  readonly level: Level
  readonly requirement: string
  /** What goes wrong now; null if it does not fail now. */
  readonly title: string | null
  /** Null if the older run does not have it. */
  readonly before: Status | null
  /** Null if the newer run does not have it. */
  readonly after: Status | null
  /** The cause of the failure, or why it was not judged; null if there is no more to say. */
  readonly reason: string | null
}

export type ChangedObservation = { readonly id: string; readonly before: string; readonly after: string }

/** A run in short, to be set beside another one. */
export type ComparedRun = {
  readonly at: string
  readonly target: string
  /** `CONFORMANT`, or `PARTIAL: 12 of 209 requirements tested, nothing failed` */
  readonly verdict: string
  readonly isPartial: boolean
  readonly isInconclusive: boolean
  readonly cases: number
  readonly requests: number | null
  readonly ms: number | null
  /** Response times in milliseconds. */
  readonly median: number | null
  readonly p95: number | null
}

/** What changed from one run to another. */
export type Diff = {
  readonly old: ComparedRun
  readonly new: ComparedRun
  /** What makes the runs less comparable: `seed: 1 → 2`. */
  readonly differences: readonly string[]
  readonly newFailures: readonly Change[]
  readonly fixed: readonly Change[]
  /** Failed before and fails now, for another cause. */
  readonly changedFailures: readonly Change[]
  /** Judged before and not now. */
  readonly noLongerJudged: readonly Change[]
  /** Judged now and not before. */
  readonly newlyJudged: readonly Change[]
  /** Requirements that only one of the two contracts has. */
  readonly added: readonly Change[]
  readonly removed: readonly Change[]
  readonly observations: readonly ChangedObservation[]
}

/** Compares two runs obligation by obligation. */
export const diffOf = (old: Ledger, next: Ledger): Diff => {
  const pairs = pairsOf(old, next)
  const changes = (matches: (pair: Pair) => boolean): readonly Change[] =>
    pairs.filter(matches).map(({ change }) => change)
  return {
    old: comparedRun(old),
    new: comparedRun(next),
    differences: differencesOf(old.start, next.start),
    newFailures: changes(({ before, after }) => hasFailed(after) && !hasFailed(before)),
    fixed: changes(({ before, after }) => hasFailed(before) && hasPassed(after)),
    changedFailures: changes(
      ({ before, after, causes }) => hasFailed(before) && hasFailed(after) && causes[0] !== causes[1],
    ),
    noLongerJudged: changes(({ before, after }) => isJudged(before) && after !== null && !isJudged(after)),
    newlyJudged: changes(({ before, after }) => before !== null && !isJudged(before) && hasPassed(after)),
    added: changes(({ before }) => before === null),
    removed: changes(({ after }) => after === null),
    observations: pairs.flatMap(({ change, before, after }) =>
      before?.kind === 'observed' &&
      after?.kind === 'observed' &&
      observationText(before) !== observationText(after)
        ? [{ id: change.id, before: observationText(before), after: observationText(after) }]
        : [],
    ),
  }
}

/** Whether something fails now that nobody has accepted. */
export const isWorse = ({ newFailures }: Diff): boolean =>
  newFailures.some(({ after }) => after === 'failed' || after === 'warning')

/** Whether the newer run shows less: a requirement that counts was judged before and is not now, or the run could not judge. */
export const showsLess = ({ noLongerJudged, new: next }: Diff): boolean =>
  next.isInconclusive || noLongerJudged.some(({ level }) => level === 'MUST')

type Pair = {
  readonly change: Change
  readonly before: Verdict | null
  readonly after: Verdict | null
  readonly causes: readonly [string | null, string | null]
}

const hasFailed = (verdict: Verdict | null): boolean =>
  verdict?.kind === 'failed' || verdict?.kind === 'waived' || verdict?.kind === 'baselined'
const hasPassed = (verdict: Verdict | null): boolean =>
  verdict?.kind === 'passed' || verdict?.kind === 'fixed'
const isJudged = (verdict: Verdict | null): boolean => hasFailed(verdict) || hasPassed(verdict)

const observationText = (verdict: Extract<Verdict, { kind: 'observed' }>): string =>
  observedAnswers(verdict).join(' · ')

/** In the order of the newer contract, then what only the older one has. */
const pairsOf = (old: Ledger, next: Ledger): readonly Pair[] => {
  const before = new Map(old.entries.map(entry => [entry.obligation.id, entry]))
  const after = new Set(next.entries.map(({ obligation }) => obligation.id))
  const [oldCause, newCause] = [causesIn(old), causesIn(next)]
  const caseOf = testCases(next)
  const pair = (left: Entry | null, right: Entry | null): Pair => {
    const { id, level, requirement } = (right ?? (left as Entry)).obligation
    const causes = [oldCause(left), newCause(right)] as const
    const fails = right !== null && hasFailed(right.verdict)
    return {
      change: {
        id,
        level,
        requirement,
        title: fails ? caseOf(right).title : null,
        before: left === null ? null : statusOf(left, isStrict(old)),
        after: right === null ? null : statusOf(right, isStrict(next)),
        reason: fails ? causes[1] : right === null ? null : reasonOf(right.verdict),
      },
      before: left?.verdict ?? null,
      after: right?.verdict ?? null,
      causes,
    }
  }
  return [
    ...next.entries.map(entry => pair(before.get(entry.obligation.id) ?? null, entry)),
    ...old.entries.filter(({ obligation }) => !after.has(obligation.id)).map(entry => pair(entry, null)),
  ]
}

const causesIn = ({ findings }: Ledger): ((entry: Entry | null) => string | null) => {
  const byId = new Map(findings.map(finding => [finding.id, finding]))
  return entry => {
    const finding = entry !== null && 'finding' in entry.verdict ? byId.get(entry.verdict.finding) : undefined
    return finding === undefined ? null : causeOf(finding)
  }
}

const comparedRun = (ledger: Ledger): ComparedRun => {
  const summary = summarise(ledger)
  const times = timesOf(ledger.exchanges.map(({ outcome }) => outcome))
  return {
    at: ledger.start.at,
    target: ledger.start.target,
    verdict: headline(summary),
    isPartial: summary.conclusion === 'partial',
    isInconclusive: summary.conclusion === 'inconclusive',
    cases: summary.cases,
    requests: summary.requests,
    ms: summary.ms,
    median: quantile(times, 0.5),
    p95: quantile(times, 0.95),
  }
}

/** What two runs were started with differently, one line each: `seed: 1 → 2`. */
const differencesOf = (old: StartEvent, next: StartEvent): readonly string[] => {
  const policies = [...new Set([...Object.keys(old.policies), ...Object.keys(next.policies)])]
  const rows: readonly (readonly [name: string, before: string, after: string])[] = [
    // A contract may change and keep its title.
    ['contract', contractText(old), contractText(next)],
    ['seed', String(old.seed), String(next.seed)],
    ['budget', budgetText(old), budgetText(next)],
    ['selection', selectionText(old), selectionText(next)],
    ['product version', old.product.version, next.product.version],
    ...policies.map(
      name => [`policy ${name}`, old.policies[name] ?? 'none', next.policies[name] ?? 'none'] as const,
    ),
  ]
  return rows
    .filter(([, before, after]) => before !== after)
    .map(([name, before, after]) => `${name}: ${before} → ${after}`)
}

const contractText = ({ contract: { title, version, digest } }: StartEvent): string =>
  `${title} ${version} (${digest.slice(0, 8)})`

const budgetText = ({ budget: { cases, seconds } }: StartEvent): string =>
  [...(cases === null ? [] : [`${cases} cases`]), ...(seconds === null ? [] : [`${seconds} s`])].join(', ')

const selectionText = ({ selection: { only, skip } }: StartEvent): string =>
  [...only, ...skip.map(pattern => `not ${pattern}`)].join(', ') || 'all'
