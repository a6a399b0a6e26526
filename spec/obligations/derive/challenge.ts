import { step } from '../../json/pointer.ts'
import { responseFor } from '../../routes/response-for.ts'
import { challengeRules, mayChallenge } from '../inputs/challenge-rules.ts'
import type { ObligationSpec, UnauthenticatedPolicy } from '../obligation.ts'
import type { OperationContext } from '../operation-context.ts'
import { lengthObligation } from './response.ts'

/** What HTTP requires of a 401 that may answer the operation: its challenge; and its length, if nothing else is declared. */
export const challengeObligations = (
  { operation }: OperationContext,
  policy: UnauthenticatedPolicy,
): readonly ObligationSpec[] => {
  if (!mayChallenge(operation, policy)) return []
  const declared = responseFor(operation, 401)
  const pointer =
    declared?.pointer ?? operation.security[0]?.[0]?.pointer ?? step(operation.pointer, 'responses')
  const obligations = challengeRules(operation).map(
    ({ name, level, rfc, requirement, given }): ObligationSpec => ({
      family: 'response',
      level,
      input: null,
      requirement,
      pointer,
      rfc,
      subject: { kind: 'response', aspect: 'challenge', status: '401', rule: name, given },
    }),
  )
  return declared === null ? [...obligations, lengthObligation(pointer, '401')] : obligations
}
