import type { Contract, Operation } from '../../contract/contract.ts'
import { successStatuses } from '../../contract/rejection-statuses.ts'
import type { Pointer } from '../../json/pointer.ts'
import { callbackObligations } from '../../resources/callback-obligations.ts'
import { conditionalObligations } from '../../resources/conditional-obligations.ts'
import { idempotencyObligations } from '../../resources/idempotency-obligations.ts'
import { ownershipObligations } from '../../resources/ownership-obligations.ts'
import { stateObligations } from '../../resources/state-obligations.ts'
import type { Clause, Obligation, ObligationSpec, UnauthenticatedPolicy } from '../obligation.ts'
import { idOf } from '../obligation-id.ts'
import { type OperationContext, operationContext } from '../operation-context.ts'
import { acceptObligations } from './accept.ts'
import { authObligations, challengeObligations } from './auth.ts'
import { protocolObligations, protocolOperation } from './protocol.ts'
import { rejectObligations } from './reject.ts'
import { responseObligations } from './response.ts'
import { type ResponseTimeLimit, responseTimeObligations } from './response-time.ts'
import { stabilityObligations } from './stability.ts'
import { unspecifiedObligations, withUndeclaredStatuses } from './unspecified.ts'

/**
 * All requirements of a contract; the same document and policy give the same list. By default a 401 is allowed only if
 * the contract declares it.
 */
export const obligationsOf = (
  contract: Contract,
  unauthenticated: UnauthenticatedPolicy = 'declared',
): readonly Obligation[] => [...deriveObligations(contract, unauthenticated)].flat()

/** The same, one operation at a time, each derived when it is asked for; of all operations or of these. */
export function* deriveObligations(
  contract: Contract,
  unauthenticated: UnauthenticatedPolicy = 'declared',
  operations: readonly Operation[] = contract.operations,
): Generator<readonly Obligation[]> {
  const clauseOf = createClauses(contract)
  const textOf = createTexts()
  for (const operation of operations) {
    if (!isTestable(operation)) continue
    const context = operationContext(contract, operation)
    const all = derivations.flatMap(derive => derive(context, unauthenticated))
    // Where only failures are declared, nothing says that any request is accepted.
    const isNeverAccepted = operation.responses.length > 0 && successStatuses(operation).length === 0
    const specs = withUndeclaredStatuses(
      context,
      isNeverAccepted ? all.filter(({ family }) => family !== 'accept' && family !== 'stability') : all,
    )
    const unique = new Map(specs.map(spec => [idOf(operation.id, spec.subject), spec]))
    yield Array.from(unique, ([id, spec]) =>
      obligationOf(clauseOf, operation.id, withTexts(spec, textOf), id),
    )
  }
}

/** What HTTP itself requires of a server, whatever its contract; named after the operation that it is tested with. */
export const protocolObligationsOf = (contract: Contract): readonly Obligation[] => {
  const operation = protocolOperation(contract)
  return operation === undefined
    ? []
    : protocolObligations(operationContext(contract, operation)).map(spec =>
        obligationOf(createClauses(contract), operation.id, spec),
      )
}

/**
 * What holds of the resources that a server keeps, for operations whose resources others make or read; also by the keys and conditions that
 * requests for them have.
 */
export const stateObligationsOf = (contract: Contract): readonly Obligation[] =>
  derivedFrom(contract, (...of) => [
    ...stateObligations(...of),
    ...idempotencyObligations(...of),
    ...conditionalObligations(...of),
  ])

/** What another user is kept from, for operations on what others create: only a run with two users can tell. */
export const ownershipObligationsOf = (contract: Contract): readonly Obligation[] =>
  derivedFrom(contract, ownershipObligations)

/** What holds of the requests that operations send to their clients: only a run that listens can tell. */
export const callbackObligationsOf = (contract: Contract): readonly Obligation[] =>
  derivedFrom(contract, callbackObligations)

const derivedFrom = (
  contract: Contract,
  derive: (contract: Contract, operation: Operation) => readonly ObligationSpec[],
): readonly Obligation[] => {
  const clauseOf = createClauses(contract)
  return contract.operations
    .filter(isTestable)
    .flatMap(operation => derive(contract, operation).map(spec => obligationOf(clauseOf, operation.id, spec)))
}

/** The obligation with this id, also of what a server keeps, and from whom; undefined if there is none. */
export const obligationIn = (
  contract: Contract,
  unauthenticated: UnauthenticatedPolicy,
  id: string,
): Obligation | undefined => {
  for (const ofOperation of deriveObligations(contract, unauthenticated)) {
    const found = ofOperation.find(each => each.id === id)
    if (found !== undefined) return found
  }
  return [...stateObligationsOf(contract), ...ownershipObligationsOf(contract)].find(each => each.id === id)
}

/** Limits for response times that a user has set. Throws SelectionError for an unknown operation. */
export const responseTimeObligationsOf = (
  contract: Contract,
  limits: readonly ResponseTimeLimit[],
): readonly Obligation[] =>
  contract.operations
    .filter(isTestable)
    .flatMap(operation =>
      responseTimeObligations(contract, operation, limits).map(spec =>
        obligationOf(createClauses(contract), operation.id, spec),
      ),
    )

/** Others are at an address that the tests do not know. */
const isTestable = (operation: Operation): boolean => operation.servers === null

const derivations: readonly ((
  context: OperationContext,
  policy: UnauthenticatedPolicy,
) => readonly ObligationSpec[])[] = [
  acceptObligations,
  rejectObligations,
  authObligations,
  responseObligations,
  challengeObligations,
  stabilityObligations,
  unspecifiedObligations,
]

const obligationOf = (
  clauseOf: (pointer: Pointer, rfc?: string) => Clause,
  operation: string,
  { pointer, rfc, ...spec }: ObligationSpec,
  id = idOf(operation, spec.subject),
): Obligation => ({
  id,
  operation,
  family: spec.family,
  level: spec.level,
  input: spec.input,
  requirement: spec.requirement,
  clause: clauseOf(pointer, rfc),
  subject: spec.subject,
})

type TextOf = <T extends string | null>(text: T) => T

/** So many sentences are looked up at most: whoever lists obligations one by one should not hold all of them. */
const mostTexts = 50_000

/** Sentences of a contract: of a large one, a fifth of them are different. */
const createTexts = (): TextOf => {
  const texts = new Map<string, string>()
  return text => {
    if (text === null) return text
    if (texts.size >= mostTexts) texts.clear()
    const known = texts.get(text) ?? text
    texts.set(known, known)
    return known as typeof text
  }
}

/** The spec with sentences that others have as well. */
const withTexts = (spec: ObligationSpec, textOf: TextOf): ObligationSpec => ({
  ...spec,
  input: textOf(spec.input),
  requirement: textOf(spec.requirement),
})

/** Clauses of a contract: a hundred thousand obligations of a large document come from a tenth as many. */
const createClauses = (contract: Contract) => {
  const clauses = new Map<string, Clause>()
  return (pointer: Pointer, rfc?: string): Clause => {
    const key = rfc === undefined ? pointer : `${pointer} ${rfc}`
    const clause = clauses.get(key) ?? {
      pointer,
      place: contract.place(pointer),
      rule: [contract.rule(pointer), rfc].filter(Boolean).join(' · ') || null,
    }
    clauses.set(key, clause)
    return clause
  }
}
