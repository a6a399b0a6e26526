import { createPlanCache, verify } from '../../../conformance/index.ts'
import { createMock, MutantError } from '../../../mock/index.ts'
import {
  type Contract,
  type Ledger,
  type Obligation,
  type Operation,
  testedScheme,
  type UnauthenticatedPolicy,
  type Verdict,
} from '../../../spec/index.ts'

/** What the suite made of a mock that breaks one obligation. */
export type Kill =
  | { readonly kind: 'found' | 'elsewhere' | 'missed'; readonly others: readonly string[] }
  /** There is no way to break it that could be told from outside. */
  | { readonly kind: 'unbreakable'; readonly reason: string }
  /** The suite has no case for it, and says why; `unreached`: it had too few to come so far. */
  | { readonly kind: 'untested' | 'unreached'; readonly reason: string }

export type BrokenRunOptions = {
  readonly seed: number
  readonly cases: number
  readonly unauthenticated: UnauthenticatedPolicy
}

/** A token that suits an operation of the mock: credentials of Basic are a user and a password. */
export const rightToken = (operation: Operation): string =>
  testedScheme({ operation })?.kind === 'basic' ? 'selftest-user:selftest-token' : 'selftest-token'

/** Breaks obligations of a contract one at a time, and has the suite judge each such mock. */
export const createBrokenRuns = (contract: Contract, options: BrokenRunOptions) => {
  const parts = new Map(
    contract.operations.map(operation => [
      operation.id,
      {
        contract: { ...contract, operations: [operation] },
        token: rightToken(operation),
        planCache: createPlanCache(),
      },
    ]),
  )
  const sound = new Map<string, Promise<Ledger>>()
  const runOf = async (operation: string, breaks?: string): Promise<Ledger> => {
    // A broken obligation shows in its own operation: the others are left out to save time.
    const part = parts.get(operation)
    if (part === undefined) throw new Error(`no operation ${operation}`)
    const mock = await createMock({
      contract: part.contract,
      tokens: [part.token],
      unauthenticated: options.unauthenticated,
      warn: () => {},
      ...(breaks === undefined ? {} : { breaks }),
    })
    try {
      return await verify({ ...part, ...options, target: mock.url, timeoutMs: 2000 })
    } finally {
      await mock.close()
    }
  }
  const soundOf = (operation: string): Promise<Ledger> => {
    const known = sound.get(operation) ?? runOf(operation)
    sound.set(operation, known)
    return known
  }
  return async ({ id, operation, level, family }: Obligation): Promise<Kill> => {
    const unbroken = verdictOf(await soundOf(operation), id)
    // An answer that a sound mock never gives may come from one that breaks it.
    if (unbroken?.kind === 'untested' && family !== 'response') {
      const { cause, reason } = unbroken
      return { kind: cause === 'budget' ? 'unreached' : 'untested', reason }
    }
    let ledger: Ledger
    try {
      ledger = await runOf(operation, id)
    } catch (error) {
      if (error instanceof MutantError && error.reason !== null)
        return { kind: 'unbreakable', reason: error.reason }
      throw error
    }
    if (level === 'OBSERVE') {
      const others = [...ledger.findings.flatMap(named)]
      const seen = said(verdictOf(ledger, id)) !== said(unbroken)
      return { kind: seen ? 'found' : 'missed', others }
    }
    const own = ledger.findings.filter(finding => finding.obligation === id)
    const others = [...new Set(ledger.findings.flatMap(named))].filter(name => name !== id)
    if (own.length > 0) return { kind: 'found', others }
    if (others.length > 0) return { kind: 'elsewhere', others }
    const verdict = verdictOf(ledger, id)
    return verdict?.kind === 'untested'
      ? { kind: 'untested', reason: verdict.reason }
      : { kind: 'missed', others }
  }
}

const named = ({ obligation, also }: Ledger['findings'][number]): readonly string[] => [obligation, ...also]

const verdictOf = ({ entries }: Ledger, id: string): Verdict | undefined =>
  entries.find(({ obligation }) => obligation.id === id)?.verdict

const said = (verdict: Verdict | undefined): string | null =>
  verdict?.kind === 'observed' ? verdict.observation : null
