import type { Contract } from '../../contract/contract.ts'
import type { Obligation, ObligationSpec, UnauthenticatedPolicy } from '../obligation.ts'
import { type OperationContext, operationContext } from '../operation-context.ts'
import { acceptObligations } from './accept.ts'
import { authObligations } from './auth.ts'
import { challengeObligations } from './challenge.ts'
import { protocolObligations, protocolOperation } from './protocol.ts'
import { rejectObligations } from './reject.ts'
import { responseObligations } from './response.ts'
import { type ResponseTimeLimit, responseTimeObligations } from './response-time.ts'
import { stabilityObligations } from './stability.ts'
import { withUndeclaredStatuses } from './undeclared-statuses.ts'
import { unspecifiedObligations } from './unspecified.ts'

/**
 * All requirements of a contract; the same document and policy give the same list. By default a 401 is allowed only if
 * the contract declares it.
 */
export const obligationsOf = (
  contract: Contract,
  unauthenticated: UnauthenticatedPolicy = 'declared',
): readonly Obligation[] =>
  contract.operations.flatMap(operation => {
    const context = operationContext(contract, operation)
    const specs = withUndeclaredStatuses(
      context,
      derivations.flatMap(derive => derive(context, unauthenticated)),
    )
    return [...new Map(specs.map(spec => [spec.path, obligationOf(contract, operation.id, spec)])).values()]
  })

/** What HTTP itself requires of a server, whatever its contract; named after the operation that it is tested with. */
export const protocolObligationsOf = (contract: Contract): readonly Obligation[] => {
  const operation = protocolOperation(contract)
  return operation === undefined
    ? []
    : protocolObligations(operationContext(contract, operation)).map(spec =>
        obligationOf(contract, operation.id, spec),
      )
}

/** Limits for response times that a user has set. Throws SelectionError for an unknown operation. */
export const responseTimeObligationsOf = (
  contract: Contract,
  limits: readonly ResponseTimeLimit[],
): readonly Obligation[] =>
  contract.operations.flatMap(operation =>
    responseTimeObligations(contract, operation, limits).map(spec =>
      obligationOf(contract, operation.id, spec),
    ),
  )

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
  contract: Contract,
  operation: string,
  { path, pointer, rfc, ...spec }: ObligationSpec,
): Obligation => ({
  id: `${operation}/${path}`,
  operation,
  family: spec.family,
  level: spec.level,
  input: spec.input,
  requirement: spec.requirement,
  clause: {
    pointer,
    place: contract.place(pointer),
    rule: [contract.rule(pointer), rfc].filter(Boolean).join(' · ') || null,
  },
  subject: spec.subject,
})
