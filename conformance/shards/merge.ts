import {
  type Contract,
  foldLedger,
  type IdentityRange,
  type Ledger,
  type NoteEvent,
  type Repeat,
  type RunEvent,
  type StartEvent,
  type Stop,
  type UntestedReason,
} from '../../spec/index.ts'
import { type Confirmed, smallestFirst } from '../confirm/confirm-incident.ts'
import { ShardError } from '../errors.ts'
import type { Evidence, RunResults } from '../execute/evidence.ts'
import { stillBlocked } from '../judge/blocked.ts'
import { addStats, createRunStats, type Incident, inPlanOrder, type RunStats } from '../judge/run-stats.ts'
import type { Scope } from '../options/scope.ts'
import { type PlanSlice, sliceNameOf, slicesOf } from '../plan/plan-slice.ts'
import { withAdditions } from '../send/redaction.ts'
import { mostCertificates } from '../send/transport/connect.ts'
import { concludeRun } from '../verdict/conclude-run.ts'
import { checkSameRun, shardScope } from './check-same-run.ts'

export type MergedRun = {
  readonly ledger: Ledger
  /** The events of the ledger, as a run emits them. */
  readonly events: readonly RunEvent[]
  /** Slices of the plan that no shard sent. */
  readonly missing: readonly PlanSlice[]
}

/**
 * Merges the shards of a run, as if it had been sent in one piece: findings and verdicts come from all that the shards saw. Missing
 * slices make the run partial. Throws ShardError if the shards are not of one run, or two of them sent the same slice.
 */
export const mergeShards = (contract: Contract, shards: readonly Evidence[]): MergedRun => {
  const [first] = shards
  if (first === undefined) throw new ShardError('no shard results were given')
  for (const shard of shards) checkSameRun(first, shard)
  const start = startOf(shards)
  const scope = shardScope(contract, first.rules, start.at)
  const slices = slicesOf(scope.selected)
  const sent = sentBy(shards)
  const missing = slices.filter(({ name }) => !sent.has(name))
  const results = resultsOf(scope, shards, slices, missing)
  const conclusion = concludeRun(scope, results, {
    ...first.rules,
    target: new URL(start.target),
    secrets: [],
  })
  const exchanges = shards
    // How many had been sent by then counts for the shard alone.
    .flatMap(shard => shard.exchanges.map(({ sent: _, ...exchange }) => exchange))
    .sort((left, right) => Number.parseInt(left.id, 16) - Number.parseInt(right.id, 16))
  const events = [
    start,
    ...exchanges,
    ...notesOf(shards),
    ...conclusion.map(event => withAdditions(event, results.additions)),
  ]
  return { ledger: foldLedger(events), events, missing }
}

const sentBy = (shards: readonly Evidence[]): ReadonlySet<string> => {
  const sent = new Set<string>()
  for (const { slice } of shards.flatMap(({ results }) => results.slices)) {
    if (sent.has(slice)) throw new ShardError(`two shards sent the slice ${slice}: give each shard once`)
    sent.add(slice)
  }
  return sent
}

const startOf = (shards: readonly Evidence[]): StartEvent => {
  const starts = shards.map(({ start }) => start).sort((left, right) => left.at.localeCompare(right.at))
  const [first] = starts as [StartEvent, ...StartEvent[]]
  const identities = new Map<string, IdentityRange>()
  for (const range of starts.flatMap(start => start.identities))
    identities.set(`${range.operation} ${range.place} ${range.from}`, range)
  return { ...first, identities: [...identities.values()] }
}

const notesOf = (shards: readonly Evidence[]): readonly NoteEvent[] => {
  const targets = [...new Set(shards.map(({ start }) => start.target))]
  const notes = new Map(shards.flatMap(shard => shard.notes).map(note => [note.message, note]))
  const message = `the shards of this run were sent to several servers: ${targets.join(', ')}`
  return [
    ...notes.values(),
    ...(targets.length < 2 ? [] : [{ type: 'note', level: 'info', message } as const]),
  ]
}

/** The worst way to end comes first. */
const worstFirst: readonly Stop[] = [
  'fault',
  'interrupt',
  'unreachable',
  'access',
  'shard',
  'bail',
  'time',
  'done',
]

const resultsOf = (
  scope: Scope,
  shards: readonly Evidence[],
  slices: readonly PlanSlice[],
  missing: readonly PlanSlice[],
): RunResults => {
  const all = shards.map(({ results }) => results)
  const digests = new Map(all.flatMap(results => results.slices).map(digest => [digest.slice, digest]))
  const worst = worstFirst
    .map(stop => all.find(({ stopped }) => stopped === stop))
    .find(results => results !== undefined) as RunResults
  const stats = mergedStats(all)
  const began = shards.map(({ start }) => Date.parse(start.at))
  const ended = shards.map(({ start, results }) => Date.parse(start.at) + results.ms)
  const ending =
    missing.length === 0
      ? { stopped: worst.stopped, reason: worst.reason }
      : { stopped: 'shard' as const, reason: missingText(missing, slices) }
  return {
    ...ending,
    slices: slices.map(({ name }) => digests.get(name) ?? { slice: name, digest: '' }),
    untested: new Map([...all.flatMap(({ untested }) => [...untested]), ...untestedIn(scope, missing)]),
    cases: sumOf(all, 'cases'),
    isShort: all.some(({ isShort }) => isShort),
    requests: sumOf(all, 'requests'),
    ms: Math.max(...ended) - Math.min(...began),
    stats,
    blocked: stillBlocked(new Map(all.flatMap(({ blocked }) => [...blocked])), scope.obligationsOf, stats),
    unnamed: new Map(all.flatMap(({ unnamed }) => [...unnamed])),
    drifted: new Map(all.flatMap(({ drifted }) => [...drifted])),
    confirmations: mergedConfirmations(all, stats),
    additions: worst.additions,
    certificates: mergedCertificates(all),
  }
}

const mergedCertificates = (all: readonly RunResults[]): RunResults['certificates'] => {
  const shown = all.flatMap(({ certificates }) => certificates)
  return [...new Map(shown.map(certificate => [certificate.sha256, certificate])).values()].slice(
    0,
    mostCertificates,
  )
}

const sumOf = (all: readonly RunResults[], what: 'cases' | 'requests'): number =>
  all.reduce((sum, results) => sum + results[what], 0)

/** Slices that a message names. */
const mostNamed = 12

const missingText = (missing: readonly PlanSlice[], { length }: readonly PlanSlice[]): string => {
  const names = missing.slice(0, mostNamed).map(({ name }) => name)
  const rest = missing.length - names.length
  return `${missing.length} of ${length} slices of the plan are missing: ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

const missingShard: UntestedReason = {
  cause: 'shard',
  reason: 'its slice of the plan is in none of the shards',
}

const untestedIn = (
  scope: Scope,
  missing: readonly PlanSlice[],
): readonly (readonly [string, UntestedReason])[] => {
  const names = new Set(missing.map(({ name }) => name))
  return scope.selected.flatMap(obligation =>
    names.has(sliceNameOf(obligation)) ? [[obligation.id, missingShard] as const] : [],
  )
}

const mergedStats = (all: readonly RunResults[]): RunStats => {
  const merged = createRunStats()
  for (const { stats } of all) addStats(merged, stats)
  return inPlanOrder(merged)
}

const byEvidence: readonly Repeat[] = ['steady', 'flaky', 'unrepeated']

/** If several shards confirmed the same, the one that a run in one piece would: steady before flaky before not repeated, then what was smaller as it came. */
const mergedConfirmations = (all: readonly RunResults[], stats: RunStats): RunResults['confirmations'] => {
  const keyOf = ({ violation, testCase }: Incident): string => `${violation.id} ${testCase.number}`
  const originals = new Map<string, Incident>()
  for (const { incidents } of stats.obligations.values())
    for (const incident of incidents) originals.set(keyOf(incident), incident)
  const original = ({ incident }: Confirmed): Incident => originals.get(keyOf(incident)) ?? incident
  const isBetter = (one: Confirmed, other: Confirmed): boolean =>
    one.repeat === other.repeat
      ? smallestFirst(original(one), original(other)) < 0
      : byEvidence.indexOf(one.repeat) < byEvidence.indexOf(other.repeat)
  const merged = new Map<string, Confirmed>()
  for (const [key, confirmed] of all.flatMap(({ confirmations }) => [...confirmations])) {
    const known = merged.get(key)
    if (known === undefined || isBetter(confirmed, known)) merged.set(key, confirmed)
  }
  return merged
}
