import {
  asRfc6750,
  type Challenges,
  challenging,
  hasNoCredentials,
  hasToken,
  invalidToken,
  realm,
  with401,
} from '../auth/with-401.ts'
import { authorization } from '../store/credentials.ts'
import { on, withText } from '../store/faults.ts'
import type { LawfulServer } from '../store/model.ts'
import { lawful } from './row.ts'

const challenged = (name: string, about: string, challenges: Challenges): LawfulServer =>
  lawful(name, about, challenging(challenges))

/** Stores that reject wrong credentials with a 401 that HTTP allows. */
export const lawfulChallengeServers: readonly LawfulServer[] = [
  challenged('challenge-as-rfc-6750', 'The challenge is the one of RFC 6750.', asRfc6750),
  challenged(
    'challenge-in-other-letter-case',
    'Schemes and parameters are in a different letter case.',
    exchange =>
      hasToken(exchange) ? 'BEARER Realm="plants", ERROR="invalid_token"' : 'bearer REALM="plants"',
  ),
  challenged('challenge-among-others', 'There are also challenges for other schemes.', exchange => [
    'Basic realm="plants, and \\"more\\"", charset="UTF-8", Negotiate',
    `Digest realm="x", qop="auth, auth-int", algorithm=SHA-256,nonce="a==", ${asRfc6750(exchange)}`,
  ]),
  challenged(
    'challenge-with-token68',
    'A challenge for another scheme has a token68 instead of parameters.',
    exchange => (hasToken(exchange) ? `Negotiate YII+/a==, ${invalidToken}` : `Negotiate YII+/a==,${realm}`),
  ),
  challenged('challenge-with-bare-values', 'Only the realm is quoted.', exchange =>
    hasToken(exchange) ? 'Bearer scope="a b",error=invalid_token' : 'Bearer  scope=a',
  ),
  challenged('challenge-with-extra-parameters', 'The challenge has extension parameters.', exchange =>
    hasToken(exchange)
      ? 'Bearer error="insufficient_user_authentication", acr_values="x", max_age=5'
      : 'Bearer resource_metadata="https://a.example/.well-known"',
  ),
  lawful(
    'challenge-without-body',
    'The 401 has a body of another type, or none.',
    on('credentials', (response, exchange) => ({
      ...withText(
        { ...response, headers: {} },
        401,
        hasNoCredentials(exchange) ? '' : '<h1>401</h1>',
        'text/html',
      ),
      headers: { 'www-authenticate': asRfc6750(exchange) },
    })),
  ),
  lawful(
    'challenge-but-400-for-malformed',
    'Malformed credentials get the declared 400.',
    on('credentials', (response, exchange) =>
      hasNoCredentials(exchange) ||
      hasToken(exchange) ||
      /^(basic|digest|token|jwt|\w*bear\w*) \S/i.test(authorization(exchange) ?? '')
        ? with401(asRfc6750)(response, exchange)
        : response,
    ),
  ),
  lawful('challenge-after-the-body', 'The body is checked before the credentials.', () => ({
    respond: (response, exchange) => {
      if (response.cause !== 'credentials') return response
      const text = exchange.bytes.toString()
      const whole = /^\{"id":-?\d+,"name":"[^"]*"(,"tag":"[^"]*")?\}$/.test(text)
      return whole ? with401(asRfc6750)(response, exchange) : response
    },
  })),
]
