import { on } from '../store/faults.ts'
import type { BrokenServer } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'
import { asRfc6750, challenging, hasToken, invalidToken, realm, with401 } from './with-401.ts'

const row = rowsOf('auth')

const rule = (name: string): RegExp => new RegExp(`^createPlant/response/401/challenge/${name}$`)

/** This challenge for a wrong token, and the right one for everything else. */
const forToken = (challenge: string) => challenging(exchange => (hasToken(exchange) ? challenge : realm))

/** Stores that reject wrong credentials with a 401 that HTTP does not allow. No policy makes them lawful. */
export const challengeServers: readonly BrokenServer[] = [
  row('challenge-absent', 'A 401 has no WWW-Authenticate.', rule('present'), challenging(undefined)),
  row('challenge-empty', 'The WWW-Authenticate of a 401 is empty.', rule('present'), challenging('')),
  row(
    'challenge-absent-for-tokens',
    'The 401 for a wrong token has no WWW-Authenticate.',
    rule('present'),
    challenging(exchange => (hasToken(exchange) ? undefined : realm)),
  ),
  row('challenge-is-json', 'The challenge is JSON.', rule('grammar'), challenging('{"scheme":"Bearer"}')),
  row(
    'challenge-is-a-sentence',
    'The challenge is a sentence.',
    rule('grammar'),
    challenging('please log in first'),
  ),
  row(
    'challenge-with-unclosed-quote',
    'A quotation mark of the challenge is never closed.',
    rule('grammar'),
    challenging('Bearer realm="plants'),
  ),
  row(
    'challenge-with-semicolons',
    'The parameters are separated by semicolons.',
    rule('grammar'),
    challenging('Bearer realm="plants"; error="invalid_token"'),
  ),
  row(
    'challenge-without-commas',
    'The parameters are separated by spaces.',
    rule('grammar'),
    challenging('Bearer realm="plants" error="invalid_token"'),
  ),
  row(
    'challenge-without-scheme',
    'The challenge is a parameter without a scheme.',
    rule('grammar'),
    challenging('realm="plants"'),
  ),
  row(
    'challenge-with-trailing-comma',
    'The challenge ends in a comma.',
    rule('grammar'),
    challenging('Bearer realm="plants",'),
  ),
  row(
    'challenge-with-single-quotes',
    'A realm with a space is in single quotes.',
    rule('grammar'),
    challenging("Bearer realm='plant store'"),
  ),
  row(
    'challenge-with-colon',
    'Scheme and parameters are separated by a colon.',
    rule('grammar'),
    challenging('Bearer: realm="plants"'),
  ),
  row(
    'challenge-basic',
    'The only challenge is for Basic.',
    rule('scheme'),
    challenging('Basic realm="plants"'),
  ),
  row(
    'challenge-with-custom-scheme',
    'The only challenge is for a custom scheme.',
    rule('scheme'),
    challenging('Token realm="plants"'),
  ),
  row(
    'challenge-with-realm-twice',
    'The realm is given twice.',
    rule('parameters-once'),
    challenging('Bearer realm="plants", Realm="store"'),
  ),
  row(
    'challenge-with-error-twice',
    'The error is given twice.',
    rule('parameters-once'),
    forToken('Bearer error="invalid_token", realm="plants", error="invalid_token"'),
  ),
  row(
    'challenge-with-bare-realm',
    'The realm is not quoted.',
    rule('realm-quoted'),
    challenging('Bearer realm=plants'),
  ),
  row(
    'challenge-bearer-alone',
    'The challenge is `Bearer` alone.',
    rule('bearer-parameters'),
    challenging('Bearer'),
    { level: 'SHOULD' },
  ),
  row(
    'challenge-with-quotes-in-error',
    'The description of the error contains quotation marks.',
    rule('bearer-characters'),
    forToken('Bearer error="invalid_token", error_description="the token \\"x\\" is not known"'),
  ),
  row(
    'challenge-with-accents-in-error',
    'The description of the error contains accented letters.',
    rule('bearer-characters'),
    forToken('Bearer error="invalid_token", error_description="jeton refus\u00e9"'),
  ),
  row(
    'challenge-with-other-error',
    'The error of a 401 is a custom code.',
    rule('error-code'),
    forToken('Bearer error="token_expired"'),
    { level: 'SHOULD' },
  ),
  row(
    'challenge-with-insufficient-scope',
    'The error of a 401 is the one for a 403.',
    rule('error-code'),
    forToken('Bearer error="insufficient_scope"'),
    { level: 'SHOULD' },
  ),
  row(
    'challenge-always-with-error',
    'The challenge to a request without credentials calls its token invalid.',
    rule('error-without-credentials'),
    challenging(invalidToken),
    { level: 'SHOULD' },
  ),
  row('challenge-never-with-error', 'A 401 never names an error.', rule('error-given'), challenging(realm), {
    level: 'SHOULD',
  }),
  row(
    'challenge-with-cut-body',
    'The body of a 401 is shorter than its length.',
    /^createPlant\/response\/401\/length$/,
    {
      ...challenging(asRfc6750),
      send: ({ status, headers, body }, out) => {
        out.writeHead(status, {
          ...headers,
          'content-length': Buffer.byteLength(body) + (status === 401 ? 5 : 0),
        })
        out.write(body, () => (status === 401 ? out.destroy() : out.end()))
      },
    },
  ),
  row(
    'challenge-with-403',
    'Wrong credentials get an undeclared 403.',
    /^createPlant\/(auth\/|response\/declared)/,
    on('credentials', (response, exchange) => ({
      ...response,
      ...with401(realm)(response, exchange),
      status: 403,
    })),
  ),
]
