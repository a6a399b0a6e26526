import {
  type Contract,
  callbackObligationsOf,
  contractPart,
  documentNotes,
  type Finding,
  type Obligation,
  obligationsOf,
  type RunEvent,
  type SentExchange,
  type StartEvent,
  trafficPolicy,
} from '../../spec/index.ts'
import type { MockState } from '../admin/mock-state.ts'
import { catalogOf } from '../console/served-operations.ts'
import type { Middleware, ServedDocument } from '../engine/context.ts'
import { type Clock, type Journal, shownViolations } from '../middleware/journal.ts'
import type { Entry } from '../middleware/journal-entry.ts'
import { type CallbackListener, type Heard, openCallbackListener } from './callback-listener.ts'
import { createForward } from './forward.ts'
import type { Forwarding } from './options.ts'
import { faultsOf, type Shown, shownBy, shownByCallback } from './outcomes.ts'
import { type RecordedEntry, recordEntry, recordWhole } from './recorded.ts'
import { conclusionOf, count, findingOf, findingsIn, type Tally, verdictOf } from './tallies.ts'

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

/** Failed exchanges that the ledger holds; a HAR file has all. */
const mostExchanges = 1000

/** What is recorded of a callback: the request that caused it, if that came through the proxy. */
const causeOf = ({ entry, cause }: Heard): Entry => {
  if (cause === null) return entry
  const { request, response, method, status } = cause
  const { pathname, search } = new URL(cause.url)
  return {
    ...{ ...entry, method, target: pathname + search, headers: request.headers, body: request.body },
    ...{ bodySize: request.body?.length ?? 0, status, responseHeaders: response.headers },
    ...{ responseBody: response.body, responseSize: response.body.length },
  }
}

/** Records the traffic from now on; `hearing`: what the server sends to its clients, if somebody listens. */
export const recordRun = (
  state: MockState,
  options: RunOptions,
  hearing: CallbackListener | null = null,
): ProxyRun => {
  const { journal, tokens, unauthenticated, documents } = state
  const { target, onEvent, onExchange } = options
  const catalog = catalogOf(documents(), unauthenticated)
  const contract = catalog.first
  const ofCallbacks = hearing === null || onEvent === undefined ? [] : callbackObligationsOf(contract)
  const obligations =
    onEvent === undefined ? [] : [...obligationsOf(contract, unauthenticated), ...ofCallbacks]
  const notes = documentNotes(contract, hearing !== null)
  const tallies = new Map<string, Tally>()
  const counts = { exchanges: 0, declared: 0, requests: 0, responses: 0, judged: 0, recorded: 0 }
  onEvent?.(
    startEvent(
      contract,
      { obligations, notTested: notes, policies: hearing?.policies ?? {} },
      unauthenticated,
      options,
    ),
  )

  /** Counts what an exchange showed, and records it if it showed a failure. */
  const tell = (entry: Entry, shown: readonly Shown[], expectation: Finding['expectation']): void => {
    let known: RecordedEntry | null = null
    const recorded = (): RecordedEntry => {
      known ??= recordEntry(entry, catalog.mask)
      return known
    }
    counts.judged += Number(shown.length > 0)
    const id = entry.number.toString(16).padStart(8, '0')
    for (const one of shown)
      count(tallies, one, () => {
        const { request, outcome, secrets } = recorded()
        return findingOf(contract, { id, expectation, request, outcome, secrets, target }, one)
      })
    const failed = shown.flatMap(one =>
      'violation' in one && one.violation !== null ? [one.obligation.id] : [],
    )
    const [obligation] = failed
    if (obligation === undefined || counts.recorded >= mostExchanges) return
    counts.recorded += 1
    const { request, outcome } = recorded()
    onEvent?.({ type: 'exchange', id, obligation, expectation, request, outcome, failed })
  }

  const stop = journal.listen((entry, bodies) => {
    if (entry.forwarded === null) return
    const served = catalog.operations.get(entry.operation ?? '')
    const faults = faultsOf(entry, served)
    counts.exchanges += 1
    counts.declared += Number(served !== undefined)
    counts.requests += Number(faults.request)
    counts.responses += Number(faults.response)
    if (onExchange !== undefined) {
      const { request, outcome } = recordWhole(entry, bodies, catalog.mask)
      const broken = shownViolations(entry).map(({ id }) => id)
      onExchange({ request, outcome, at: entry.at - entry.ms - options.at, broken })
    }
    if (onEvent === undefined || served === undefined) return
    const shown = shownBy(entry, served, { tokens, unauthenticated })
    tell(entry, shown, faults.request ? 'reject' : 'accept')
  })
  const stopHearing = hearing?.listen(heard => {
    counts.responses += Number(heard.violations.length > 0)
    counts.requests += Number(heard.isAnswerWrong)
    if (onEvent !== undefined) tell(causeOf(heard), shownByCallback(heard, ofCallbacks), 'accept')
  })
  return {
    counts: () => counts,
    end: ms => {
      stop()
      stopHearing?.()
      if (onEvent === undefined) return
      for (const message of notes) onEvent({ type: 'note', level: 'warning', message })
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

type Parts = {
  readonly obligations: readonly Obligation[]
  readonly notTested: readonly string[]
  readonly policies: Readonly<Record<string, string>>
}

const startEvent = (
  contract: Contract,
  { obligations, notTested, policies }: Parts,
  unauthenticated: string,
  { product, target, file, at }: RunOptions,
): StartEvent => {
  const { title, version, openapi, digest, source } = contract
  const { overlays } = contract
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
    policies: { unauthenticated, strict: 'false', requests: trafficPolicy(file ?? null), ...policies },
    budget: { cases: null, needed: 0, seconds: null, concurrency: 1 },
    selection: { only: [], skip: [] },
    waivers: [],
    planned: null,
    identities: [],
    ...contractPart(contract, obligations),
  }
}

/** Both directions of a proxy: to the server, and if it listens, from the server to its clients. Throws ListenError. */
export const openProxy = async (
  forwarding: Forwarding,
  documents: () => readonly ServedDocument[],
  { journal, clock }: { readonly journal: Journal; readonly clock: Clock },
): Promise<{ readonly forward: Middleware; readonly hearing: CallbackListener | null }> => {
  const { listen, maxBodyBytes } = forwarding
  const document = documents()[0] as ServedDocument
  const forward = createForward(forwarding, document)
  const hearing =
    listen === undefined
      ? null
      : await openCallbackListener(listen, document, { journal, clock, maxBodyBytes })
  return { forward, hearing }
}
