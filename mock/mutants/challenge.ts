import { isRejection, judgeChallenge, responseFor } from '../../spec/index.ts'
import { buildResponse } from '../engine/build-response.ts'
import { type MockResponse, withHeader } from '../engine/compiled-response.ts'
import { givenCredentials } from '../engine/prefer-response.ts'
import type { Mutant, MutationContext, Unbreakable } from './mutation.ts'

/** Each breaks another rule of challenges. */
const challenges = [
  null,
  'Bearer realm="',
  'Basic realm="',
  'Negotiate',
  'Bearer realm="a", realm="b"',
  'Basic realm="a", realm="b"',
  'Bearer realm=a',
  'Basic realm=a',
  'Bearer',
  'Basic',
  'Basic charset="UTF-8"',
  'Bearer realm="a", error="invalid_token"',
  'Bearer realm="a", error="insufficient_scope"',
  'Bearer realm="a", error="nonsense"',
  'Bearer realm="a", error="invalid_token", error_description="\\\\"',
  'Bearer realm="a"',
]

/** Responds to missing or wrong credentials with a 401 whose challenge breaks one rule. */
export const corruptChallenge = ({
  operation,
  obligation,
  engine,
  unauthenticated,
}: MutationContext): Mutant | Unbreakable => {
  const declared = responseFor(operation, 401)
  if (!isRejection(operation, 'credentials', 401, unauthenticated))
    return { reason: 'a 401 is not a correct response to any request' }
  return async (input, { usual }) => {
    const response = await usual()
    const violation = input?.violations[0]
    if (violation?.part !== 'credentials') return response
    const rejection =
      response.status === 401 || declared === null
        ? response
        : await buildResponse(engine, operation, { declared, status: 401 })
    if (rejection.status !== 401) return response
    const breaksOnlyThis = (candidate: MockResponse): boolean => {
      const violations = judgeChallenge(operation, candidate, givenCredentials(violation))
      return violations.length === 1 && violations[0]?.id === obligation.id
    }
    return (
      challenges.map(value => withHeader(rejection, 'WWW-Authenticate', value)).find(breaksOnlyThis) ??
      response
    )
  }
}
