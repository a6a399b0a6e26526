import { verify, verifyDefaults } from '../../conformance/index.ts'
import { createMock, MutantError } from '../../mock/index.ts'
import { causeMessage } from '../../reports/index.ts'
import {
  type Contract,
  callbackObligationsOf,
  casesOf,
  type ExchangeEvent,
  type Ledger,
  type Obligation,
  obligationsOf,
  ownershipObligationsOf,
  protocolObligationsOf,
  stateObligationsOf,
  traceOf,
  type UnauthenticatedPolicy,
  unknownObligation,
} from '../../spec/index.ts'
import { contractOf, contractOfLedger } from '../inputs/contract.ts'
import { ledgerFrom } from '../inputs/ledger.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { printDocumentText } from '../outputs/document-text.ts'
import { UsageError } from '../process/exit.ts'
import { print } from '../process/terminal.ts'
import { type Explanation, explanationText, testMethod } from './explain/explanation.ts'
import { otherToken, rightToken } from './selftest/mutant-run.ts'

export type ExplainFlags = SpecFlags & {
  readonly unauthenticated: UnauthenticatedPolicy
  readonly format: 'text' | 'json'
  /** Where `id` is that of a finding. */
  readonly ledger?: string
}

/** Enough cases to tell an obligation with few different ones from one with unlimited ones. */
const manyCases = 200
const shownRequests = 5
const seed = 1

/**
 * Explains one obligation, with requests of the real generator and responses of the real mock; with a ledger, that of a finding, after the cause
 * that the finding goes back to.
 */
export const runExplain = async (id: string, flags: ExplainFlags): Promise<void> => {
  if (flags.ledger === undefined) return explainObligation(id, await contractOf(flags), flags)
  const ledger = ledgerFrom(flags.ledger)
  const message = causeMessage(ledger, flags.ledger, id)
  const finding = ledger.findings.find(each => each.id === id)
  if (message === null || finding === undefined)
    throw new UsageError(`the ledger has no finding ${id}: plantstore report lists them`)
  const contract = await contractOfLedger(flags, ledger)
  if (flags.format === 'text') print(`${message}\n`)
  return explainObligation(finding.obligation, contract, flags)
}

const explainObligation = async (id: string, contract: Contract, flags: ExplainFlags): Promise<void> => {
  const obligations = [
    ...obligationsOf(contract, flags.unauthenticated),
    ...stateObligationsOf(contract),
    ...ownershipObligationsOf(contract),
    ...callbackObligationsOf(contract),
    ...protocolObligationsOf(contract),
  ]
  const obligation = obligations.find(candidate => candidate.id === id)
  if (obligation === undefined)
    throw new UsageError(
      unknownObligation(
        id,
        obligations.map(known => known.id),
      ),
    )
  const explanation = await explain(contract, obligation, obligations, flags.unauthenticated)
  const text = flags.format === 'json' ? JSON.stringify(explanation, null, 2) : explanationText(explanation)
  printDocumentText(text, flags.format)
}

const explain = async (
  contract: Contract,
  obligation: Obligation,
  obligations: readonly Obligation[],
  unauthenticated: UnauthenticatedPolicy,
): Promise<Explanation> => {
  const { id } = obligation
  const run = runner(contract, obligation, unauthenticated)
  const whole = await run({ cases: verifyDefaults.cases, alone: false })
  const { ledger: mutant, reason } = await runMutant(run, obligation)
  const exchangesIn = (ledger: Ledger): readonly ExchangeEvent[] =>
    ledger.exchanges.filter(exchange => isAbout(exchange, obligation))
  const exchanges = exchangesIn(whole).length > 0 ? exchangesIn(whole) : exchangesIn(mutant)
  const passed = exchanges.find(({ failed }) => !failed.includes(id))
  const finding = mutant.findings.find(candidate => [candidate.obligation, ...candidate.also].includes(id))
  const { planned } = mutant.start
  const { subject: _, ...recorded } = obligation
  return {
    obligation: recorded,
    excerpt: contract.excerpt(obligation.clause.pointer),
    clauses: traceOf(contract, obligations).filter(clause => clause.obligations.includes(id)),
    method: testMethod(obligation),
    cases: casesOf(verdictOf(whole, id)),
    defaultCases: verifyDefaults.cases,
    differentCases: planned === null || planned >= manyCases ? null : planned,
    requests: distinctRequests(exchanges).slice(0, shownRequests),
    passed:
      passed === undefined
        ? null
        : { request: passed.request, outcome: passed.outcome, observation: observationOf(whole, id) },
    failed:
      finding === undefined
        ? null
        : {
            request: finding.request,
            outcome: finding.outcome,
            expected: finding.expected,
            actual: finding.actual,
          },
    reason: reason ?? changedObservation(whole, mutant, id),
  }
}

type Run = (options: {
  readonly cases: number
  readonly alone: boolean
  readonly breaks?: string
}) => Promise<Ledger>

/** Verifies a mock: by the whole contract, or by the obligation alone. */
const runner =
  (
    contract: Contract,
    { id, operation, family, subject }: Obligation,
    unauthenticated: UnauthenticatedPolicy,
  ): Run =>
  async ({ cases, alone, breaks }) => {
    const operations = contract.operations.filter(candidate => candidate.id === operation)
    const tokens = operations.map(rightToken)
    const isOfTwo = family === 'ownership'
    // What a chain creates and asks for takes several operations, and a mock that keeps it.
    const isOfChain = family !== 'state' && subject.kind === 'state'
    const others = isOfTwo ? operations.map(otherToken) : []
    const tested = alone && !isOfChain ? { ...contract, operations } : contract
    const mock = await createMock({
      ...{ contract: tested, tokens: [...tokens, ...others], unauthenticated, warn: () => {}, breaks },
      stateful: isOfChain,
      perToken: isOfTwo,
      callbacks: family === 'callback',
    })
    // Responses are judged for every request, and sustained load needs all kinds of requests.
    const isSelectable = family !== 'response' && family !== 'stability'
    try {
      return await verify({
        contract: tested,
        target: mock.url,
        token: tokens[0],
        otherToken: others[0],
        include: ['/*'],
        seed,
        cases,
        unauthenticated,
        malformedHttp: family === 'protocol',
        listen: family === 'callback' ? { waitMs: 500 } : undefined,
        stateless: family !== 'state' && !isOfChain,
        timeoutMs: 2000,
        // It shows nothing else, and takes longer than all cases.
        ...(family === 'stability' ? {} : { sustained: 0 }),
        only: (alone && isSelectable) || isOfChain ? [id] : [],
      })
    } finally {
      await mock.close()
    }
  }

/** Runs the obligation alone against a mutant; if none can be made, against the intact mock, with the reason. */
const runMutant = async (
  run: Run,
  { id, family }: Obligation,
): Promise<{ readonly ledger: Ledger; readonly reason: string | null }> => {
  const intact = async (reason: string) => ({
    ledger: await run({ cases: manyCases, alone: true }),
    reason: `the mock cannot break it: ${reason}`,
  })
  if (family === 'state') return intact('it keeps nothing')
  if (family === 'protocol') return intact('Node’s HTTP parser handles HTTP itself')
  try {
    return { ledger: await run({ cases: manyCases, alone: true, breaks: id }), reason: null }
  } catch (error) {
    if (!(error instanceof MutantError) || error.reason === null) throw error
    return intact(error.reason)
  }
}

const isAbout = ({ obligation, outcome }: ExchangeEvent, { id, subject }: Obligation): boolean => {
  if (subject.kind !== 'response') return obligation === id
  if (outcome.kind !== 'response') return false
  return !('status' in subject) || String(outcome.status) === subject.status
}

const distinctRequests = (exchanges: readonly ExchangeEvent[]): readonly ExchangeEvent['request'][] => [
  ...new Map(exchanges.map(({ request }) => [JSON.stringify(request), request])).values(),
]

const verdictOf = ({ entries }: Ledger, id: string) =>
  entries.find(({ obligation }) => obligation.id === id)?.verdict ?? {
    kind: 'untested' as const,
    cause: 'unprovoked' as const,
    reason: '',
  }

const observationOf = (ledger: Ledger, id: string): string | null => {
  const verdict = verdictOf(ledger, id)
  return verdict.kind === 'observed' ? verdict.observation : null
}

const changedObservation = (intact: Ledger, mutant: Ledger, id: string): string | null => {
  const other = observationOf(mutant, id)
  return other === null || other === observationOf(intact, id)
    ? null
    : `no answer is a failure; another server might show: ${other}`
}
