import type { HttpRequest, Obligation, Outcome } from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import { rawRequestOf, renderRequest } from '../cases/render.ts'
import { type Strategy, type StrategyContext, strategyOf } from '../cases/strategies/index.ts'
import { type Opening, openingOf } from './bound-send.ts'
import { type Attempt, isClosed, isNewConnection, notSent } from './lost-connections.ts'
import type { Transport } from './transport/index.ts'

/** Why a request is not to be sent; null if it may be. */
export type CaseGate = (request: HttpRequest, spec?: RequestSpec) => string | null

type SendOnceOptions = {
  readonly gate: CaseGate
  readonly transport: Transport
  readonly openings: Openings
  /** Whether a valid request can be made. */
  readonly hasValid: boolean
  /** Gives a request that goes before a case what exists. */
  readonly bind: (testCase: TestCase) => Promise<Opening | { readonly missing: string }>
  /** The case with values that were not sent before, where the server takes each only once. */
  readonly fresh: (testCase: TestCase) => TestCase
  /** The case as it goes out: without credentials if the right ones are left out. */
  readonly plainly: (testCase: TestCase) => TestCase
  /** Does what a case needs before and after it. */
  readonly around: CaseSenderAround
}

export type CaseSenderAround = (
  testCase: TestCase,
  send: (testCase: TestCase) => Promise<Attempt>,
) => Promise<Attempt>

/** Sends a case once, with what has to go before it on its connection. */
export const createSendOnce = ({
  gate,
  transport,
  openings,
  hasValid,
  bind,
  fresh,
  plainly,
  around,
}: SendOnceOptions): ((planned: TestCase) => Promise<Attempt>) => {
  const before = async (testCase: TestCase): Promise<Opening | { readonly missing: string } | null> => {
    const { precondition, request, spec, obligation } = testCase
    switch (precondition) {
      case 'none':
        return null
      case 'twice':
        return openingOf(testCase)
      case 'after-accepted':
        return bind(fresh(openings.accepted(obligation)))
      case 'after-rejected':
        return bind(fresh(openings.rejected(obligation)))
      case 'after-malformed': {
        const raw = rawRequestOf(request, spec)
        return raw === null ? null : openingOf({ ...testCase, request: { ...request, raw } })
      }
    }
  }
  const sendIt = async (planned: TestCase): Promise<Attempt> => {
    const testCase = plainly(fresh(planned))
    const { request, spec, precondition } = testCase
    const refusal = gate(request, spec)
    if (refusal !== null) return { ...notSent(testCase, refusal), isClosable: false }
    if (precondition === 'none')
      return { testCase, outcome: await transport.send(request), isClosable: false }
    const bound = await before(testCase)
    // Its path would have a made-up name, and somebody's resource may have that.
    if (bound !== null && 'missing' in bound)
      return { ...notSent(testCase, bound.missing), isClosable: false }
    const first = bound === null ? null : { ...bound, testCase: plainly(bound.testCase) }
    const refusalOfFirst = first === null ? null : gate(first.testCase.request, first.testCase.spec)
    if (refusalOfFirst !== null) return { ...notSent(testCase, refusalOfFirst), isClosable: false }
    // Raw bytes have a connection of their own, which the server may close.
    if (precondition === 'after-malformed' && first !== null) await transport.send(first.testCase.request)
    const isRow = precondition !== 'after-malformed' && first !== null
    const outcomes = await transport.sendInRow(isRow ? [first.testCase.request, request] : [request])
    const [opening, last] = [outcomes[0] as Outcome, outcomes.at(-1) as Outcome]
    if (isRow) first.done(opening)
    const twice = precondition === 'twice' ? { before: opening } : {}
    // Otherwise nobody would hear of a crash that comes before the case.
    const isOfValid = isRow && precondition === 'after-accepted' && hasValid
    if (isOfValid && opening.kind === 'response' && opening.response.status >= 500)
      return { testCase: { ...first.testCase, number: testCase.number }, outcome: opening, isClosable: false }
    // A rejected request may end the connection, and any may end between two requests (RFC 9112 9.5).
    return isRow && isNewConnection(testCase) && isClosed(opening)
      ? { testCase, outcome: opening, isClosable: false }
      : { testCase, outcome: last, isClosable: isRow, ...twice }
  }
  return planned => around(planned, sendIt)
}

/** Requests that go before a case on its connection, by the obligation that the case tests. */
type Openings = {
  readonly accepted: (tested: Obligation) => TestCase
  /** One that the server has to reject, if there is any. */
  readonly rejected: (tested: Obligation) => TestCase
}

export type OpeningsOptions = {
  readonly context: StrategyContext
  /** Those of the operation. */
  readonly obligations: readonly Obligation[]
  /** That any valid request is accepted; undefined if no valid request can be generated. */
  readonly valid: Obligation | undefined
  readonly plainSpec: () => RequestSpec
  readonly rejectedCase: (obligation: Obligation, strategy: Strategy, index: number) => TestCase | null
}

export const createOpenings = ({
  context,
  obligations,
  valid,
  plainSpec,
  rejectedCase,
}: OpeningsOptions): Openings => {
  const { model } = context
  const opening = (
    tested: Obligation,
    expectation: TestCase['expectation'],
    spec: RequestSpec,
  ): TestCase => ({
    number: 0,
    obligation: valid ?? tested,
    expectation,
    cause: null,
    spec,
    request: renderRequest(model.operation, spec),
    precondition: 'none',
  })
  const accepted = (tested: Obligation): TestCase => opening(tested, 'accept', plainSpec())
  const malformed = (): RequestSpec => ({
    ...plainSpec(),
    encoding: { kind: 'malformed', name: 'truncated', pick: 2 },
  })
  return {
    accepted,
    rejected: tested => {
      if (model.body?.in === 'body') return opening(tested, 'reject', malformed())
      // Without a JSON body: the first fault that can be made.
      for (const obligation of obligations.filter(({ family }) => family === 'reject' || family === 'auth')) {
        const strategy = strategyOf(context, obligation)
        const rejected =
          strategy === null || 'unsupported' in strategy ? null : rejectedCase(obligation, strategy, 0)
        if (rejected !== null) return rejected
      }
      return accepted(tested)
    },
  }
}
