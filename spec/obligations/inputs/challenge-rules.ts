import type { Operation } from '../../contract/contract.ts'
import type { Challenge } from '../../http/www-authenticate.ts'
import { responseFor } from '../../routes/response-for.ts'
import type { Level, UnauthenticatedPolicy } from '../obligation.ts'
import type { GivenCredentials } from '../subject.ts'

/** A rule for the challenges of every 401, or only of those that answer requests with such credentials. */
export type ChallengeRule = {
  readonly name: string
  readonly level: Level
  readonly rfc: string
  readonly requirement: string
  readonly expected: string
  readonly given: GivenCredentials | null
  /** Whether the rule applies to an operation that is secured by schemes of these kinds. */
  readonly appliesTo: (kinds: ReadonlySet<string>) => boolean
  /** What breaks the rule, as a noun phrase («a realm without quotation marks»); null if nothing does. */
  readonly violation: (challenges: readonly Challenge[], kinds: ReadonlySet<string>) => string | null
}

/** Whether a 401 may answer the operation: the contract declares it, or the policy allows it. */
export const mayChallenge = (operation: Operation, policy: UnauthenticatedPolicy): boolean =>
  operation.security.length > 0
    ? policy !== 'declared' || responseFor(operation, 401) !== null
    : operation.responses.some(({ status }) => status === '401')

export const schemeKinds = ({ security }: Operation): ReadonlySet<string> =>
  new Set(security.flat().map(({ kind }) => kind))

/** The rules for an operation. If the contract declares the header as required, `present` is covered by that. */
export const challengeRules = (operation: Operation): readonly ChallengeRule[] =>
  rules.filter(
    ({ name, appliesTo }) =>
      appliesTo(schemeKinds(operation)) && !(name === 'present' && isHeaderRequired(operation)),
  )

const isHeaderRequired = (operation: Operation): boolean =>
  responseFor(operation, 401)?.headers.some(
    ({ name, required }) => required && name.toLowerCase() === 'www-authenticate',
  ) === true

const always = (): boolean => true
const has =
  (kind: string) =>
  (kinds: ReadonlySet<string>): boolean =>
    kinds.has(kind)

const rule = (
  name: string,
  rfc: string,
  requirement: string,
  expected: string,
  violation: ChallengeRule['violation'],
  rest: Partial<Pick<ChallengeRule, 'level' | 'appliesTo' | 'given'>> = {},
): ChallengeRule => ({
  name,
  level: 'MUST',
  rfc,
  requirement,
  expected,
  given: null,
  appliesTo: always,
  violation,
  ...rest,
})

/** The violation of the first challenge (of a scheme; null: of any) that has one. */
const first =
  (scheme: string | null, violation: (challenge: Challenge) => string | null): ChallengeRule['violation'] =>
  challenges =>
    challenges
      .filter(challenge => scheme === null || challenge.scheme === scheme)
      .map(violation)
      .find(found => found !== null) ?? null

const parameterOf = ({ parameters }: Challenge, name: string): string | undefined =>
  parameters.find(parameter => parameter.name === name)?.value

/** RFC 6750 3: the characters that the parameters of a Bearer challenge may have. */
const characters: Readonly<Record<string, RegExp>> = {
  error: /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/,
  error_description: /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/,
  error_uri: /^[\x21\x23-\x5b\x5d-\x7e]*$/,
  scope: /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/,
}

// RFC 9470 registers the second one, for tokens that are valid but too weak for the resource.
const errorsOf401 = ['invalid_token', 'insufficient_user_authentication']

const bearer = { appliesTo: has('bearer') }

const rules: readonly ChallengeRule[] = [
  rule(
    'present',
    'RFC 9110 15.5.2',
    'a 401 has a challenge in WWW-Authenticate',
    'WWW-Authenticate with a challenge',
    () => null,
  ),
  rule(
    'grammar',
    'RFC 9110 11.6.1',
    'the challenges of a 401 follow the grammar of WWW-Authenticate',
    'challenges in the grammar of RFC 9110, such as Bearer realm="a", error="b"',
    () => null,
  ),
  rule(
    'scheme',
    'RFC 9110 15.5.2 · RFC 6750 3 · RFC 7617 2',
    'a 401 has a challenge of a scheme that secures the operation',
    'a challenge of a scheme that secures the operation',
    (challenges, kinds) =>
      challenges.some(({ scheme }) => kinds.has(scheme))
        ? null
        : `a challenge of another scheme (${challenges.map(({ scheme }) => scheme).join(', ')})`,
    // An API key has no registered scheme: any challenge may be about it.
    { appliesTo: kinds => kinds.size > 0 && [...kinds].every(kind => kind === 'bearer' || kind === 'basic') },
  ),
  rule(
    'parameters-once',
    'RFC 9110 11.2',
    'no challenge of a 401 repeats a parameter',
    'each parameter once in a challenge',
    first(null, ({ parameters }) => {
      const names = parameters.map(({ name }) => name)
      const repeated = names.find((name, index) => names.indexOf(name) < index)
      return repeated === undefined ? null : `the parameter ${repeated} twice in one challenge`
    }),
  ),
  rule(
    'realm-quoted',
    'RFC 9110 11.5',
    'a realm in a challenge of a 401 is in quotation marks',
    'realm="…"',
    first(null, ({ parameters }) =>
      parameters.some(({ name, quoted }) => name === 'realm' && !quoted)
        ? 'a realm without quotation marks'
        : null,
    ),
  ),
  rule(
    'basic-realm',
    'RFC 7617 2',
    'a Basic challenge of a 401 has a realm',
    'Basic realm="…"',
    first('basic', challenge =>
      parameterOf(challenge, 'realm') === undefined ? 'a Basic challenge without a realm' : null,
    ),
    { appliesTo: has('basic') },
  ),
  rule(
    'bearer-parameters',
    'RFC 6750 3',
    'a Bearer challenge of a 401 has at least one parameter',
    'Bearer with a parameter, such as realm="…"',
    first('bearer', ({ parameters }) =>
      parameters.length === 0 ? 'a Bearer challenge without parameters' : null,
    ),
    // RFC 6750 requires one; RFC 9110 does not, and many frameworks send the scheme alone.
    { ...bearer, level: 'SHOULD' },
  ),
  rule(
    'bearer-characters',
    'RFC 6750 3',
    'error, error_description, error_uri and scope of a Bearer challenge have allowed characters only',
    'printable ASCII without quotation marks and backslashes',
    first('bearer', ({ parameters }) => {
      const wrong = parameters.find(({ name, value }) => characters[name]?.test(value) === false)
      return wrong === undefined ? null : `forbidden characters in the parameter ${wrong.name} of a challenge`
    }),
    bearer,
  ),
  rule(
    'error-code',
    'RFC 6750 3.1',
    'the error in a Bearer challenge of a 401 should be invalid_token',
    'error="invalid_token", or no error',
    first('bearer', challenge => {
      const error = parameterOf(challenge, 'error')
      return error === undefined || errorsOf401.includes(error)
        ? null
        : `the error ${error} instead of invalid_token`
    }),
    { ...bearer, level: 'SHOULD' },
  ),
  rule(
    'error-without-credentials',
    'RFC 6750 3.1',
    'a 401 for a request without credentials should not name an error in its challenge',
    'no error in the challenge, as no credentials were sent',
    first('bearer', ({ parameters }) =>
      parameters.some(({ name }) => name.startsWith('error'))
        ? 'an error in the challenge, although no credentials were sent'
        : null,
    ),
    { ...bearer, level: 'SHOULD', given: 'none' },
  ),
  rule(
    'error-given',
    'RFC 6750 3',
    'a 401 for a request with a wrong token should name the error in its challenge',
    'error="invalid_token" in the challenge',
    first('bearer', challenge =>
      parameterOf(challenge, 'error') === undefined
        ? 'a challenge that names no error, although a wrong token was sent'
        : null,
    ),
    { ...bearer, level: 'SHOULD', given: 'token' },
  ),
]
