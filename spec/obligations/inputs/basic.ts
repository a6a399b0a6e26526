import { placeholder, type TokenForm } from '../../http/credential-placeholders.ts'
import { asBytes } from '../../text/latin1.ts'
import { bearerKinds } from './bearer.ts'
import { type CredentialKind, kind, known, malformed, scheme, token } from './credential-kind.ts'
import { elsewhereKinds, nonAsciiKind } from './guessed-tokens.ts'

const basic = { rfc: 'RFC 7617 2' }

const basicForm = (...forms: readonly TokenForm[]): CredentialKind['variants'] =>
  forms.map(name => [`Basic ${placeholder(name)}`])
const bad = { ...basic, ...known }
const inBase64 = placeholder('basic')

export const basicKinds: readonly CredentialKind[] = [
  ...bearerKinds.filter(({ name }) =>
    ['absent', 'empty', 'sticky-connection', 'absent-invalid-body'].includes(name),
  ),
  kind('scheme-alone', 'with `Basic` and no credentials', [['Basic'], ['Basic   ']], {
    ...basic,
    ...malformed,
  }),
  kind('wrong-scheme', 'with the credentials under the scheme `Bearer`', [[`Bearer ${inBase64}`]], scheme),
  kind(
    'wrong-scheme-digest',
    'with the credentials under the scheme `Digest` or `Token`',
    [[`Digest ${inBase64}`], [`Token ${inBase64}`]],
    scheme,
  ),
  kind(
    'wrong-scheme-prefix',
    'with a scheme that begins or ends like `Basic`',
    [[`BasicX ${inBase64}`], [`Bas ${inBase64}`], [`XBasic ${inBase64}`]],
    scheme,
  ),
  kind(
    'joined',
    'without a space between scheme and credentials',
    [[`Basic${inBase64}`], [`Basic:${inBase64}`]],
    malformed,
  ),
  kind('bare-token', 'with the credentials but no scheme', [[inBase64], [token]], malformed),
  kind('malformed', 'with credentials that are not base64', [['Basic %%%'], [`Basic ${token}`]], {
    ...basic,
    ...malformed,
  }),
  kind('no-colon', 'without a colon between user and password', basicForm('basic-no-colon'), {
    ...bad,
    ...malformed,
  }),
  kind(
    'placeholder-token',
    'with a user and password that anybody guesses',
    [
      'admin:admin',
      'admin:password',
      'admin:',
      'root:root',
      'user:user',
      'test:test',
      'guest:guest',
      ':',
    ].map(pair => [`Basic ${btoa(asBytes(pair))}`]),
    bad,
  ),
  nonAsciiKind(
    'user and password',
    // In Latin-1, which is no UTF-8, and in UTF-8.
    ['\u00e9:\u00e9', asBytes('\u00e9:\u043a\u0459\u0443\u0447')].map(pair => `Basic ${btoa(pair)}`),
    basic,
  ),
  ...elsewhereKinds,
  kind('wrong-token', 'with another password', basicForm('basic-other-password'), bad),
  kind('wrong-user', 'with another user', basicForm('basic-other-user'), bad),
  kind('no-password', 'with an empty password', basicForm('basic-no-password'), bad),
  kind('no-user', 'with an empty user', basicForm('basic-no-user'), bad),
  kind('token-changed', 'with one character of the password changed', basicForm('basic-changed'), bad),
  kind('token-cut', 'with a part of the password', basicForm('basic-cut'), bad),
  kind(
    'token-lengthened',
    'with an additional character in the password',
    basicForm('basic-lengthened'),
    bad,
  ),
  kind('token-letter-case', 'with the password in another letter case', basicForm('basic-swapped-case'), bad),
  kind(
    'wrong-token-invalid-body',
    'with another password and an invalid body',
    basicForm('basic-other-password'),
    {
      ...bad,
      invalidBody: true,
    },
  ),
  kind(
    'sticky-connection-token',
    'with another password right after an accepted one on the same connection',
    basicForm('basic-other-password'),
    { ...bad, afterAccepted: true },
  ),
  kind('lower-case-scheme', 'with the scheme in lower case (`basic`)', [[`basic ${inBase64}`]], {
    accepted: true,
    ...scheme,
  }),
  kind('upper-case-scheme', 'with the scheme in upper case (`BASIC`)', [[`BASIC ${inBase64}`]], {
    accepted: true,
    ...scheme,
  }),
]
