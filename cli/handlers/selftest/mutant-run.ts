import { createPlanCache, type VerifyOptions, verify } from '../../../conformance/index.ts'
import { createMock, MutantError } from '../../../mock/index.ts'
import {
  type Contract,
  callbackObligationsOf,
  type Family,
  type Ledger,
  type Obligation,
  type Operation,
  obligationsOf,
  ownershipObligationsOf,
  stateObligationsOf,
  testedScheme,
  type UnauthenticatedPolicy,
  type Verdict,
} from '../../../spec/index.ts'

/** What the suite made of a mock that breaks one obligation. */
export type Kill =
  | { readonly kind: 'found' | 'elsewhere' | 'missed'; readonly others: readonly string[] }
  /** The mock cannot break it in a way that a client could see. */
  | { readonly kind: 'unbreakable'; readonly reason: string }
  /** The suite has no test case for it, or (`unreached`) its budget did not reach it. */
  | { readonly kind: 'untested' | 'unreached'; readonly reason: string }

export type MutantRunOptions = {
  readonly seed: number
  readonly cases: number
  readonly unauthenticated: UnauthenticatedPolicy
}

/** A right token for an operation of the mock; for Basic it is a user and a password. */
export const rightToken = (operation: Operation): string =>
  testedScheme({ operation })?.kind === 'basic' ? 'selftest-user:selftest-token' : 'selftest-token'

/** The token of another user, in the same form. */
export const otherToken = (operation: Operation): string =>
  testedScheme({ operation })?.kind === 'basic' ? 'selftest-other:selftest-secret' : 'selftest-secret'

/** The requirements of a contract that mutants can break: also those of what a mock keeps, and from whom. */
export const breakableObligations = (
  contract: Contract,
  unauthenticated: UnauthenticatedPolicy,
): readonly Obligation[] => [
  ...obligationsOf(contract, unauthenticated),
  ...stateObligationsOf(contract),
  ...ownershipObligationsOf(contract),
  ...callbackObligationsOf(contract),
]

/** The part of a contract that a mutant is tested with. */
type Part = Pick<
  VerifyOptions,
  'contract' | 'token' | 'otherToken' | 'planCache' | 'stateless' | 'only' | 'listen'
>

/** Milliseconds to wait for a callback of the mock, which sends it at once. */
const callbackMs = 500

/** Runs the suite against mutants: mocks that break one obligation of the contract each. */
export const createMutantRuns = (contract: Contract, options: MutantRunOptions) => {
  // A mutant shows in its own operation: the others are left out to save time.
  const byOperation = new Map(
    contract.operations.map((operation): [string, Part] => [
      operation.id,
      {
        contract: { ...contract, operations: [operation] },
        token: rightToken(operation),
        planCache: createPlanCache(),
        stateless: true,
      },
    ]),
  )
  const obligations = new Map(
    breakableObligations(contract, options.unauthenticated).map(each => [each.id, each]),
  )
  const idsOf = (wanted: Family): readonly string[] =>
    [...obligations.values()].flatMap(({ id, family }) => (family === wanted ? [id] : []))
  // What is kept shows in all operations together, and what is not kept fails several requirements: a mutant is tested by its own.
  const partOf = ({ id, operation, family, subject }: Obligation, isIntact: boolean): Part | undefined => {
    const part = byOperation.get(operation)
    const of = contract.operations.find(each => each.id === operation)
    if (part === undefined || of === undefined) return part
    if (subject.kind === 'callback')
      return {
        ...{ contract, token: part.token, stateless: true, listen: { waitMs: callbackMs } },
        only: isIntact ? idsOf(family) : [id],
      }
    if (subject.kind !== 'state') return part
    const kept = { contract, token: part.token, stateless: false, only: isIntact ? idsOf(family) : [id] }
    return family === 'ownership' ? { ...kept, otherToken: otherToken(of) } : kept
  }
  const intactRuns = new Map<string, Promise<Ledger>>()
  const runOf = async (obligation: Obligation, breaks?: string, cases = options.cases): Promise<Ledger> => {
    const part = partOf(obligation, breaks === undefined)
    if (part === undefined) throw new Error(`no operation ${obligation.operation}`)
    const mock = await createMock({
      contract: part.contract,
      tokens: [part.token, part.otherToken].filter(token => typeof token === 'string'),
      perToken: part.otherToken !== undefined,
      unauthenticated: options.unauthenticated,
      stateful: part.stateless !== true,
      callbacks: part.listen !== undefined,
      warn: () => {},
      breaks,
    })
    try {
      // A plan is for one number of cases.
      const planCache = cases === options.cases ? part.planCache : undefined
      const rules = { ...options, ...part, cases, planCache, include: ['/*'], timeoutMs: 2000 }
      // Sustained load shows only what depends on earlier requests.
      const isSteady = breaks !== undefined && obligation.family !== 'stability'
      return await verify({ ...rules, ...(isSteady ? { sustained: 0 } : {}), target: mock.url })
    } finally {
      await mock.close()
    }
  }
  const intactRunOf = (obligation: Obligation): Promise<Ledger> => {
    const isOfAll = ['state', 'callback'].includes(obligation.subject.kind)
    const key = isOfAll ? obligation.family : obligation.operation
    const run = intactRuns.get(key) ?? runOf(obligation)
    intactRuns.set(key, run)
    return run
  }
  const killOf = async (
    obligation: Obligation,
    intact: Verdict | undefined,
    cases: number,
  ): Promise<Kill> => {
    const { id, level } = obligation
    let ledger: Ledger
    try {
      ledger = await runOf(obligation, id, cases)
    } catch (error) {
      if (error instanceof MutantError && error.reason !== null)
        return { kind: 'unbreakable', reason: error.reason }
      throw error
    }
    const failed = new Set(
      ledger.findings
        .flatMap(finding => [finding.obligation, ...finding.also])
        .filter(other => !followsFrom(obligations.get(other), obligation)),
    )
    if (level === 'OBSERVE') {
      const isFound = observationOf(verdictOf(ledger, id)) !== observationOf(intact)
      return { kind: isFound ? 'found' : 'missed', others: [...failed] }
    }
    const others = [...failed].filter(other => other !== id)
    if (ledger.findings.some(({ obligation }) => obligation === id)) return { kind: 'found', others }
    if (others.length > 0) return { kind: 'elsewhere', others }
    const verdict = verdictOf(ledger, id)
    return verdict?.kind === 'untested' ? untested(verdict) : { kind: 'missed', others }
  }
  return async (obligation: Obligation): Promise<Kill> => {
    const { id, family, subject } = obligation
    const intact = verdictOf(await intactRunOf(obligation), id)
    // The mutant may send a response that the intact mock never sends.
    if (intact?.kind === 'untested' && family !== 'response') return untested(intact)
    const kill = await killOf(obligation, intact, options.cases)
    // Only random requests are like those of no other obligation, and they come last.
    return subject.kind === 'valid' && kill.kind !== 'found'
      ? killOf(obligation, intact, options.cases * 3)
      : kill
  }
}

const untested = ({ cause, reason }: Extract<Verdict, { kind: 'untested' }>): Kill => ({
  kind: cause === 'budget' ? 'unreached' : 'untested',
  reason,
})

const verdictOf = ({ entries }: Ledger, id: string): Verdict | undefined =>
  entries.find(({ obligation }) => obligation.id === id)?.verdict

const observationOf = (verdict: Verdict | undefined): string | null =>
  verdict?.kind === 'observed' ? verdict.observation : null

/**
 * A server that rejects chunks rejects each way of writing them, and one that rejects some valid requests may reject those that are
 * framed in an unusual way; of what is not where it was created, no request is accepted: no mutant can tell these apart.
 */
const followsFrom = (other: Obligation | undefined, { operation, subject }: Obligation): boolean => {
  if (subject.kind === 'state' && ['read-back', 'location'].includes(subject.name))
    return other?.subject.kind === 'valid'
  if (other?.operation !== operation) return false
  const isFraming =
    other.subject.kind === 'framing' || (other.subject.kind === 'protocol' && other.subject.isOrdinary)
  if (subject.kind === 'valid') return isFraming
  return subject.kind === 'framing' && other.subject.kind === 'protocol' && /^chunk-/.test(other.subject.name)
}
