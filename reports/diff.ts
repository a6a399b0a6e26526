import {
  causeOf,
  type Entry,
  type ExchangeEvent,
  type Ledger,
  type Level,
  observedAnswers,
  type Verdict,
} from '../spec/index.ts'
import { isStrict, type Standing, standingOf } from './count.ts'
import { becauseOf, type Summary, summarise } from './summary.ts'

/** One obligation that stands otherwise in the newer run. */
export type Change = {
  readonly id: string
  readonly level: Level
  readonly promise: string
  /** Null where the other contract does not have it. */
  readonly before: Standing | null
  readonly after: Standing | null
  /** What came, or why it was not judged; null where there is no more to say. */
  readonly because: string | null
}

export type Observation = { readonly id: string; readonly before: string; readonly after: string }

/** A run in short, for setting beside another one. */
export type Side = {
  readonly at: string
  readonly target: string
  readonly verdict: Summary['verdict']
  readonly cases: number
  readonly requests: number | null
  readonly ms: number | null
  /** Milliseconds of the answers that were written down: half of them, and 95 of 100, came within. */
  readonly median: number | null
  readonly p95: number | null
}

/** What changed from one run to another. */
export type Diff = {
  readonly old: Side
  readonly new: Side
  /** What makes the runs less comparable: `another seed: 1 → 2`. */
  readonly apart: readonly string[]
  /** Broken now, and not before. */
  readonly broke: readonly Change[]
  readonly mended: readonly Change[]
  /** Broken as before, with another answer. */
  readonly otherwise: readonly Change[]
  /** Judged before, and not now. */
  readonly lost: readonly Change[]
  /** Judged now, and not before. */
  readonly gained: readonly Change[]
  readonly appeared: readonly Change[]
  readonly disappeared: readonly Change[]
  readonly observations: readonly Observation[]
}

/** Sets two runs side by side, by their obligations. */
export const diffOf = (old: Ledger, next: Ledger): Diff => {
  const pairs = pairsOf(old, next)
  const changes = (matches: (pair: Pair) => boolean): readonly Change[] =>
    pairs.filter(matches).map(pair => pair.change)
  return {
    old: sideOf(old),
    new: sideOf(next),
    apart: apartOf(old, next),
    broke: changes(({ before, after }) => isBroken(after) && !isBroken(before)),
    mended: changes(({ before, after }) => isBroken(before) && isKept(after)),
    otherwise: changes(
      ({ before, after, causes }) => isBroken(before) && isBroken(after) && causes[0] !== causes[1],
    ),
    lost: changes(({ before, after }) => isJudged(before) && after !== null && !isJudged(after)),
    gained: changes(({ before, after }) => before !== null && !isJudged(before) && isKept(after)),
    appeared: changes(({ before }) => before === null),
    disappeared: changes(({ after }) => after === null),
    observations: pairs.flatMap(({ change, before, after }) =>
      before?.kind === 'observed' && after?.kind === 'observed' && answersText(before) !== answersText(after)
        ? [{ id: change.id, before: answersText(before), after: answersText(after) }]
        : [],
    ),
  }
}

/** Whether something broke that nobody has accepted. */
export const isWorse = ({ broke }: Diff): boolean =>
  broke.some(({ after }) => after === 'broken' || after === 'warning')

type Pair = {
  readonly change: Change
  readonly before: Verdict | null
  readonly after: Verdict | null
  readonly causes: readonly [string | null, string | null]
}

const isBroken = (verdict: Verdict | null): boolean =>
  verdict?.kind === 'broken' || verdict?.kind === 'waived' || verdict?.kind === 'accepted'
const isKept = (verdict: Verdict | null): boolean => verdict?.kind === 'kept' || verdict?.kind === 'mended'
const isJudged = (verdict: Verdict | null): boolean => isBroken(verdict) || isKept(verdict)

const answersText = (verdict: Extract<Verdict, { kind: 'observed' }>): string =>
  observedAnswers(verdict).join(' · ')

/** In the order of the newer contract, then what only the older one has. */
const pairsOf = (old: Ledger, next: Ledger): readonly Pair[] => {
  const before = new Map(old.entries.map(entry => [entry.obligation.id, entry]))
  const after = new Set(next.entries.map(({ obligation }) => obligation.id))
  const [oldCause, newCause] = [causesIn(old), causesIn(next)]
  const pair = (left: Entry | null, right: Entry | null): Pair => {
    const { id, level, promise } = (right ?? (left as Entry)).obligation
    const causes = [oldCause(left), newCause(right)] as const
    const because = right === null ? null : isBroken(right.verdict) ? causes[1] : becauseOf(right.verdict)
    return {
      change: {
        id,
        level,
        promise,
        before: left === null ? null : standingOf(left, isStrict(old)),
        after: right === null ? null : standingOf(right, isStrict(next)),
        because,
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
  const told = new Map(findings.map(finding => [finding.id, finding]))
  return entry => {
    const finding = entry !== null && 'finding' in entry.verdict ? told.get(entry.verdict.finding) : undefined
    return finding === undefined ? null : causeOf(finding)
  }
}

const sideOf = (ledger: Ledger): Side => {
  const { verdict, cases, requests, ms } = summarise(ledger)
  const times = ledger.exchanges.flatMap(answeredIn).sort((left, right) => left - right)
  const within = (share: number): number | null => times[Math.ceil(times.length * share) - 1] ?? null
  const { at, target } = ledger.start
  return { at, target, verdict, cases, requests, ms, median: within(0.5), p95: within(0.95) }
}

const answeredIn = ({ outcome }: ExchangeEvent): readonly number[] =>
  outcome.kind === 'answer' ? [outcome.ms] : []

const apartOf = ({ start: old }: Ledger, { start: next }: Ledger): readonly string[] => {
  const contract = ({ contract: { title, version, digest } }: typeof old): string =>
    `${title} ${version} (${digest.slice(0, 8)})`
  const budget = ({ budget: { cases, seconds } }: typeof old): string =>
    [cases === null ? '' : `${cases} cases`, seconds === null ? '' : `${seconds} s`]
      .filter(Boolean)
      .join(', ')
  const chosen = ({ selection: { only, skip } }: typeof old): string =>
    [...only, ...skip.map(pattern => `not ${pattern}`)].join(', ') || 'all'
  const policies = [...new Set([...Object.keys(old.policies), ...Object.keys(next.policies)])]
  const rows: readonly (readonly [what: string, before: string, after: string])[] = [
    // The text of a contract may change and its title stay.
    ['contract', contract(old), contract(next)],
    ['seed', String(old.seed), String(next.seed)],
    ['budget', budget(old), budget(next)],
    ['selection', chosen(old), chosen(next)],
    ['product version', old.product.version, next.product.version],
    ...policies.map(
      name => [`policy ${name}`, old.policies[name] ?? 'none', next.policies[name] ?? 'none'] as const,
    ),
  ]
  return rows
    .filter(([, before, after]) => before !== after)
    .map(([what, before, after]) => `another ${what}: ${before} → ${after}`)
}
