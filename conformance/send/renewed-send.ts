import { isRejection, type Outcome, sendsSecret, type UnauthenticatedPolicy } from '../../spec/index.ts'
import { lacksUndeclared, type TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import type { CurrentToken } from '../options/token-source.ts'
import type { Sent } from './lost-connections.ts'

type RenewedSendOptions = {
  readonly model: OperationModel
  readonly policy: UnauthenticatedPolicy
  readonly token: CurrentToken
  readonly send: (testCase: TestCase) => Promise<Sent>
}

type Suspect = { readonly sentWith: string; readonly sent: Sent }

/**
 * Sends cases with a token that may expire during the run. A case that the server rejects for its credentials, although they are
 * right, is sent again with a new token if there is one, and what was answered to the expired one is no answer. A server that accepts
 * the same token a moment later has only itself to blame: then the first answer counts.
 */
export const createRenewedSend = ({
  model,
  policy,
  token,
  send,
}: RenewedSendOptions): ((testCase: TestCase) => Promise<Sent>) => {
  if (!token.isRenewable || !sendsSecret(model)) return send
  return async testCase => {
    await token.renewIfDue()
    /** The first answer that this token may have got because it has expired. */
    let suspect = null as Suspect | null
    for (let attempt = 1; ; attempt++) {
      const sentWith = token.value()
      const sent = await send(testCase)
      const isSame = token.value() === sentWith
      if (!mayBeExpiry(model, sent.testCase, sent.outcome, policy)) {
        if (suspect?.sentWith === sentWith && isSame) return suspect.sent
        if (attempt > 1) token.hasHelped()
        return sent
      }
      if (attempt === mostAttempts) return sent
      // Another request has had the token renewed in the meantime.
      if (!isSame) continue
      if (suspect?.sentWith !== sentWith) {
        if (!token.mayRenew()) return sent
        suspect = { sentWith, sent }
      } else if (!(await token.renewAfter(sentWith))) return suspect.sent
    }
  }
}

/** Whether a status may be about the token, whatever the document declares: where it declares no credentials, nothing says which one is. */
export const mayRejectToken = ({ undeclared }: OperationModel['operation'], status: number): boolean =>
  status === 401 || (status === 403 && undeclared !== undefined)

/** Of one case: a request may take longer than a token lives, but not always. */
const mostAttempts = 6

/** Whether a rejection of a case may mean that its token has expired, while nothing in the case itself explains it. */
export const mayBeExpiry = (
  { operation }: OperationModel,
  { request, spec, expectation, cause }: TestCase,
  outcome: Outcome,
  policy: UnauthenticatedPolicy,
): boolean => {
  if (outcome.kind === 'failure' || cause === 'credentials') return false
  // Malformed HTTP may be rejected for itself, with any status.
  if (request.raw !== undefined && expectation !== 'accept') return false
  if (spec.credentials?.kind.accepted === false || lacksUndeclared(spec)) return false
  const { status } = outcome.response
  return (
    mayRejectToken(operation, status) ||
    (expectation === 'accept' && isRejection(operation, 'credentials', status, policy))
  )
}
