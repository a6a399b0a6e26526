import {
  type Contract,
  contractPart,
  type Finding,
  type Obligation,
  type ObligationId,
  parseJson,
  type RecordedOutcome,
  type RecordedRequest,
  recordOutcome,
  recordRequest,
  redact,
  type Secret,
  type StartEvent,
  type UntestedReason,
  violationOf,
} from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import type { Confirmed } from '../confirm/confirm-incident.ts'
import { ShardError } from '../errors.ts'
import type { Evidence, RunResults } from '../execute/evidence.ts'
import type { Incident, ObligationStats, TimedCase } from '../judge/run-stats.ts'
import { sliceNameOf } from '../plan/plan-slice.ts'
import { shardScope } from './check-same-run.ts'
import { readChain, readOutcome, readRequest, type WrittenChain, writeChain } from './read-exchange.ts'

const version = 1

type Entries<V> = readonly (readonly [string, V])[]

type WrittenCase = Omit<TestCase, 'obligation' | 'request' | 'chain'> & {
  readonly obligation: string
  readonly request: RecordedRequest
  readonly chain?: WrittenChain
}
type WrittenTimed = { readonly testCase: WrittenCase; readonly outcome: RecordedOutcome }
type WrittenIncident = WrittenTimed & {
  /** What it is about follows from the obligation. */
  readonly violation: Omit<Incident['violation'], 'operation' | 'subject'>
}

/** A shard result as JSON. It leaves out what follows from the contract, as each of very many shards would repeat it. */
type Written = Omit<Evidence, 'start' | 'results'> & {
  readonly plantstoreShard: number
  readonly start: Omit<StartEvent, keyof ReturnType<typeof contractPart>>
  readonly results: Omit<
    RunResults,
    'untested' | 'stats' | 'blocked' | 'unnamed' | 'drifted' | 'confirmations'
  > & {
    readonly untested: Entries<UntestedReason>
    readonly blocked: Entries<Finding>
    readonly unnamed: Entries<string>
    readonly drifted: Entries<WrittenIncident>
    readonly confirmations: Entries<Omit<Confirmed, 'incident'> & { readonly incident: WrittenIncident }>
    readonly obligations: Entries<
      Omit<ObligationStats, 'incidents'> & { readonly incidents: readonly WrittenIncident[] }
    >
    readonly observations: Entries<Entries<number>>
    readonly pairs: Entries<readonly number[]>
    readonly times: Entries<readonly (readonly [tenths: number, count: number])[]>
    readonly slowest: Entries<WrittenTimed>
  }
}

/** Writes a shard result as JSON, without secrets: those that the server sent back are taken out. */
export const writeEvidence = (
  { start, rules, notes, exchanges, results }: Evidence,
  secrets: readonly Secret[],
): string => {
  const { operations: _, obligations, clauses: __, ...shortStart } = start
  const { untested, stats, blocked, unnamed, drifted, confirmations, ...plain } = results
  const sent = new Set(results.slices.map(({ slice }) => slice))
  const operations = new Set(
    obligations.flatMap(obligation => (sent.has(sliceNameOf(obligation)) ? [obligation.operation] : [])),
  )
  const write = (incident: Incident): WrittenIncident => writeIncident(incident, secrets)
  const written: Written = {
    plantstoreShard: version,
    start: {
      ...shortStart,
      identities: start.identities.filter(({ operation }) => operations.has(operation)),
    },
    rules,
    notes,
    exchanges,
    results: {
      ...plain,
      reason: plain.reason === null ? null : redact(plain.reason, secrets),
      untested: [...untested],
      blocked: mapped(blocked, finding => redacted(finding, secrets)),
      unnamed: mapped(unnamed, reason => redact(reason, secrets)),
      drifted: mapped(drifted, write),
      confirmations: mapped(confirmations, confirmed => ({
        ...confirmed,
        incident: write(confirmed.incident),
      })),
      obligations: mapped(stats.obligations, ({ incidents, ...counts }) => ({
        ...counts,
        incidents: incidents.map(write),
      })),
      observations: mapped(stats.observations, counts =>
        [...counts].map(([observation, count]) => [redact(observation, secrets), count]),
      ),
      pairs: mapped(stats.pairs, numbers => [...numbers]),
      times: mapped(stats.times, counts => [...counts]),
      slowest: mapped(stats.slowest, timed => writeTimed(timed, secrets)),
    },
  }
  return JSON.stringify(written)
}

const mapped = <V, W>(map: ReadonlyMap<string, V>, write: (value: V) => W): Entries<W> =>
  [...map].map(([key, value]) => [key, write(value)])

const redacted = <T extends { readonly title?: string; readonly expected: string; readonly actual: string }>(
  record: T,
  secrets: readonly Secret[],
): T => ({
  ...record,
  expected: redact(record.expected, secrets),
  actual: redact(record.actual, secrets),
  ...(record.title === undefined ? {} : { title: redact(record.title, secrets) }),
})

const writeIncident = (
  { violation: { operation: _, subject: __, ...violation }, ...timed }: Incident,
  secrets: readonly Secret[],
): WrittenIncident => ({
  ...writeTimed(timed, secrets),
  violation: redacted(violation, secrets),
})

const writeTimed = (
  { testCase: { chain, ...testCase }, outcome }: TimedCase,
  secrets: readonly Secret[],
): WrittenTimed => ({
  testCase: {
    ...testCase,
    obligation: testCase.obligation.id,
    request: recordRequest(testCase.request, Number.POSITIVE_INFINITY),
    ...(chain === undefined ? {} : { chain: writeChain(chain, secrets) }),
  },
  outcome: recordOutcome(outcome, secrets, Number.POSITIVE_INFINITY),
})

/** Reads a shard result. Throws ShardError if the text is not one, or is one of another contract. */
export const readEvidence = (text: string, contract: Contract): Evidence => {
  const { start, rules, notes, exchanges, results } = parsed(text)
  const { digest, title } = start.contract
  if (digest !== contract.digest)
    throw new ShardError(
      `this shard result is of another contract (${title}, digest ${digest.slice(0, 12)}…): give the same document with --spec`,
    )
  const { obligations } = shardScope(contract, rules, start.at)
  const byId = new Map(obligations.map(obligation => [obligation.id, obligation]))
  const known = (id: ObligationId): Obligation => {
    const obligation = byId.get(id)
    if (obligation === undefined) throw new ShardError(`the contract has no obligation ${id}`)
    return obligation
  }
  const read = ({ violation: { id, ...shown }, ...timed }: WrittenIncident): Incident => ({
    ...readTimed(timed),
    violation: violationOf(known(id), shown),
  })
  const readTimed = ({ testCase, outcome }: WrittenTimed): TimedCase => {
    const { chain, ...rest } = testCase
    const read = { ...rest, obligation: known(testCase.obligation), request: readRequest(testCase.request) }
    return {
      testCase: chain === undefined ? read : { ...read, chain: readChain(chain) },
      outcome: readOutcome(outcome),
    }
  }
  const {
    untested,
    blocked,
    unnamed,
    drifted,
    confirmations,
    obligations: counts,
    observations,
    pairs,
    times,
    slowest,
    ...plain
  } = results
  return {
    start: { ...start, ...contractPart(contract, obligations) },
    rules,
    notes,
    exchanges,
    results: {
      ...plain,
      untested: new Map(untested),
      blocked: new Map(blocked),
      unnamed: new Map(unnamed),
      drifted: new Map(drifted.map(([operation, incident]) => [operation, read(incident)])),
      confirmations: new Map(
        confirmations.map(([key, { incident, ...rest }]) => [key, { ...rest, incident: read(incident) }]),
      ),
      stats: {
        obligations: new Map(
          counts.map(([id, { incidents, ...rest }]) => [id, { ...rest, incidents: incidents.map(read) }]),
        ),
        observations: new Map(observations.map(([id, entries]) => [id, new Map(entries)])),
        pairs: new Map(pairs.map(([operation, numbers]) => [operation, new Set(numbers)])),
        times: new Map(times.map(([operation, counts]) => [operation, new Map(counts)])),
        slowest: new Map(slowest.map(([operation, timed]) => [operation, readTimed(timed)])),
      },
    },
  }
}

const parsed = (text: string): Written => {
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    throw new ShardError('this shard result is not JSON: was it cut off?')
  }
  const found = (value as Partial<Written> | null)?.plantstoreShard
  if (found === undefined) throw new ShardError('this is not a shard result')
  if (found !== version)
    throw new ShardError(
      `this shard result has version ${found}, and this release reads version ${version}: use one release for all shards`,
    )
  return value as Written
}
