import type { Contract } from '../contract.ts'
import type { Obligation } from '../obligation.ts'
import type { Unauthenticated } from '../refusal.ts'
import { acceptObligations } from './accept.ts'
import { answerObligations } from './answer.ts'
import { challengeObligations } from './challenge.ts'
import { type Context, contextOf, type Draft } from './context.ts'
import { credentialObligations } from './credentials.ts'
import { loadObligations } from './load.ts'
import { openObligations } from './open.ts'
import { refuseObligations } from './refuse.ts'
import { wireObligations, wireOperation } from './wire.ts'

/**
 * Everything that a contract promises, as a list; the same document and policy give the same list. Default policy: a
 * 401 is lawful only where it is declared.
 */
export const obligationsOf = (
  contract: Contract,
  unauthenticated: Unauthenticated = 'declared',
): readonly Obligation[] =>
  contract.operations.flatMap(operation => {
    const context = contextOf(contract, operation)
    const drafts = derivations.flatMap(derive => derive(context, unauthenticated))
    return [...new Map(drafts.map(draft => [draft.path, finish(contract, operation.id, draft)])).values()]
  })

/** What HTTP itself asks of a server, whatever its contract; under the name of the operation that shows it. */
export const wireObligationsOf = (contract: Contract): readonly Obligation[] => {
  const operation = wireOperation(contract)
  return operation === undefined
    ? []
    : wireObligations(contextOf(contract, operation)).map(draft => finish(contract, operation.id, draft))
}

const derivations: readonly ((context: Context, policy: Unauthenticated) => readonly Draft[])[] = [
  acceptObligations,
  refuseObligations,
  credentialObligations,
  answerObligations,
  challengeObligations,
  loadObligations,
  openObligations,
]

const finish = (contract: Contract, operation: string, draft: Draft): Obligation => ({
  id: `${operation}/${draft.path}`,
  operation,
  family: draft.family,
  level: draft.level,
  promise: draft.promise,
  clause: {
    pointer: draft.pointer,
    place: contract.place(draft.pointer),
    rule: [contract.rule(draft.pointer), draft.rfc].filter(Boolean).join(' · ') || null,
  },
  subject: draft.subject,
})
