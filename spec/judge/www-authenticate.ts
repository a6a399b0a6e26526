import type { Operation } from '../contract/contract.ts'
import { type HttpResponse, headerValues } from '../http/exchange.ts'
import { readChallenges } from '../http/www-authenticate.ts'
import { type ChallengeRule, challengeRules, schemeKinds } from '../obligations/inputs/challenge-rules.ts'
import type { GivenCredentials } from '../obligations/subject.ts'
import { type ResponseViolation, responseViolation } from './response-violation.ts'

/** The rules of RFC 9110, 6750 and 7617 that a 401 breaks. A challenge that cannot be parsed breaks one rule only. */
export const judgeChallenge = (
  operation: Operation,
  response: HttpResponse,
  credentials: GivenCredentials,
): readonly ResponseViolation[] => {
  const violationOf = (
    { name, given, expected }: Pick<ChallengeRule, 'name' | 'given' | 'expected'>,
    actual: string,
    title: string,
  ): ResponseViolation =>
    responseViolation(
      operation.id,
      { aspect: 'challenge', status: '401', rule: name, given },
      { expected, actual, title: `answered 401 ${title}` },
    )
  const values = headerValues(response.headers, 'www-authenticate')
  const lines = values.filter(line => line.trim() !== '')
  const rules = challengeRules(operation)
  const grammar = rules.find(({ name }) => name === 'grammar') as ChallengeRule
  if (lines.length === 0) {
    // If `present` does not apply, an empty header still breaks the grammar.
    const broken = rules.find(({ name }) => name === 'present') ?? (values.length > 0 ? grammar : undefined)
    return broken === undefined
      ? []
      : [violationOf(broken, 'a 401 without a challenge', 'without a challenge in WWW-Authenticate')]
  }
  const text = lines.join(', ')
  const challenges = readChallenges(text)
  if ('problem' in challenges)
    return [violationOf(grammar, `${text}: ${challenges.problem}`, 'with a malformed WWW-Authenticate')]
  return rules.flatMap(rule => {
    const applies = rule.given === null || rule.given === credentials
    const broken = applies ? rule.violation(challenges, schemeKinds(operation)) : null
    return broken === null
      ? []
      : [violationOf(rule, `WWW-Authenticate: ${text}: ${broken}`, `with ${broken}`)]
  })
}
