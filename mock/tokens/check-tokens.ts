import { errorCodes, requestViolation, responseFor } from '../../spec/index.ts'
import type { MockResponse } from '../engine/compiled-response.ts'
import type { Context, Middleware } from '../engine/context.ts'
import type { Engine } from '../engine/engine.ts'
import { judge } from '../engine/judge.ts'
import { chain, type MaybePromise } from '../engine/maybe-promise.ts'
import { failWith } from '../engine/reject.ts'
import type { JudgedRequest } from '../engine/request.ts'
import { rejectCredentials } from '../engine/respond.ts'
import { grantOf } from '../rules/grants.ts'
import { type GivenTokens, renewed } from './given.ts'
import { presentedTokens, refreshTokenIn } from './presented.ts'
import { lackingScopes } from './scopes.ts'

/**
 * Rejects requests with a token that the mock gave and that is over, or lacks a scope. The client kept the contract, so this is
 * no violation: the journal shows it as it shows scenarios.
 */
export const checkTokens =
  (given: GivenTokens, isIdle: () => boolean): Middleware =>
  (context, next) => {
    if (context.document === null || context.request.unreadable !== undefined || isIdle())
      return next(context)
    const { engine } = context.document
    const judged = judge(engine, context)
    if (judged === null || judged.violations[0]?.part === 'credentials') return next(context)
    const refusal = refusalOf(engine, given, judged, context)
    if (refusal !== null)
      return chain(refusal.response, response => {
        context.scenario = `${response.status}: ${refusal.reason}`
        return response
      })
    const grant = judged.violations.length === 0 ? grantOf(engine.contract, judged.operation) : null
    return grant === null
      ? next(context)
      : chain(next(context), response => renewed(engine, given, grant, judged, response, context.terms))
  }

type Refusal = { readonly reason: string; readonly response: MaybePromise<MockResponse> }

const refusalOf = (
  engine: Engine,
  given: GivenTokens,
  judged: JudgedRequest,
  context: Context,
): Refusal | null => {
  const { operation, request } = judged
  const tokens = presentedTokens(operation, request)
  const refresh = grantOf(engine.contract, operation) === null ? undefined : refreshTokenIn(judged)
  const [isRevoked, isRefreshOver] = [
    tokens.some(given.isRevoked),
    refresh !== undefined && given.isRevoked(refresh),
  ]
  if (isRevoked || isRefreshOver) {
    const reason = isRevoked ? 'the token has expired' : 'the refresh token is used up'
    const violation = requestViolation(
      operation.id,
      { kind: 'credentials', name: 'wrong-token' },
      { part: 'credentials', code: errorCodes.credentialsUnknown, message: reason, at: null },
    )
    return { reason, response: rejectCredentials(engine, operation, violation, context) }
  }
  const scopes = tokens.map(token => given.find(token)?.scopes).find(found => found != null)
  const lacking = scopes == null ? [] : lackingScopes(engine.contract, operation, scopes)
  const declared = responseFor(operation, 403)?.status
  if (lacking.length === 0 || declared === undefined || declared === 'default') return null
  const reason = `the token lacks the scope ${lacking.join(', ')}`
  const response = failWith(engine, operation, 403, { code: errorCodes.scopeMissing, messages: [reason] })
  return { reason, response }
}
