import { clauseOf, isRefusal, judgeChallenge } from '../../spec/index.ts'
import { givenBy } from '../challenge.ts'
import { type Composed, withHeader } from '../compose.ts'
import type { Breaker, Scene, Unbreakable } from './breaker.ts'

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

/** Answers missing or wrong credentials with a 401 whose challenge breaks one rule. */
export const challenging = ({ operation, obligation, desk, policy }: Scene): Breaker | Unbreakable => {
  const clause = clauseOf(operation, 401)
  if (!isRefusal(operation, 'credentials', 401, policy))
    return { because: 'no request is rightly answered by a 401' }
  return async (asked, { usual }) => {
    const answer = await usual()
    const breach = asked?.breaches[0]
    if (breach?.cause !== 'credentials') return answer
    const own = answer.status === 401 || clause === null ? answer : await desk.compose(operation, clause, 401)
    if (own.status !== 401) return answer
    const isOnly = (one: Composed): boolean => {
      const flaws = judgeChallenge(operation, one, givenBy(breach))
      return flaws.length === 1 && flaws[0]?.id === obligation.id
    }
    return challenges.map(value => withHeader(own, 'WWW-Authenticate', value)).find(isOnly) ?? answer
  }
}
