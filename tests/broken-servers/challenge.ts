import { authorization, authorizations } from './credentials.ts'
import { type Failing, on, withText } from './faults.ts'
import { lawful } from './lawful-row.ts'
import type { Asked, Broken, Lawful } from './model.ts'
import { rowsOf } from './row.ts'

type Challenges = string | string[]

const row = rowsOf('bearer')

const rule = (name: string): RegExp => new RegExp(`^createPlant/response/401/challenge/${name}$`)

/** Refuses credentials with an undeclared 401 and these challenges; undefined: without any. */
const with401 =
  (challenges: Challenges | undefined | ((asked: Asked) => Challenges | undefined)): Failing =>
  (answer, asked) => {
    const value = typeof challenges === 'function' ? challenges(asked) : challenges
    return {
      ...answer,
      status: 401,
      headers: { ...answer.headers, ...(value === undefined ? {} : { 'www-authenticate': value }) },
    }
  }

const refusing = (...given: Parameters<typeof with401>) => on('credentials', with401(...given))

const gaveNone = (asked: Asked) => authorizations(asked).length === 0
const gaveToken = (asked: Asked) => /^bearer +[\w.~+/-]+=*$/i.test(authorization(asked) ?? '')

const realm = 'Bearer realm="plants"'
const invalid = `${realm}, error="invalid_token", error_description="The token is not known"`
/** What RFC 6750 asks for: an error where a token was given. */
const asRfc6750 = (asked: Asked) => (gaveToken(asked) ? invalid : realm)

/** With this challenge for a token that is not right, and the right one for all else. */
const forToken = (challenge: string) => refusing(asked => (gaveToken(asked) ? challenge : realm))

/** Stores that answer wrong credentials with a 401 that HTTP does not allow; lawful is none under any policy. */
export const challengeServers: readonly Broken[] = [
  row('challenge-absent', 'A 401 has no WWW-Authenticate.', rule('present'), refusing(undefined)),
  row('challenge-empty', 'The WWW-Authenticate of a 401 is empty.', rule('present'), refusing('')),
  row(
    'challenge-absent-for-tokens',
    'Only the 401 for a token that is not right has no WWW-Authenticate.',
    rule('present'),
    refusing(asked => (gaveToken(asked) ? undefined : realm)),
  ),
  row('challenge-is-json', 'The challenge is JSON.', rule('grammar'), refusing('{"scheme":"Bearer"}')),
  row('challenge-in-words', 'The challenge is a sentence.', rule('grammar'), refusing('please log in first')),
  row(
    'challenge-with-open-quote',
    'A quotation mark of the challenge is never closed.',
    rule('grammar'),
    refusing('Bearer realm="plants'),
  ),
  row(
    'challenge-with-semicolons',
    'The parameters stand with semicolons between them.',
    rule('grammar'),
    refusing('Bearer realm="plants"; error="invalid_token"'),
  ),
  row(
    'challenge-without-commas',
    'The parameters stand with spaces between them.',
    rule('grammar'),
    refusing('Bearer realm="plants" error="invalid_token"'),
  ),
  row(
    'challenge-without-scheme',
    'The challenge is a parameter alone.',
    rule('grammar'),
    refusing('realm="plants"'),
  ),
  row(
    'challenge-with-trailing-comma',
    'The challenge ends in a comma.',
    rule('grammar'),
    refusing('Bearer realm="plants",'),
  ),
  row(
    'challenge-with-single-quotes',
    'The realm with a space stands in apostrophes.',
    rule('grammar'),
    refusing("Bearer realm='plant store'"),
  ),
  row(
    'challenge-with-colon',
    'Scheme and parameters stand with a colon between them.',
    rule('grammar'),
    refusing('Bearer: realm="plants"'),
  ),
  row('challenge-basic', 'The only challenge is of Basic.', rule('scheme'), refusing('Basic realm="plants"')),
  row(
    'challenge-of-its-own',
    'The only challenge is of a scheme of its own.',
    rule('scheme'),
    refusing('Token realm="plants"'),
  ),
  row(
    'challenge-with-realm-twice',
    'The realm is given twice.',
    rule('parameters-once'),
    refusing('Bearer realm="plants", Realm="store"'),
  ),
  row(
    'challenge-with-error-twice',
    'The error is given twice.',
    rule('parameters-once'),
    forToken('Bearer error="invalid_token", realm="plants", error="invalid_token"'),
  ),
  row(
    'challenge-with-bare-realm',
    'The realm stands without quotation marks.',
    rule('realm-quoted'),
    refusing('Bearer realm=plants'),
  ),
  row(
    'challenge-bearer-alone',
    'The challenge is `Bearer` alone.',
    rule('bearer-parameters'),
    refusing('Bearer'),
  ),
  row(
    'challenge-with-quotes-in-error',
    'The description of the error has quotation marks.',
    rule('bearer-characters'),
    forToken('Bearer error="invalid_token", error_description="the token \\"x\\" is not known"'),
  ),
  row(
    'challenge-with-accents-in-error',
    'The description of the error has letters with accents.',
    rule('bearer-characters'),
    forToken('Bearer error="invalid_token", error_description="jeton refus\u00e9"'),
  ),
  row(
    'challenge-with-other-error',
    'The error of a 401 is a code of its own.',
    rule('error-code'),
    forToken('Bearer error="token_expired"'),
    { level: 'SHOULD' },
  ),
  row(
    'challenge-with-insufficient-scope',
    'The error of a 401 is that of a 403.',
    rule('error-code'),
    forToken('Bearer error="insufficient_scope"'),
    { level: 'SHOULD' },
  ),
  row(
    'challenge-always-with-error',
    'A request without credentials is told of an invalid token.',
    rule('error-unasked'),
    refusing(invalid),
    { level: 'SHOULD' },
  ),
  row('challenge-never-with-error', 'No 401 tells of an error.', rule('error-given'), refusing(realm), {
    level: 'SHOULD',
  }),
  row(
    'challenge-with-cut-body',
    'The body of a 401 is shorter than announced.',
    /^createPlant\/response\/401\/length$/,
    {
      ...refusing(asRfc6750),
      send: ({ status, headers, body }, response) => {
        response.writeHead(status, {
          ...headers,
          'content-length': Buffer.byteLength(body) + (status === 401 ? 5 : 0),
        })
        response.write(body, () => (status === 401 ? response.destroy() : response.end()))
      },
    },
  ),
  row(
    'challenge-at-another-status',
    'Wrong credentials get a 403, which is not declared.',
    /^createPlant\/(auth\/|response\/declared)/,
    on('credentials', (answer, asked) => ({ ...answer, ...with401(realm)(answer, asked), status: 403 })),
  ),
]

const either = (name: string, about: string, ...given: Parameters<typeof with401>) =>
  lawful(name, about, refusing(...given))

/** Stores that answer wrong credentials with a 401 as HTTP has it. */
export const lawfulChallengeServers: readonly Lawful[] = [
  either('challenge-as-rfc-6750', 'The challenge is that of RFC 6750.', asRfc6750),
  either('challenge-in-other-letter-case', 'Schemes and parameters have no letter case.', asked =>
    gaveToken(asked) ? 'BEARER Realm="plants", ERROR="invalid_token"' : 'bearer REALM="plants"',
  ),
  either('challenge-among-others', 'There are challenges of other schemes as well.', asked => [
    'Basic realm="plants, and \\"more\\"", charset="UTF-8", Negotiate',
    `Digest realm="x", qop="auth, auth-int", algorithm=SHA-256,nonce="a==", ${asRfc6750(asked)}`,
  ]),
  either('challenge-with-token68', 'A challenge of another scheme has no parameters but a text.', asked =>
    gaveToken(asked) ? `Negotiate YII+/a==, ${invalid}` : `Negotiate YII+/a==,${realm}`,
  ),
  either('challenge-with-bare-values', 'Values but the realm stand without quotation marks.', asked =>
    gaveToken(asked) ? 'Bearer scope="a b",error=invalid_token' : 'Bearer  scope=a',
  ),
  either('challenge-with-parameters-of-its-own', 'The challenge has parameters of its own.', asked =>
    gaveToken(asked)
      ? 'Bearer error="insufficient_user_authentication", acr_values="x", max_age=5'
      : 'Bearer resource_metadata="https://a.example/.well-known"',
  ),
  lawful(
    'challenge-without-body',
    'The 401 has a body of another type, or none.',
    on('credentials', (answer, asked) => ({
      ...withText({ ...answer, headers: {} }, 401, gaveNone(asked) ? '' : '<h1>401</h1>', 'text/html'),
      headers: { 'www-authenticate': asRfc6750(asked) },
    })),
  ),
  lawful(
    'challenge-but-400-for-malformed',
    'Credentials that are malformed get the declared 400.',
    on('credentials', (answer, asked) =>
      gaveNone(asked) ||
      gaveToken(asked) ||
      /^(basic|digest|token|jwt|\w*bear\w*) \S/i.test(authorization(asked) ?? '')
        ? with401(asRfc6750)(answer, asked)
        : answer,
    ),
  ),
  lawful('challenge-after-the-body', 'The body is looked at before the credentials.', () => ({
    respond: (answer, asked) => {
      if (answer.cause !== 'credentials') return answer
      const text = asked.bytes.toString()
      const whole = /^\{"id":-?\d+,"name":"[^"]*"(,"tag":"[^"]*")?\}$/.test(text)
      return whole ? with401(asRfc6750)(answer, asked) : answer
    },
  })),
]
