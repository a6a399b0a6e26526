import { type Challenge, readChallenges } from './challenge.ts'
import type { Operation } from './contract.ts'
import { type Answer, headerValues } from './exchange.ts'
import { clauseOf, type Flaw } from './judge-answer.ts'
import type { Level } from './obligation.ts'
import type { Unauthenticated } from './refusal.ts'
import type { Given } from './subject.ts'

/** A rule that each 401 is held to, or those alone that answer requests with such credentials. */
export type ChallengeRule = {
  readonly name: string
  readonly level: Level
  readonly rfc: string
  readonly promise: string
  readonly wanted: string
  readonly asked: Given | null
  /** The schemes of an operation's security that it is a rule of. */
  readonly of: (kinds: ReadonlySet<string>) => boolean
  /** What is wrong with the challenges; null where nothing is. */
  readonly breaks: (challenges: readonly Challenge[], kinds: ReadonlySet<string>) => string | null
}

/** Whether a 401 may answer an operation: it is declared, or the policy allows it. */
export const mayChallenge = (operation: Operation, policy: Unauthenticated): boolean =>
  operation.security.length > 0
    ? policy !== 'declared' || clauseOf(operation, 401) !== null
    : operation.responses.some(({ status }) => status === '401')

const kindsOf = ({ security }: Operation): ReadonlySet<string> =>
  new Set(security.flat().map(({ kind }) => kind))

/** Where the header is declared as required, its obligation says that it is there. */
export const challengeRules = (operation: Operation): readonly ChallengeRule[] =>
  rules.filter(
    rule => rule.of(kindsOf(operation)) && !(rule.name === 'present' && isHeaderDeclared(operation)),
  )

const isHeaderDeclared = (operation: Operation): boolean =>
  clauseOf(operation, 401)?.headers.some(
    ({ name, required }) => required && name.toLowerCase() === 'www-authenticate',
  ) === true

/** The rules of RFC 9110, 6750 and 7617 that a 401 breaks; of each fault only the first that it shows as. */
export const judgeChallenge = (operation: Operation, answer: Answer, given: Given): readonly Flaw[] => {
  const flaw = (name: string, wanted: string, got: string): Flaw => ({
    id: `${operation.id}/response/401/challenge/${name}`,
    wanted,
    got,
  })
  const values = headerValues(answer.headers, 'www-authenticate')
  const lines = values.filter(line => line.trim() !== '')
  const applying = challengeRules(operation)
  const ruleOf = (name: string): ChallengeRule | undefined => applying.find(own => own.name === name)
  const grammar = ruleOf('grammar') as ChallengeRule
  if (lines.length === 0) {
    // An empty header is there, and no challenge.
    const broken = ruleOf('present') ?? (values.length > 0 ? grammar : undefined)
    return broken === undefined ? [] : [flaw(broken.name, broken.wanted, 'a 401 without a challenge')]
  }
  const text = lines.join(', ')
  const challenges = readChallenges(text)
  if ('problem' in challenges) return [flaw(grammar.name, grammar.wanted, `${text}: ${challenges.problem}`)]
  return applying.flatMap(({ name, wanted, asked, breaks }) => {
    const problem = asked === null || asked === given ? breaks(challenges, kindsOf(operation)) : null
    return problem === null ? [] : [flaw(name, wanted, `WWW-Authenticate: ${text}: ${problem}`)]
  })
}

const any = (): boolean => true
const has =
  (kind: string) =>
  (kinds: ReadonlySet<string>): boolean =>
    kinds.has(kind)

const rule = (
  name: string,
  rfc: string,
  promise: string,
  wanted: string,
  breaks: ChallengeRule['breaks'],
  rest: Partial<Pick<ChallengeRule, 'level' | 'of' | 'asked'>> = {},
): ChallengeRule => ({ name, level: 'MUST', rfc, promise, wanted, asked: null, of: any, breaks, ...rest })

/** The problem of the first challenge (of a scheme) that has one. */
const first =
  (scheme: string | null, problem: (challenge: Challenge) => string | null): ChallengeRule['breaks'] =>
  challenges =>
    challenges
      .filter(challenge => scheme === null || challenge.scheme === scheme)
      .map(problem)
      .find(found => found !== null) ?? null

const parameterOf = ({ parameters }: Challenge, name: string): string | undefined =>
  parameters.find(parameter => parameter.name === name)?.value

/** RFC 6750 3: the characters that a parameter of its own may have. */
const characters: Readonly<Record<string, RegExp>> = {
  error: /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/,
  error_description: /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/,
  error_uri: /^[\x21\x23-\x5b\x5d-\x7e]*$/,
  scope: /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/,
}

// RFC 9470 registers the second for tokens that are not of the strength asked for.
const errorsOf401 = ['invalid_token', 'insufficient_user_authentication']

const bearer = { of: has('bearer') }

const rules: readonly ChallengeRule[] = [
  rule(
    'present',
    'RFC 9110 15.5.2',
    'a 401 carries a challenge in WWW-Authenticate',
    'WWW-Authenticate with a challenge',
    () => null,
  ),
  rule(
    'grammar',
    'RFC 9110 11.6.1',
    'the challenges of a 401 in WWW-Authenticate can be read',
    'challenges as RFC 9110 writes them, such as Bearer realm="a", error="b"',
    () => null,
  ),
  rule(
    'scheme',
    'RFC 9110 15.5.2 · RFC 6750 3 · RFC 7617 2',
    'a 401 carries a challenge of a scheme that the operation is secured by',
    'a challenge of a scheme that the operation is secured by',
    (challenges, kinds) =>
      challenges.some(({ scheme }) => kinds.has(scheme))
        ? null
        : `only of ${challenges.map(({ scheme }) => scheme).join(', ')}`,
    // An API key has no scheme that is registered: any challenge may be about it.
    { of: kinds => kinds.size > 0 && [...kinds].every(kind => kind === 'bearer' || kind === 'basic') },
  ),
  rule(
    'parameters-once',
    'RFC 9110 11.2',
    'a challenge of a 401 has no parameter twice',
    'each parameter once in a challenge',
    first(null, ({ parameters }) => {
      const names = parameters.map(({ name }) => name)
      const twice = names.find((name, index) => names.indexOf(name) < index)
      return twice === undefined ? null : `twice ${twice}`
    }),
  ),
  rule(
    'realm-quoted',
    'RFC 9110 11.5',
    'a realm in a challenge of a 401 stands in quotation marks',
    'realm="…"',
    first(null, ({ parameters }) =>
      parameters.some(({ name, quoted }) => name === 'realm' && !quoted)
        ? 'the realm without quotation marks'
        : null,
    ),
  ),
  rule(
    'basic-realm',
    'RFC 7617 2',
    'a Basic challenge of a 401 has a realm',
    'Basic realm="…"',
    first('basic', challenge => (parameterOf(challenge, 'realm') === undefined ? 'no realm' : null)),
    { of: has('basic') },
  ),
  rule(
    'bearer-parameters',
    'RFC 6750 3',
    'a Bearer challenge of a 401 has one parameter or more',
    'Bearer with a parameter, such as realm="…"',
    first('bearer', ({ parameters }) => (parameters.length === 0 ? 'Bearer alone' : null)),
    bearer,
  ),
  rule(
    'bearer-characters',
    'RFC 6750 3',
    'error, its description and URI, and scope of a Bearer challenge have no other than the allowed characters',
    'printable ASCII without quotation marks and backslashes',
    first('bearer', ({ parameters }) => {
      const wrong = parameters.find(({ name, value }) => characters[name]?.test(value) === false)
      return wrong === undefined ? null : `characters of ${wrong.name} that are not allowed`
    }),
    bearer,
  ),
  rule(
    'error-code',
    'RFC 6750 3.1',
    'the error of a Bearer challenge of a 401 should be invalid_token',
    'error="invalid_token", or none',
    first('bearer', challenge => {
      const error = parameterOf(challenge, 'error')
      return error === undefined || errorsOf401.includes(error) ? null : `the error ${error}`
    }),
    { ...bearer, level: 'SHOULD' },
  ),
  rule(
    'error-unasked',
    'RFC 6750 3.1',
    'a 401 for a request without credentials should tell of no error',
    'no error in the challenge, as no credentials were sent',
    first('bearer', ({ parameters }) =>
      parameters.some(({ name }) => name.startsWith('error')) ? 'an error' : null,
    ),
    { ...bearer, level: 'SHOULD', asked: 'none' },
  ),
  rule(
    'error-given',
    'RFC 6750 3',
    'a 401 for a request with a token that is not right should tell the error',
    'error="invalid_token" in the challenge',
    first('bearer', challenge => (parameterOf(challenge, 'error') === undefined ? 'no error' : null)),
    { ...bearer, level: 'SHOULD', asked: 'token' },
  ),
]
