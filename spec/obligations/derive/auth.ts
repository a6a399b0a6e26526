import type { Scheme } from '../../contract/contract.ts'
import { authorizationScheme } from '../../http/authorization-schemes.ts'
import { step, steps } from '../../json/pointer.ts'
import { responseFor } from '../../routes/response-for.ts'
import { isClosed } from '../../schema/closed.ts'
import { challengeRules, mayChallenge } from '../inputs/challenge-rules.ts'
import type { CredentialKind } from '../inputs/credential-kind.ts'
import { credentialKinds, testedScheme } from '../inputs/credentials.ts'
import { isKey } from '../inputs/extra-fields.ts'
import { malformedKindsOf } from '../inputs/malformed-bodies.ts'
import type { ObligationSpec, UnauthenticatedPolicy } from '../obligation.ts'
import type { OperationContext } from '../operation-context.ts'
import { isOfBody } from '../value-location.ts'
import { rejectObligations } from './reject.ts'
import { acceptRequirement, rejectRequirement } from './requirement.ts'
import { lengthObligation } from './response.ts'

/** Whether the body is JSON and may have properties that are not declared. */
const takesOthers = ({ body }: OperationContext): boolean => body?.in === 'body' && !isClosed(body.root)

/** Whether a body can be invalid: any text is right in a form of texts, and any bytes are a file. */
const mayBeInvalid = (context: OperationContext): boolean =>
  context.body !== null &&
  (context.body.in === 'body' ||
    malformedKindsOf(context.body.format).length > 0 ||
    rejectObligations(context).some(
      ({ level, subject }) =>
        level === 'MUST' &&
        subject.kind === 'keyword' &&
        isOfBody(subject.location) &&
        steps(subject.location.place).length < 2,
    ))

/**
 * Requests without the right credentials are rejected; the right ones are accepted in every spelling. If the run has some that the document does
 * not declare, only that is tested: whether the operation asks for them.
 */
export const authObligations = (context: OperationContext): readonly ObligationSpec[] => {
  const { undeclared } = context.operation
  const scheme = testedScheme(context) ?? undeclared
  if (scheme === undefined) return []
  const isRightElsewhere = takenByOthers(context, scheme)
  return credentialKinds(context.operation)
    .filter(kind => kind.accepted || kind.isPaired || !isRightElsewhere(kind))
    .filter(({ invalidBody }) => !invalidBody || mayBeInvalid(context))
    .filter(({ extra }) => !extra.flat().some(field => field.in === 'body') || takesOthers(context))
    .map((kind): ObligationSpec => {
      const { name, accepted, rfc, level } = kind
      const input = `a request ${kind.input}`
      return {
        family: 'auth',
        level,
        input,
        requirement: accepted ? acceptRequirement(input, level) : rejectRequirement(input, level),
        pointer: undeclared === undefined ? scheme.pointer : context.operation.pointer,
        rfc,
        subject: { kind: 'credentials', name, scheme: scheme.name, isAccepted: accepted },
      }
    })
}

/** Whether credentials are under a scheme that another security requirement of the operation has, or at its place: then they may be right. */
const takenByOthers = (
  { operation }: OperationContext,
  tested: Scheme,
): ((kind: CredentialKind) => boolean) => {
  const schemes = operation.security.flat().filter(scheme => scheme !== tested)
  const others = schemes.flatMap(({ kind }) => {
    const scheme = kind === tested.kind ? null : authorizationScheme(kind)
    return scheme === null ? [] : [`${scheme.name} `]
  })
  return ({ variants, extra }) =>
    others.some(begin => variants.flat().some(value => value.startsWith(begin))) ||
    extra.flat().some(field => schemes.some(scheme => isKey(scheme, field)))
}

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
