import { verify } from '../../conformance/index.ts'
import { createMock, MutantError } from '../../mock/index.ts'
import {
  type Contract,
  casesOf,
  type ExchangeEvent,
  type Ledger,
  type Obligation,
  obligationsOf,
  protocolObligationsOf,
  traceOf,
  type UnauthenticatedPolicy,
  unknownObligation,
} from '../../spec/index.ts'
import { contractOf } from '../inputs/contract.ts'
import type { SpecFlags } from '../options/spec-flags.ts'
import { print } from '../outputs/terminal.ts'
import { UsageError } from '../process/exit.ts'
import { type Explanation, explanationText } from './explain/explanation.ts'
import { howTested } from './explain/how-tested.ts'
import { rightToken } from './selftest/broken-run.ts'

export type ExplainFlags = SpecFlags & {
  readonly unauthenticated: UnauthenticatedPolicy
  readonly format: 'text' | 'json'
}

/** What `verify` sends where nothing else is asked for. */
const defaultCases = 1000
/** Enough to tell an obligation with few cases from one without end. */
const probe = 200
const shown = 5
const seed = 1

/** Tells one obligation, with requests of the real generator and answers of the real mock. */
export const runExplain = async (id: string, flags: ExplainFlags): Promise<void> => {
  const contract = await contractOf(flags)
  const obligations = [...obligationsOf(contract, flags.unauthenticated), ...protocolObligationsOf(contract)]
  const obligation = obligations.find(own => own.id === id)
  if (obligation === undefined)
    throw new UsageError(
      unknownObligation(
        id,
        obligations.map(known => known.id),
      ),
    )
  const explanation = await explain(contract, obligation, obligations, flags.unauthenticated)
  print(flags.format === 'json' ? JSON.stringify(explanation, null, 2) : explanationText(explanation))
}

const explain = async (
  contract: Contract,
  obligation: Obligation,
  obligations: readonly Obligation[],
  unauthenticated: UnauthenticatedPolicy,
): Promise<Explanation> => {
  const { id } = obligation
  const judge = judging(contract, obligation, unauthenticated)
  const whole = await judge({ cases: defaultCases, alone: false })
  const { ledger: narrow, reason } = await breaking(judge, obligation)
  const own = (ledger: Ledger): readonly ExchangeEvent[] =>
    ledger.exchanges.filter(exchange => isAbout(exchange, obligation))
  const asked = own(whole).length > 0 ? own(whole) : own(narrow)
  const passed = asked.find(({ failed }) => !failed.includes(id))
  const finding = narrow.findings.find(each => [each.obligation, ...each.also].includes(id))
  const { subject: _, ...recorded } = obligation
  return {
    obligation: recorded,
    excerpt: contract.excerpt(obligation.clause.pointer),
    clauses: traceOf(contract, obligations).filter(clause => clause.obligations.includes(id)),
    how: howTested(obligation),
    cases: casesOf(verdictOf(whole, id)),
    defaultCases,
    different: narrow.start.planned === null || narrow.start.planned >= probe ? null : narrow.start.planned,
    requests: distinct(asked).slice(0, shown),
    passed:
      passed === undefined
        ? null
        : { request: passed.request, outcome: passed.outcome, said: said(whole, id) },
    failed:
      finding === undefined
        ? null
        : {
            request: finding.request,
            outcome: finding.outcome,
            wanted: finding.expected,
            got: finding.actual,
          },
    reason: reason ?? changed(whole, narrow, id),
  }
}

type Judge = (how: {
  readonly cases: number
  readonly alone: boolean
  readonly breaks?: string
}) => Promise<Ledger>

/** Runs against a mock: of the whole contract, or of the obligation alone. */
const judging =
  (
    contract: Contract,
    { id, operation, family }: Obligation,
    unauthenticated: UnauthenticatedPolicy,
  ): Judge =>
  async ({ cases, alone, breaks }) => {
    const own = contract.operations.filter(each => each.id === operation)
    const tokens = own.map(rightToken)
    const part = alone ? { ...contract, operations: own } : contract
    const mock = await createMock({
      contract: part,
      tokens,
      unauthenticated,
      warn: () => {},
      ...(breaks === undefined ? {} : { breaks }),
    })
    try {
      return await verify({
        contract: part,
        target: mock.url,
        ...(tokens[0] === undefined ? {} : { token: tokens[0] }),
        seed,
        cases,
        unauthenticated,
        malformedHttp: family === 'protocol',
        timeoutMs: 2000,
        // Answers are judged whatever they answer, and load takes all kinds of requests.
        ...(alone && family !== 'response' && family !== 'stability' ? { only: [id] } : {}),
      })
    } finally {
      await mock.close()
    }
  }

/** The obligation alone on a mock that breaks it; on a sound one, with the reason, where none can. */
const breaking = async (
  judge: Judge,
  { id, family }: Obligation,
): Promise<{ readonly ledger: Ledger; readonly reason: string | null }> => {
  const unbreakable = (why: string): string => `the mock cannot break it: ${why}`
  if (family === 'protocol')
    return {
      ledger: await judge({ cases: probe, alone: true }),
      reason: unbreakable('HTTP itself is not the engine’s'),
    }
  try {
    return { ledger: await judge({ cases: probe, alone: true, breaks: id }), reason: null }
  } catch (error) {
    if (!(error instanceof MutantError) || error.reason === null) throw error
    return { ledger: await judge({ cases: probe, alone: true }), reason: unbreakable(error.reason) }
  }
}

const isAbout = ({ obligation, outcome }: ExchangeEvent, { id, subject }: Obligation): boolean => {
  if (subject.kind !== 'response') return obligation === id
  if (outcome.kind !== 'response') return false
  return !('status' in subject) || String(outcome.status) === subject.status
}

const distinct = (exchanges: readonly ExchangeEvent[]): readonly ExchangeEvent['request'][] => [
  ...new Map(exchanges.map(({ request }) => [JSON.stringify(request), request])).values(),
]

const verdictOf = ({ entries }: Ledger, id: string) =>
  entries.find(({ obligation }) => obligation.id === id)?.verdict ?? {
    kind: 'untested' as const,
    cause: 'unprovoked' as const,
    reason: '',
  }

const said = (ledger: Ledger, id: string): string | null => {
  const verdict = verdictOf(ledger, id)
  return verdict.kind === 'observed' ? verdict.observation : null
}

const changed = (sound: Ledger, failed: Ledger, id: string): string | null => {
  const other = said(failed, id)
  return other === null || other === said(sound, id) ? null : `nothing breaks it; another server: ${other}`
}
