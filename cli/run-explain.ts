import { verify } from '../conformance/index.ts'
import { BreakError, createMock } from '../mock/index.ts'
import {
  type Contract,
  casesOf,
  type ExchangeEvent,
  type Ledger,
  nearest,
  type Obligation,
  obligationsOf,
  traceOf,
  type Unauthenticated,
  wireObligationsOf,
} from '../spec/index.ts'
import { rightToken } from './broken-run.ts'
import { contractOf } from './contract.ts'
import { UsageError } from './exit.ts'
import { type Explanation, explanationText } from './explanation.ts'
import { howTested } from './how-tested.ts'
import type { SpecFlags } from './spec-flags.ts'
import { print } from './terminal.ts'

export type ExplainFlags = SpecFlags & {
  readonly unauthenticated: Unauthenticated
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
  const obligations = [...obligationsOf(contract, flags.unauthenticated), ...wireObligationsOf(contract)]
  const obligation = obligations.find(own => own.id === id)
  if (obligation === undefined) throw new UsageError(unknown(id, obligations))
  const explanation = await explain(contract, obligation, obligations, flags.unauthenticated)
  print(flags.format === 'json' ? JSON.stringify(explanation, null, 2) : explanationText(explanation))
}

const unknown = (id: string, obligations: readonly Obligation[]): string => {
  const near = nearest(
    id,
    obligations.map(own => own.id),
  )
  return `there is no obligation ${id}: ${near.length === 0 ? '' : `did you mean ${near.join(', ')}? `}plantstore obligations lists them`
}

const explain = async (
  contract: Contract,
  obligation: Obligation,
  obligations: readonly Obligation[],
  unauthenticated: Unauthenticated,
): Promise<Explanation> => {
  const { id } = obligation
  const judge = judging(contract, obligation, unauthenticated)
  const whole = await judge({ cases: defaultCases, alone: false })
  const { ledger: narrow, because } = await breaking(judge, obligation)
  const own = (ledger: Ledger): readonly ExchangeEvent[] =>
    ledger.exchanges.filter(exchange => isAbout(exchange, obligation))
  const asked = own(whole).length > 0 ? own(whole) : own(narrow)
  const kept = asked.find(({ broken }) => !broken.includes(id))
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
    kept: kept === undefined ? null : { request: kept.request, outcome: kept.outcome, said: said(whole, id) },
    broken:
      finding === undefined
        ? null
        : { request: finding.request, outcome: finding.outcome, wanted: finding.wanted, got: finding.got },
    because: because ?? changed(whole, narrow, id),
  }
}

type Judge = (how: {
  readonly cases: number
  readonly alone: boolean
  readonly breaks?: string
}) => Promise<Ledger>

/** Runs against a mock: of the whole contract, or of the obligation alone. */
const judging =
  (contract: Contract, { id, operation, family }: Obligation, unauthenticated: Unauthenticated): Judge =>
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
        wire: family === 'wire',
        timeoutMs: 2000,
        // Answers are judged whatever they answer, and load takes all kinds of requests.
        ...(alone && family !== 'answer' && family !== 'load' ? { only: [id] } : {}),
      })
    } finally {
      await mock.close()
    }
  }

/** The obligation alone on a mock that breaks it; on a sound one, with the reason, where none can. */
const breaking = async (
  judge: Judge,
  { id, family }: Obligation,
): Promise<{ readonly ledger: Ledger; readonly because: string | null }> => {
  const unbreakable = (why: string): string => `the mock cannot break it: ${why}`
  if (family === 'wire')
    return {
      ledger: await judge({ cases: probe, alone: true }),
      because: unbreakable('HTTP itself is not the engine’s'),
    }
  try {
    return { ledger: await judge({ cases: probe, alone: true, breaks: id }), because: null }
  } catch (error) {
    if (!(error instanceof BreakError) || error.because === null) throw error
    return { ledger: await judge({ cases: probe, alone: true }), because: unbreakable(error.because) }
  }
}

const isAbout = ({ obligation, outcome }: ExchangeEvent, { id, subject }: Obligation): boolean => {
  if (subject.kind !== 'answer') return obligation === id
  if (outcome.kind !== 'answer') return false
  return !('status' in subject) || String(outcome.status) === subject.status
}

const distinct = (exchanges: readonly ExchangeEvent[]): readonly ExchangeEvent['request'][] => [
  ...new Map(exchanges.map(({ request }) => [JSON.stringify(request), request])).values(),
]

const verdictOf = ({ entries }: Ledger, id: string) =>
  entries.find(({ obligation }) => obligation.id === id)?.verdict ?? {
    kind: 'untested' as const,
    because: '',
  }

const said = (ledger: Ledger, id: string): string | null => {
  const verdict = verdictOf(ledger, id)
  return verdict.kind === 'observed' ? verdict.what : null
}

const changed = (sound: Ledger, broken: Ledger, id: string): string | null => {
  const other = said(broken, id)
  return other === null || other === said(sound, id) ? null : `nothing breaks it; another server: ${other}`
}
