import {
  type Conclusion,
  type Contract,
  contractPart,
  documentNotes,
  type Finding,
  type Obligation,
  obligationsOf,
  type RunEvent,
  redact,
  type SentExchange,
  type StartEvent,
  trafficPolicy,
  type Verdict,
  withOwnIds,
} from '../../spec/index.ts'
import type { MockState } from '../admin/mock-state.ts'
import { catalogOf } from '../console/served-operations.ts'
import { shownViolations } from '../middleware/shown-violations.ts'
import { faultsOf, type Shown, shownBy } from './outcomes.ts'
import { curlOf, type RecordedEntry, recordEntry, recordWhole } from './recorded.ts'

export type RunOptions = {
  readonly product: StartEvent['product']
  /** Base URL of the server, for the record. */
  readonly target: URL
  /** The file that the traffic is in. Default: it goes through the proxy. */
  readonly file?: string | undefined
  /** When the run began, in milliseconds since 1970. */
  readonly at: number
  /** Receives every event of the ledger, the last ones at the end. Default: there is no ledger. */
  readonly onEvent?: ((event: RunEvent) => void) | undefined
  /** Receives every exchange, without credentials. */
  readonly onExchange?: ((exchange: SentExchange) => void) | undefined
}

/** What went through, counted. */
export type RunCounts = {
  readonly exchanges: number
  /** Those with a declared operation. */
  readonly declared: number
  /** Those with an invalid request. */
  readonly requests: number
  /** Those in which the server was at fault. */
  readonly responses: number
}

/** The traffic as a run of the contract's tests. */
export type ProxyRun = {
  readonly counts: () => RunCounts
  /** Emits findings, verdicts and the end. */
  readonly end: (ms: number) => void
}

type Tally = { passed: number; failed: number; unclear: string | null; finding: Finding | null }

/** Failed exchanges that the ledger holds; a HAR file has all. */
const mostExchanges = 1000

/** Records the traffic from now on. */
export const recordRun = (state: MockState, options: RunOptions): ProxyRun => {
  const { journal, tokens, unauthenticated, documents } = state
  const { target, onEvent, onExchange } = options
  const catalog = catalogOf(documents(), unauthenticated)
  const contract = catalog.first
  const obligations = onEvent === undefined ? [] : obligationsOf(contract, unauthenticated)
  const tallies = new Map<string, Tally>()
  const counts = { exchanges: 0, declared: 0, requests: 0, responses: 0, judged: 0, recorded: 0 }
  onEvent?.(startEvent(contract, obligations, unauthenticated, options))
  const stop = journal.listen((entry, bodies) => {
    if (entry.forwarded === null) return
    const served = catalog.operations.get(entry.operation ?? '')
    const faults = faultsOf(entry, served)
    counts.exchanges += 1
    counts.declared += Number(served !== undefined)
    counts.requests += Number(faults.request)
    counts.responses += Number(faults.response)
    let known: RecordedEntry | null = null
    const recorded = (): RecordedEntry => {
      known ??= recordEntry(entry, catalog.mask)
      return known
    }
    if (onExchange !== undefined) {
      const { request, outcome } = recordWhole(entry, bodies, catalog.mask)
      const broken = shownViolations(entry).map(({ id }) => id)
      onExchange({ request, outcome, at: entry.at - entry.ms - options.at, broken })
    }
    if (onEvent === undefined || served === undefined) return
    const shown = shownBy(entry, served, { tokens, unauthenticated })
    counts.judged += Number(shown.length > 0)
    const id = entry.number.toString(16).padStart(8, '0')
    const expectation = faults.request ? 'reject' : 'accept'
    for (const one of shown)
      count(tallies, one, () => {
        const { request, outcome, secrets } = recorded()
        const found = { id, expectation, request, outcome, secrets, target } as const
        return findingOf(contract, found, one)
      })
    const failed = shown.flatMap(one =>
      'violation' in one && one.violation !== null ? [one.obligation.id] : [],
    )
    const [obligation] = failed
    if (obligation === undefined || counts.recorded >= mostExchanges) return
    counts.recorded += 1
    const { request, outcome } = recorded()
    onEvent({ type: 'exchange', id, obligation, expectation, request, outcome, failed })
  })
  return {
    counts: () => counts,
    end: ms => {
      stop()
      if (onEvent === undefined) return
      for (const message of documentNotes(contract)) onEvent({ type: 'note', level: 'warning', message })
      for (const finding of findingsIn(tallies)) onEvent(finding)
      const verdicts = obligations.map(obligation => ({
        obligation,
        verdict: verdictOf(obligation, tallies.get(obligation.id)),
      }))
      for (const { obligation, verdict } of verdicts)
        onEvent({ type: 'verdict', obligation: obligation.id, verdict })
      onEvent({
        type: 'end',
        stopped: 'done',
        reason: null,
        conclusion: conclusionOf(verdicts, counts.judged),
        requests: counts.exchanges,
        cases: counts.judged,
        ms,
        digest: 'none: the requests were not planned',
        pairs: { covered: 0, total: 0 },
      })
    },
  }
}

/** The findings of the tallies, which get ids of their own there. */
const findingsIn = (tallies: ReadonlyMap<string, Tally>): readonly Finding[] => {
  const failed = [...tallies.values()].filter(({ finding }) => finding !== null)
  const findings = withOwnIds(
    failed.map(({ finding, failed: cases }) => ({ ...(finding as Finding), cases })),
  )
  for (const [index, tally] of failed.entries()) tally.finding = findings[index] as Finding
  return findings
}

const startEvent = (
  contract: Contract,
  obligations: readonly Obligation[],
  unauthenticated: string,
  { product, target, file, at }: RunOptions,
): StartEvent => {
  const { title, version, openapi, digest, source } = contract
  const { overlays } = contract
  const notTested = documentNotes(contract)
  return {
    type: 'start',
    product,
    at: new Date(at).toISOString(),
    target: target.href,
    seed: 0,
    contract: {
      ...{ title, version, openapi, digest, source },
      ...(overlays.length === 0 ? {} : { overlays }),
      ...(notTested.length === 0 ? {} : { notTested }),
    },
    policies: { unauthenticated, strict: 'false', requests: trafficPolicy(file ?? null) },
    budget: { cases: null, needed: 0, seconds: null, concurrency: 1 },
    selection: { only: [], skip: [] },
    waivers: [],
    planned: null,
    identities: [],
    ...contractPart(contract, obligations),
  }
}

const count = (tallies: Map<string, Tally>, shown: Shown, find: () => Finding | null): void => {
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

const findingOf = (
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

const verdictOf = ({ family }: Obligation, tally: Tally | undefined): Verdict => {
  if (tally !== undefined) {
    const { passed, failed, unclear, finding } = tally
    if (finding !== null) return { kind: 'failed', cases: passed + failed, finding: finding.id }
    if (passed > 0) return { kind: 'passed', cases: passed }
    if (unclear !== null) return { kind: 'inconclusive', cases: 0, reason: unclear }
  }
  switch (family) {
    case 'response':
      return { kind: 'untested', cause: 'unprovoked', reason: 'no response of the traffic shows it' }
    case 'accept':
    case 'reject':
    case 'auth':
      return { kind: 'untested', cause: 'budget', reason: 'no request of the traffic was of this kind' }
    default:
      return { kind: 'untested', cause: 'unsupported', reason: 'traffic alone does not show it' }
  }
}

const conclusionOf = (
  verdicts: readonly { readonly obligation: Obligation; readonly verdict: Verdict }[],
  judged: number,
): Conclusion => {
  const counted = verdicts.filter(({ obligation }) => obligation.level === 'MUST')
  if (counted.some(({ verdict }) => verdict.kind === 'failed')) return 'nonconformant'
  if (judged === 0) return 'inconclusive'
  return counted.every(({ verdict }) => verdict.kind === 'passed') ? 'conformant' : 'partial'
}
